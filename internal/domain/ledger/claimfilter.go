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
	case ClaimFilter{Verdict: UnjudgedOnly}:
		return s.Unjudged, true
	case ClaimFilter{Verdict: f.Verdict}:
		return s.ByVerdict[f.Verdict], true
	case ClaimFilter{Importance: f.Importance}:
		return s.ByImportance[f.Importance], true
	case ClaimFilter{Aside: SetAside}:
		return s.NotClaims, true
	case ClaimFilter{Aside: Replaced}:
		return s.Replaced, true
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
