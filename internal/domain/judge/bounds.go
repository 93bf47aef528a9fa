package judge

import (
	"slices"
	"sort"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

var (
	lowerBounds = padded(`more than`, `over`, `at least`, `above`, `exceeds`, `exceed`, `exceeding`, `exceeded`,
		`greater than`, `higher than`, `older than`, `longer than`, `larger than`, `heavier than`,
		`no less than`, `not less than`, `no fewer than`, `not fewer than`, `minimum of`, `minimum`, `upwards of`,
		`اكثر من`, `لاكثر من`, `باكثر من`, `لا تقل عن`, `ما يزيد على`, `يزيد على`, `يزيد عن`, `تزيد على`, `تزيد عن`, `زاد على`, `تجاوزت`, `لا يقل عن`, `على الاقل`, `فوق`, `يتجاوز`, `تجاوز`)
	upperBounds = padded(`less than`, `fewer than`, `under`, `at most`, `below`, `up to`, `no more than`,
		`not more than`, `maximum of`, `lower than`, `within`, `اقل من`, `لاقل من`, `باقل من`, `يقل عن`, `تقل عن`, `قل عن`, `يقل مبلغ`, `لا تزيد على`, `لا تزيد عن`, `لا يتعدي`, `لا تتجاوز`, `دون`, `لا يزيد على`, `لا يزيد عن`, `لا يتجاوز`,
		`على الاكثر`, `حتي`, `خلال`)
)

// openBounds leave the bound itself out.
var openBounds = padded(`more than`, `over`, `above`, `greater than`, `higher than`, `older than`, `longer than`, `larger than`,
	`heavier than`, `less than`, `fewer than`, `under`,
	`below`, `lower than`, `اكثر من`, `لاكثر من`, `باكثر من`, `اقل من`, `لاقل من`, `باقل من`, `فوق`, `دون`, `يزيد على`, `يزيد عن`, `تزيد على`, `تزيد عن`, `زاد على`, `يقل عن`, `تقل عن`, `قل عن`,
	`يتجاوز`, `تجاوز`, `تجاوزت`)

// boundReach is how many words before a quantity are searched for what makes it a bound.
const boundReach = 3

// bound is that of one quantity among n tokens.
func bound(q text.Quantity, n int, token func(k int) *text.Token) (sign int, open bool) {
	at := sort.Search(n, func(k int) bool { return token(k).Start >= q.Start })
	var room [96]byte // of most words
	words := append(room[:0], ' ')
	for k := max(0, at-boundReach); k < at; k++ {
		words = append(append(words, token(k).Norm...), ' ')
	}
	up, low := endsWith(words, lowerBounds), endsWith(words, upperBounds)
	if longest := max(up, low); longest > 0 {
		sign, open = -1, longest == endsWith(words, openBounds)
		if up > low {
			sign = 1
		}
		if boundNegated(at, longest, token) {
			return -sign, !open
		}
		return sign, open
	}
	if sign, open := boundApart(at, token); sign != 0 {
		return sign, open
	}
	return boundBehind(q, at, n, token), false
}

// boundNegated reports whether a negator is before the bound of length bytes that ends at token at, with one word
// between at most: "not exceed", "not fall below".
func boundNegated(at, length int, token func(k int) *text.Token) bool {
	first := at
	for used := 1; used < length && first > 0; used += len(token(first).Norm) + 1 {
		first--
	}
	if turnsBound[token(first).Norm] {
		return false // the negator is part of it: "no more than"
	}
	for k := first - 1; k >= 0 && k >= first-2; k-- {
		if turnsBound[token(k).Norm] {
			return true
		}
	}
	return false
}

var turnsBound = wordSet(`not no never cannot لا لم لن الا والا ولا`)

// apartReach is how many words may be between an Arabic verb and the number that it bounds: "يزيد مبلغ التمويل على
// 5,000".
const apartReach = 6

// boundApart is the bound of an Arabic verb whose subject stands between it and the number at token at.
func boundApart(at int, token func(k int) *text.Token) (sign int, open bool) {
	if at == 0 || token(at-1).Norm != arabicOn && token(at-1).Norm != arabicFrom {
		return 0, false
	}
	for k := at - 2; k >= 0 && k >= at-apartReach; k-- {
		switch norm := token(k).Norm; {
		case exceeding[norm]:
			sign = 1
		case undercutting[norm]:
			sign = -1
		default:
			continue
		}
		if k > 0 && turnsBound[token(k-1).Norm] {
			return -sign, false
		}
		return sign, true
	}
	return 0, false
}

var (
	arabicOn, arabicFrom = text.Fold("على"), text.Fold("عن")
	exceeding            = wordSet(`يزيد تزيد زاد زادت يتجاوز تتجاوز`)
	undercutting         = wordSet(`يقل تقل قل قلت`)
)

// limitNamed returns 1 if a quantity is called a minimum shortly before it, -1 for a maximum, 0 for neither.
func limitNamed(q text.Quantity, n int, token func(k int) *text.Token) int {
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

// behindReach is how many words after a number its bound may end: "five quotations for each order at most".
const behindReach = 6

// boundBehind is the bound that follows a quantity, whose first token is at.
func boundBehind(q text.Quantity, at, n int, token func(k int) *text.Token) int {
	var room [128]byte
	words := append(room[:0], ' ')
	for k := at; k < n && k < at+behindReach; k++ {
		t := token(k)
		if t.Start >= q.End && t.Kind == text.Number {
			break
		}
		words = append(append(words, t.Norm...), ' ')
		switch {
		case endsWith(words, leastBehind) > 0:
			return 1
		case endsWith(words, mostBehind) > 0:
			return -1
		}
	}
	return 0
}

var (
	leastBehind = padded(`at least`, `at a minimum`, `as a minimum`, `or more`, `على الاقل`, `بحد ادنى`, `كحد ادنى`)
	mostBehind  = padded(`at most`, `at the most`, `as a maximum`, `or less`, `or fewer`, `على الاكثر`, `بحد اقصى`,
		`كحد اقصى`, `لا غير`)
)

// otherBound reports whether the sentence says "less than" of a number of which the claim says "more than", or the
// other way round.
func (w *window) otherBound() bool {
	for _, claim := range w.query.quantities {
		if claim.side() == 0 {
			continue
		}
		same, other := false, false
		for _, e := range w.chunk.sentences[w.first].quantities {
			if sameQuantity(claim, e) == 0 {
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

// padded folds each phrase and puts a space at both its ends, for endsWith.
func padded(phrases ...string) []string {
	out := text.FoldAll(phrases...)
	for i, p := range out {
		out[i] = " " + p + " "
	}
	return out
}

// endsWith returns the length of the longest padded phrase that words, with a space at both ends, end with.
func endsWith(words []byte, phrases []string) (longest int) {
	for _, p := range phrases {
		if from := len(words) - len(p); from >= 0 && string(words[from:]) == p {
			longest = max(longest, len(p))
		}
	}
	return longest
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
