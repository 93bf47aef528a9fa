package judge

import (
	"slices"

	"sanad/internal/domain/text"
)

// points compares percent with percentage points.
func (c *comparer) points() {
	follows := func(m *meaning, i int) bool {
		for k := i + 1; k <= i+2 && k < len(m.tokens); k++ {
			if m.ops[k] == opPoints {
				return true
			}
		}
		return false
	}
	for i := range c.shared {
		s := &c.shared[i]
		if s.term.quantity < 0 {
			continue
		}
		a, same := follows(c.claim, s.claim), false
		for _, k := range s.tokens {
			same = same || follows(c.source, k) == a && !c.otherUnit(s.claim, k)
		}
		c.out.unit = c.out.unit || !same
	}
}

// unitReach is how many words after a number are searched for its unit.
const unitReach = 3

// otherUnit reports whether two equal numbers are followed by different words of one kind: working and calendar days,
// dinars of two countries.
func (c *comparer) otherUnit(claim, source int) bool {
	for i := claim + 1; i <= claim+unitReach && i < len(c.claim.tokens); i++ {
		a := &c.claim.tokens[i]
		if len(kinds().of[a.Stem]) == 0 || c.inDate(a) {
			continue
		}
		differs := false
		for k := source + 1; k <= source+unitReach && k < len(c.source.tokens); k++ {
			b := &c.source.tokens[k]
			if a.Stem == b.Stem {
				return false
			}
			differs = differs || overlap(kinds().of[a.Stem], kinds().of[b.Stem])
		}
		if differs {
			return true
		}
	}
	return false
}

// inDate reports whether a word of the claim is part of a date, whose month may have another name.
func (c *comparer) inDate(t *text.Token) bool {
	return slices.ContainsFunc(c.window.query.dates, func(d text.Date) bool { return t.Start >= d.Start && t.End <= d.End })
}
