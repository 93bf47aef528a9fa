package judge

import (
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// comparatives looks for a comparison of the claim ("fewer than in 2023") where the sentence makes none.
func (c *comparer) comparatives() {
	a, b := c.claim, c.source
	if a.sidesOf(byRank) == nil || b.sidesOf(byRank) != nil || slices.Contains(b.ops, opBound) {
		return
	}
	for i := range a.tokens {
		if !ranks(&a.tokens[i]) || c.bounds(i) {
			continue
		}
		c.out.compared = true
		for k := range b.tokens {
			if b.tokens[k].Stem == a.tokens[i].Stem {
				c.out.compared = false
				return
			}
		}
	}
}

// ranks reports whether a word puts what it is said of above or below another.
func ranks(t *text.Token) bool {
	return down[t.Norm] || up[t.Norm] || t.Norm == "more" || t.Norm == "greater"
}

// boundWords is the most words between a comparative and the number that it bounds: "more than 40".
const boundWords = 2

// bounds reports whether the comparative at token i of the claim only bounds a number.
func (c *comparer) bounds(i int) bool {
	for _, q := range c.window.query.quantities {
		for k := i + 1; k <= i+boundWords && k < len(c.claim.tokens); k++ {
			if c.claim.tokens[k].Start == q.Start {
				return true
			}
		}
	}
	return false
}

// cancels looks for a negation of the one side that does to a bound what the other side says without it. Such sentences
// nearly say the same, so that the negation is no difference, but a rule still keeps them from full support.
func (c *comparer) cancels() {
	if c.out.polarity < polarityMark {
		return
	}
	for _, q := range c.window.query.quantities {
		for _, e := range c.window.chunk.sentences[c.window.first].quantities {
			if q.bound != 0 && q.bound == -e.bound && q.open != e.open && sameQuantity(q, e) > 0 {
				c.out.cancelled, c.out.polarity, c.out.conflict = true, 0, ledger.Conflict{}
				return
			}
		}
	}
}
