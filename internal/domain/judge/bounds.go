package judge

import (
	"slices"
	"sort"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// boundReach is how many words before a quantity are searched for what makes it a bound.
const boundReach = 3

// apartReach is how many words before a number may call it a least or greatest value.
const apartReach = 6

// limitNamed returns 1 if a quantity is called a minimum shortly before it, -1 for a maximum, 0 for neither.
func limitNamed(q *quantity.Quantity, n int, token func(k int) *text.Token) int {
	at := sort.Search(n, func(k int) bool { return token(k).Start >= q.Start })
	for k := at - 1; k >= 0 && k >= at-apartReach; k-- {
		switch norm := token(k).Norm; {
		case token(k).Kind == text.Number:
			return 0
		case minima[norm]:
			return 1
		case maxima[norm]:
			return -1
		}
	}
	return 0
}

var (
	minima = wordSet(`minimum الادنى ادنى`)
	maxima = wordSet(`maximum الاقصى اقصى القصوى`)
)

// side is what a quantity bounds, whichever way it is said.
func (a *amount) side() int {
	if a.bound != 0 {
		return a.bound
	}
	return a.named
}

// otherBound reports whether the sentence says "less than" of a number of which the claim says "more than", or the
// other way round.
func (w *window) otherBound() bool {
	if len(w.query.quantities) == 0 && w.otherLimit() {
		return true
	}
	for _, claim := range w.query.quantities {
		if claim.side() == 0 {
			continue
		}
		same, other := false, false
		for _, e := range w.chunk.sentences[w.first].quantities {
			if e.Doubtful || sameQuantity(claim, e) == 0 {
				continue
			}
			if e.side() == -claim.side() || e.side() == 0 && claim.open {
				other = true
			} else {
				same = true
			}
		}
		if other && !same {
			return true
		}
	}
	return false
}

// otherLimit reports whether claim and sentence limit what they count in words, as in an Arabic dual, to the other
// side.
func (w *window) otherLimit() bool {
	says := func(tokens []text.Token, word string) bool {
		return slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Norm == word })
	}
	claim, source := w.query.meaning.tokens, w.tokens()
	for _, sides := range [][2]string{{"least", "most"}, {"الاقل", "الاكثر"}, {"ادني", "اقصي"}} {
		for _, s := range [][2]string{sides, {sides[1], sides[0]}} {
			if says(claim, s[0]) && says(source, s[1]) && !says(claim, s[1]) && !says(source, s[0]) {
				return true
			}
		}
	}
	return false
}

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
