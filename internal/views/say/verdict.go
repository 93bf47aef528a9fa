package say

import "sanad/internal/domain/ledger"

// VerdictKey is the name of a verdict in message ids and style sheets.
func VerdictKey(v ledger.Verdict) string {
	if v == ledger.Unjudged {
		return "unjudged"
	}
	return string(v)
}

// Verdict returns the word for a verdict.
func (r *Reader) Verdict(v ledger.Verdict) string { return r.T("verdict_" + VerdictKey(v)) }

// SecondReview returns the words for a rule of second review.
func (r *Reader) SecondReview(m ledger.SecondReview) string {
	if m == ledger.OneReviewer {
		return r.T("mode_none")
	}
	return r.T("mode_" + string(m))
}
