package ledger

import (
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// rowFlags fills in the flags of a row. It has room for the name of one: the gravest that neither the verdict nor a
// check beside it says already. Of the others it has the number, and of those alone the sign; their names are its title.
func (p *SessionPage) rowFlags(r *Row, e *ledger.Entry, severities map[ledger.RiskType]ledger.Severity) {
	lead := -1
	for i, f := range e.Flags {
		r.Flags = append(r.Flags, ClaimFlag{severities[f], p.T("flag_name_" + string(f))})
		if !saidInRow(e, f) && (lead < 0 || weight(r.Flags[i].Severity) < weight(r.Flags[lead].Severity)) {
			lead = i
		}
	}
	others := slices.Clone(r.Flags)
	if lead >= 0 {
		r.Flag, others = &r.Flags[lead], slices.Delete(others, lead, lead+1)
	}
	if len(others) == 0 {
		return
	}
	names, gravest := make([]string, len(others)), others[0].Severity
	for i, f := range others {
		if names[i] = f.Name; weight(f.Severity) < weight(gravest) {
			gravest = f.Severity
		}
	}
	r.Others = &OtherFlags{Names: strings.Join(names, p.T("list_comma"))}
	if r.Flag == nil {
		r.Others.Severity = gravest
	}
	switch {
	case r.Flag != nil:
		r.Others.Count = "+" + p.Num(len(others))
	case len(others) > 1:
		r.Others.Count = p.Num(len(others))
	}
}

// saidInRow reports whether the verdict of a claim, or one of its checks, says in its row what a flag says.
func saidInRow(e *ledger.Entry, f ledger.RiskType) bool {
	switch f {
	case ledger.Contradiction:
		return e.Verdict == ledger.Contradicted
	case ledger.MissingEvidence:
		return e.Verdict == ledger.NotFound
	case ledger.Miscitation:
		return e.Claim.Checks.CitationMask()&ledger.Elsewhere.Bit() != 0
	case ledger.InventedQuotation:
		return e.Claim.Checks.Invented()
	}
	return false
}

// rowBadge is the verdict of a claim as its row shows it: whose figure a confidence is, is said in one word, and in full
// as its title.
func rowBadge(c *ui.Chrome, e *ledger.Entry) ui.Badge {
	b := c.EntryBadge(e)
	if !b.Says {
		return b
	}
	key := "says_model_short"
	if e.JudgeSource == ledger.ByCaller {
		key = "says_caller_short"
	}
	b.Whose, b.Says = b.Percent, false
	b.Percent = c.T(key, "Value", c.Decimal(e.Confidence))
	return b
}

// RowCheck is the outcome of a check in the list of claims: what became of all citations of a claim, or of all its
// quotations. The worst one speaks for all.
type RowCheck struct {
	Key, Icon, Word string
	Quiet           bool   // it passed: nothing to look at
	Title           string // what was checked
}

// rowCitations returns the check of what the answer cites for a claim; nil if it cites nothing.
func rowCitations(c *ui.Chrome, claim *ledger.Claim) *RowCheck {
	mask := claim.Checks.CitationMask()
	for _, status := range []ledger.CitationStatus{
		ledger.DoesNotHold, ledger.Elsewhere, ledger.NotResolved, ledger.Holds,
	} {
		if mask&status.Bit() != 0 {
			key := citationKeys[status]
			if status == ledger.NotResolved {
				key = ledger.Unjudged // nothing was found out
			}
			return newRowCheck(c, key, "row_citation_"+string(status), "citation_check", status == ledger.Holds)
		}
	}
	return nil
}

// rowQuotations returns the check of what a claim quotes; nil if it quotes nothing.
func rowQuotations(c *ui.Chrome, claim *ledger.Claim) *RowCheck {
	mask := claim.Checks.QuotationMask()
	const title = "quotation_check"
	switch {
	case claim.Checks.Invented():
		return newRowCheck(c, ledger.Contradicted, "row_invented", title, false)
	case mask&ledger.QuoteFuzzy.Bit() != 0:
		return newRowCheck(c, ledger.Weak, "row_quotation_fuzzy", title, false)
	case claim.Checks.Unchecked:
		return newRowCheck(c, ledger.Unjudged, "row_quotation_unchecked", title, false)
	case mask != 0:
		return newRowCheck(c, ledger.Supported, "row_quotation_exact", title, true)
	}
	return nil
}

func newRowCheck(c *ui.Chrome, key ledger.Verdict, word, title string, quiet bool) *RowCheck {
	return &RowCheck{
		Key: ui.VerdictKey(key), Icon: ui.Icons[key], Word: c.T(word), Quiet: quiet, Title: c.T(title),
	}
}
