package ledger

import "slices"

// Aside lists the states of claims that no longer count, in the order in which pages show them.
var Aside = []ReviewState{SetAside, Replaced}

// Aside reports whether a claim of this state no longer counts: a person said that it is no claim, or others came in its
// place. It is kept with its reviews, but no figure counts it, no filter but its own shows it, and nobody is asked to
// review it (rule L-42).
func (s ReviewState) Aside() bool { return slices.Contains(Aside, s) }

// Findings returns the ledger with the claims that count as its entries, and all others as Aside. Exports, packs and
// answers of the API are made of it.
func (l *Ledger) Findings() Ledger {
	out := *l
	out.Entries, out.Aside = make([]Entry, 0, len(l.Entries)), slices.Clone(l.Aside)
	for i := range l.Entries {
		if l.Entries[i].State.Aside() {
			out.Aside = append(out.Aside, l.Entries[i])
		} else {
			out.Entries = append(out.Entries, l.Entries[i])
		}
	}
	return out
}

// EachFinding calls do for each entry of the ledger of Findings, in claim order. See Each.
func (l *Ledger) EachFinding(do func(e *Entry) error) error {
	return l.Each(func(_ int, e *Entry) error {
		if l.raised != nil && e.State.Aside() {
			return nil
		}
		return do(e)
	})
}

// EachAside calls do for each entry that no longer counts, of the ledger of Findings. See Each.
func (l *Ledger) EachAside(do func(e *Entry) error) error {
	for i := range l.Aside {
		if err := do(&l.Aside[i]); err != nil {
			return err
		}
	}
	if l.raised == nil || l.Summary.Aside() == 0 {
		return nil
	}
	return l.Each(func(_ int, e *Entry) error {
		if !e.State.Aside() {
			return nil
		}
		return do(e)
	})
}

// AsideBy returns the review that set a claim aside, nil if none did or a later one made it count again.
func (c *Claim) AsideBy() *Review {
	for i := len(c.Reviews) - 1; i >= 0; i-- {
		if r := &c.Reviews[i]; r.decides() && !c.Undone(i) {
			if r.Action == NotAClaim || r.Action == Replace {
				return r
			}
			return nil
		}
	}
	return nil
}

// ReplacedBy returns the review by which others came in the claim's place, nil if none did.
func (c *Claim) ReplacedBy() *Review {
	if r := c.AsideBy(); r != nil && r.Action == Replace {
		return r
	}
	return nil
}

// All returns how many claims the session has, also those that no longer count. Positions go up to it.
func (s *Summary) All() int { return s.Total + s.Aside() }

// Aside returns how many claims no longer count.
func (s *Summary) Aside() int { return s.NotClaims + s.Replaced }
