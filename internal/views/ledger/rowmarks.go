package ledger

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

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
