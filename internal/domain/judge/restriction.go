package judge

import (
	"slices"
)

// restrictions compares exceptions, conditions and "only".
func (c *comparer) restrictions() {
	a, b := c.claim, c.source
	reached := func(kind operator) bool { // whether the claim speaks of such a segment of the sentence
		return slices.ContainsFunc(c.shared, func(s shared) bool {
			return !slices.ContainsFunc(s.tokens, func(k int) bool { return b.segments[b.segment[k]].kind != kind })
		})
	}
	if b.any(opExcept) && !a.any(opExcept) && !a.any(opOnly) && !reached(opExcept) {
		c.out.excepted = true
		c.name("negation", "", b.written(opExcept))
	}
	if b.limited > 0 && !c.beyond(b.limited) { // "only with approval" is not allowed
		c.out.excepted, c.out.limited = true, true
		c.name("negation", "", b.tokens[b.limited].Text)
	}
	if a.any(opExcept) && !b.any(opExcept) && !b.any(opOnly) {
		c.out.excepted = true
		c.name("negation", a.written(opExcept), "")
	}
	conditions := func(m *meaning) bool { return m.any(opIf) || m.any(opUnless) }
	c.out.condition = conditions(b) && !conditions(a) && !a.any(opEvenIf)
	if a.any(opEvenIf) && !b.any(opEvenIf) && conditions(b) || b.any(opEvenIf) && conditions(a) && !a.any(opEvenIf) {
		c.out.evenIf = true
		c.name("negation", a.written(opEvenIf), b.written(opEvenIf))
	}
	if a.any(opOnly) && !b.any(opOnly) {
		c.out.onlyLost = true
		c.name("negation", a.written(opOnly), "")
	}
	if c.otherOnly() {
		c.out.onlyLost = true
		c.name("negation", a.written(opOnly), b.written(opOnly))
	}
	if b.any(opOnly) && !a.any(opOnly) && (a.any(opToo) || a.any(opExcept) || a.any(opAll) && !b.any(opAll)) {
		c.out.onlyLost = true
		c.name("negation", a.written(opToo), b.written(opOnly))
	}
}

// onlyReach is the most content words that an "only" is about.
const onlyReach = 3

// onlyAbout lists the content words that the first "only" is about: those after it, or before it where it ends its
// sentence or part.
func (m *meaning) onlyAbout() (out []int) {
	at := slices.Index(m.ops, opOnly)
	if at < 0 {
		return nil
	}
	for step := 1; step >= -1 && len(out) == 0; step -= 2 {
		for i := at + step; i >= 0 && i < len(m.tokens) && m.segment[i] == m.segment[at] && len(out) < onlyReach; i += step {
			if !m.tokens[i].Stop && !m.phrase[i] {
				out = append(out, i)
			}
		}
	}
	return out
}

// otherOnly reports whether claim and sentence say "only" of different words that both have.
func (c *comparer) otherOnly() bool {
	a, b := c.claim.onlyAbout(), c.source.onlyAbout()
	if len(a) == 0 || len(b) == 0 || c.window.query.arabic {
		return false
	}
	known, same := false, false
	for i := range c.shared {
		s := &c.shared[i]
		if !slices.Contains(a, s.claim) {
			continue
		}
		known = true
		same = same || slices.ContainsFunc(s.tokens, func(k int) bool { return slices.Contains(b, k) })
	}
	return known && !same
}

// beyond reports whether the claim shares a word that follows token at in the sentence.
func (c *comparer) beyond(at int) bool {
	return slices.ContainsFunc(c.shared, func(s shared) bool {
		return slices.ContainsFunc(s.tokens, func(k int) bool { return k > at })
	})
}
