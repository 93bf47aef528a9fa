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

// entriesAsked is which entries of a ledger a caller wants.
type entriesAsked struct {
	verdicts  []string // of the claims, or unjudged; none for all
	citation  ledger.CitationStatus
	quotation ledger.QuotationStatus
	from      int // a claim's number
	limit     int // 0 for all
}

// readEntriesAsked reads the parameters of GET …/ledger.
func readEntriesAsked(c echo.Context) (out entriesAsked, err error) {
	out.citation = ledger.CitationStatus(c.QueryParam("citation"))
	out.quotation = ledger.QuotationStatus(c.QueryParam("quotation"))
	if out.citation != "" && !out.citation.Valid() {
		return out, web.InvalidChoice("citation", ledger.CitationStatuses)
	}
	if out.quotation != "" && !out.quotation.Valid() {
		return out, web.InvalidChoice("quotation", ledger.QuotationStatuses)
	}
	if v := c.QueryParam("verdict"); v != "" {
		out.verdicts = strings.Split(v, ",")
	}
	all := append(web.Strings(ledger.Verdicts), string(ledger.FaultUnjudged))
	for _, v := range out.verdicts {
		if !slices.Contains(all, v) {
			return out, web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "verdict",
				"refused_some_commas_between", "List", words.ListOf(all)))
		}
	}
	if v := c.QueryParam("from"); v != "" {
		if out.from, err = strconv.Atoi(v); err != nil || out.from < 1 || out.from > ledger.MaxClaims {
			return out, web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "from",
				"refused_number_claim"))
		}
	}
	if out.from > 0 || c.QueryParam("limit") != "" {
		out.limit, err = web.ListLimit(c)
	}
	return out, err
}

// cut leaves the entries that are asked for, and says what is left out; nil if nothing was asked.
func (a *entriesAsked) cut(l *ledger.Ledger) *apiLedgerPage {
	l.Entries = slices.DeleteFunc(l.Entries, func(e ledger.Entry) bool {
		checks := &e.Claim.Checks
		return a.citation != "" && checks.CitationMask()&a.citation.Bit() == 0 ||
			a.quotation != "" && checks.QuotationMask()&a.quotation.Bit() == 0 ||
			len(a.verdicts) > 0 && !slices.Contains(a.verdicts, judged(&e))
	})
	if a.limit == 0 {
		return nil
	}
	page := &apiLedgerPage{Matching: len(l.Entries)}
	if at := slices.IndexFunc(l.Entries, func(e ledger.Entry) bool { return e.Claim.Number() >= a.from }); at >= 0 {
		l.Entries = l.Entries[at:]
	} else {
		l.Entries = nil
	}
	if page.Left = len(l.Entries) - a.limit; page.Left <= 0 {
		page.Left = 0
		return page
	}
	next := l.Entries[a.limit].Claim.Number()
	page.NextFrom, l.Entries = &next, l.Entries[:a.limit]
	return page
}

// judged is an entry's verdict as the parameter names it.
func judged(e *ledger.Entry) string {
	if e.Unjudged() {
		return string(ledger.FaultUnjudged)
	}
	return string(e.Verdict)
}
