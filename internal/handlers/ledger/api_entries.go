package ledger

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/words"
)

// apiLedgerPage says which of a ledger's entries an answer lists.
type apiLedgerPage struct {
	Matching int  `json:"matching"`  // entries that the filters leave, before from and limit
	Left     int  `json:"left"`      // of them, those after the listed ones
	NextFrom *int `json:"next_from"` // the number of the first of those; null if none
}

// readPartQuery reads the parameters of GET …/ledger. Its Limit is 0 where all entries are asked for.
func readPartQuery(c echo.Context) (out ledger.PartQuery, err error) {
	out.Citation = ledger.CitationStatus(c.QueryParam("citation"))
	out.Quotation = ledger.QuotationStatus(c.QueryParam("quotation"))
	if out.Citation != "" && !out.Citation.Valid() {
		return out, web.InvalidChoice("citation", ledger.CitationStatuses)
	}
	if out.Quotation != "" && !out.Quotation.Valid() {
		return out, web.InvalidChoice("quotation", ledger.QuotationStatuses)
	}
	var verdicts []string
	if v := c.QueryParam("verdict"); v != "" {
		verdicts = strings.Split(v, ",")
	}
	all := append(web.Strings(ledger.Verdicts), string(ledger.FaultUnjudged))
	for _, v := range verdicts {
		if !slices.Contains(all, v) {
			return out, web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "verdict",
				"refused_some_commas_between", "List", words.ListOf(all)))
		}
		if v == string(ledger.FaultUnjudged) {
			v = string(ledger.Unjudged)
		}
		if !slices.Contains(out.Verdicts, ledger.Verdict(v)) {
			out.Verdicts = append(out.Verdicts, ledger.Verdict(v))
		}
	}
	from := 0
	if v := c.QueryParam("from"); v != "" {
		if from, err = strconv.Atoi(v); err != nil || from < 1 || from > ledger.MaxClaims {
			return out, web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "from",
				"refused_number_claim"))
		}
		out.From = from - 1
	}
	if from > 0 || c.QueryParam("limit") != "" {
		out.Limit, err = web.ListLimit(c)
	}
	return out, err
}

// passing leaves the entries of a whole ledger that q asks for.
func passing(l *ledger.Ledger, q *ledger.PartQuery) {
	l.Entries = slices.DeleteFunc(l.Entries, func(e ledger.Entry) bool {
		checks := &e.Claim.Checks
		return q.Citation != "" && checks.CitationMask()&q.Citation.Bit() == 0 ||
			q.Quotation != "" && checks.QuotationMask()&q.Quotation.Bit() == 0 ||
			len(q.Verdicts) > 0 && !slices.Contains(q.Verdicts, e.Verdict)
	})
}

// newAPILedgerPage says which entries a part lists.
func newAPILedgerPage(p *ledger.Part) *apiLedgerPage {
	out := &apiLedgerPage{Matching: p.Matching, Left: p.Left}
	if p.Next != nil {
		out.NextFrom = new(*p.Next + 1)
	}
	return out
}
