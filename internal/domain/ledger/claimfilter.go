package ledger

// Any reports whether the filter narrows anything.
func (f ClaimFilter) Any() bool { return f != ClaimFilter{} }

// Counted returns the number of claims that pass the filter, if the overview has that number: it counts all claims, and
// those of some single conditions.
func (f ClaimFilter) Counted(o *Overview) (n int, ok bool) {
	s := &o.Summary
	switch f {
	case ClaimFilter{}:
		return s.Total, true
	case ClaimFilter{Verdict: f.Verdict}:
		return s.ByVerdict[f.Verdict], true
	case ClaimFilter{Unjudged: true}:
		return s.Unjudged, true
	case ClaimFilter{Importance: f.Importance}:
		return s.ByImportance[f.Importance], true
	case ClaimFilter{Unreviewed: true}:
		return s.Total - s.Reviewed, true
	case ClaimFilter{Uncited: true}:
		return s.Uncited, true
	case ClaimFilter{Stale: true}:
		return s.Stale, true
	case ClaimFilter{Unsettled: true}:
		return s.Total - s.Settled, true
	case ClaimFilter{Differs: true}:
		return s.Differing, true
	case ClaimFilter{Flag: f.Flag}:
		for _, x := range o.Flags {
			if x.Type == f.Flag {
				return x.Count, true
			}
		}
		return 0, true
	}
	return 0, false
}

// Selection is the claims that a bulk step is asked for: those that pass the filter and, where Claims is not nil, are
// among its positions.
type Selection struct {
	Filter ClaimFilter
	Claims []int
}

// ClaimFilter selects claims of a ledger: those that meet all its conditions.
type ClaimFilter struct {
	Verdict    Verdict
	Unjudged   bool
	Type       ClaimType
	Importance Importance
	Flag       RiskType
	Flagged    bool // with any flag
	Unreviewed bool
	Uncited    bool
	Stale      bool // whose deciding review was made of a judgement that has changed since
	Unsettled  bool // no person has given a verdict that counts, or two differ
	Differs    bool // two reviewers give different verdicts, and nobody has settled it
	State      ReviewState
	Citation   CitationStatus  // one of its citations has this status
	Quotation  QuotationStatus // likewise of its quotations
	Text       string          // words that must all occur in the claim, in any form
}
