package judge

import (
	"slices"
	"sort"
	"strings"

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

// comparatives looks for a comparison of the claim ("fewer than in 2023") where the sentence has no comparison.
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
	if c.out.polarity < polarityMark && !c.forbidsAllowed() {
		return
	}
	source := c.window.chunk.sentences[c.window.first].quantities
	for i := range c.window.query.quantities {
		for k := range source {
			if c.sameLimit(&c.window.query.quantities[i], &source[k]) {
				c.out.cancelled, c.out.polarity, c.out.conflict = true, 0, ledger.Conflict{}
				return
			}
		}
	}
}

// sameLimit reports whether claim and sentence set the same limit, the one as what is allowed and the other as what is
// not: "at most 200 litres may be stored", "storage of more than 200 litres is prohibited". A negation may be a part of
// the limit as it was read: "may not store more than 200 litres" is at most 200.
func (c *comparer) sameLimit(q, e *amount) bool {
	if q.bound == 0 || e.Doubtful || sameQuantity(*q, *e) == 0 {
		return false
	}
	within := c.claim.negatedIn(&q.Quantity) != c.source.negatedIn(&e.Quantity)
	if q.bound == -e.bound {
		return q.open != e.open && !within
	}
	return q.bound == e.bound && q.open == e.open && within
}

// forbidsAllowed reports whether the words that differ are one that allows and one that forbids.
func (c *comparer) forbidsAllowed() bool {
	a, b := c.claim.operatorOf(c.out.conflict.Claim), c.source.operatorOf(c.out.conflict.Evidence)
	return c.out.antonym && (a == opAllow && b == opNot || a == opNot && b == opAllow)
}

// operatorOf is the operator of a word as the text has it.
func (m *meaning) operatorOf(word string) operator {
	for i := range m.tokens {
		if m.tokens[i].Text == word {
			return m.ops[i]
		}
	}
	return opNone
}

// negatedIn reports whether a word that is read as a part of a figure's bound negates its sentence.
func (m *meaning) negatedIn(q *quantity.Quantity) bool {
	for i := range m.tokens {
		if m.ops[i] == opNot && q.Belongs(m.tokens[i].Span) {
			return true
		}
	}
	return false
}

// onlyTurned reports whether nothing speaks against the passage but that it forbids beyond a limit what the claim
// allows up to it, or the other way round. Each other figure of the claim is there.
func (r *reading) onlyTurned() bool {
	if !r.compared.cancelled || r.best.figuresStand().relation < quantity.Fits {
		return false
	}
	return !slices.ContainsFunc(r.vetoes(), func(rule string) bool { return !besideTurned[rule] })
}

// keepsDeadline reports whether nothing speaks against the passage but that a time of the claim lies within the least
// that the source asks for: "two days before" where something is free "until 24 hours before". Who says what must be
// done has to say the source's time.
func (r *reading) keepsDeadline() bool {
	q := r.best.query
	if q.meaning.any(opMust) {
		return false
	}
	source, kept := r.best.figures(), false
	for _, f := range figures(q.claimItems()) {
		if best, _ := bestOf(&f, source); best.Supports() {
			continue
		}
		if !slices.ContainsFunc(source, func(s quantity.Quantity) bool { return inDeadline(f, s) }) {
			return false
		}
		kept = true
	}
	if !kept {
		return false
	}
	free := isFree(q.meaning.tokens) && isFree(r.core().tokens())
	return !slices.ContainsFunc(r.vetoes(), func(rule string) bool {
		return !besideTurned[rule] && rule != "figure" && !(free && denials[rule])
	})
}

// inDeadline reports whether a time of a claim keeps a deadline of a source.
func inDeadline(claim, source quantity.Quantity) bool {
	return source.Deadline && claim.Bound == quantity.NoBound && quantity.Compare(claim, source) == quantity.Open
}

// denials are the rules that a word like the "nothing" of "costs nothing" sets off.
var denials = wordSet(`polarity denies negation exception only`)

// freeOfCharge are phrases that say that nothing is to be paid.
var freeOfCharge = text.FoldAll(`free`, `costs nothing`, `cost nothing`, `no charge`, `no fee`, `without charge`,
	`without a fee`, `at no cost`, `مجانا`, `مجاني`, `مجانية`, `بلا رسوم`, `بدون رسوم`, `دون رسوم`, `بلا مقابل`, `دون مقابل`)

// isFree reports whether a text says that nothing is to be paid.
func isFree(tokens []text.Token) bool {
	var b strings.Builder
	for i := range tokens {
		b.WriteString(" " + tokens[i].Norm)
	}
	said := b.String() + " "
	return slices.ContainsFunc(freeOfCharge, func(p string) bool { return strings.Contains(said, " "+p+" ") })
}

// besideTurned are the rules that a limit which is said the other way round sets off, and those that only keep a passage
// from full support.
var besideTurned = wordSet(`cancelled bound negation modality number point thin`)
