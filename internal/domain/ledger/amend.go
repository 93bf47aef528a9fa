package ledger

import "slices"

// Amend returns the overview after a review changed one claim's entry from was to now. It returns false if more than
// counts of reviews may have changed; the caller must then use Assess. It does not change o.
//
// A review that leaves verdict, override and importance unchanged leaves every flag unchanged: flags depend on these,
// on the evidence and on the confidence of entries that are not overridden.
func (o *Overview) Amend(was, now *Entry) (Overview, bool) {
	if was.FirstWords[0] != "" && was.FirstWords != now.FirstWords { // a seat's holder decided after two others
		return Overview{}, false
	}
	if was.Verdict != now.Verdict || was.Override != now.Override || was.Importance != now.Importance ||
		was.Uncited != now.Uncited {
		return Overview{}, false
	}
	out := *o
	s := &out.Summary
	s.Pairs = slices.Clone(s.Pairs)
	out.Sealed = o.Sealed.plus(now.sealed, 1).plus(was.sealed, -1)
	s.Begun = s.Begun || now.begun()
	s.Reviewed += one(now.State != Unreviewed) - one(was.State != Unreviewed)
	s.Settled += one(now.Settled) - one(was.Settled)
	s.Differing += one(now.Differs) - one(was.Differs)
	s.Stale += one(now.Stale) - one(was.Stale)
	if was.FirstWords != now.FirstWords {
		s.pairUp(now)
	}
	return out, true
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
