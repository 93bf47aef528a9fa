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

// TierWord returns the word for a verdict with its tier.
func (r *Reader) TierWord(v ledger.Verdict, t ledger.Tier) string {
	if t == "" {
		return r.Verdict(v)
	}
	return r.T("tier_word", "Verdict", r.Verdict(v), "Tier", r.T("tier_"+string(t)))
}

// SecondReview returns the words for a rule of second review.
func (r *Reader) SecondReview(m ledger.SecondReview) string {
	if m == ledger.OneReviewer {
		return r.T("mode_none")
	}
	return r.T("mode_" + string(m))
}
