package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
)

// counterparts are the two sides of one thing: buyer and seller, locked and unlocked. As in opposites, side 2k stands
// against side 2k+1.
var counterparts = onFirstUse("counterparts.txt", readOpposites)

// otherSide looks for a word of the claim in whose place the sentence has its counterpart. It asks for the words as
// they are: "employee" is a form of "employer", and yet the other side. A sentence or a claim that has both sides
// speaks of both.
func (c *comparer) otherSide() {
	w := c.window
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.quantity >= 0 || t.token < 0 {
			continue
		}
		for k := w.from(); k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if !c.counter(t.token, k-w.from()) {
				continue
			}
			if rest, _ := w.rest(func(o *term) bool { return o.index == i }); rest >= kindMark {
				c.out.counterpart = ledger.Conflict{Kind: "entity", Claim: t.Text, Evidence: s.Text}
				return
			}
		}
	}
}

// counter reports whether token i of the claim and token k of the sentence are counterparts, and neither text has the
// other's. Where only one of them is negated both may say the same, which polarity compares.
func (c *comparer) counter(i, k int) bool {
	if c.claim.deniedApart(i) != c.source.deniedApart(k) {
		return false
	}
	mine, theirs := c.claim.tokens[i], c.source.tokens[k]
	if isPrefixed(mine.Norm, theirs.Norm) && !c.claim.phrase[i] && !c.source.phrase[k] { // "less" and "unless" are phrases
		return !c.source.has(mine.Stem) && !c.claim.has(theirs.Stem)
	}
	for _, side := range counterparts().of[mine.Stem] {
		if slices.Contains(counterparts().of[theirs.Stem], side^1) && !c.source.onSide(side) && !c.claim.onSide(side^1) {
			return true
		}
	}
	return false
}

// deniedApart reports whether what word i stands in is negated, apart from what the word itself denies: "forbidden".
func (m *meaning) deniedApart(i int) bool {
	return m.negative(m.segment[i]) != slices.Contains(denying, m.ops[i])
}

var denying = []operator{opNot, opExcept, opWithout, opInstead}

// onSide reports whether the text has a word of a side of counterparts.
func (m *meaning) onSide(side int) bool {
	for i := range m.tokens {
		if slices.Contains(counterparts().of[m.tokens[i].Stem], side) {
			return true
		}
	}
	return false
}

// has reports whether the text has a word of this stem.
func (m *meaning) has(stem string) bool {
	for i := range m.tokens {
		if m.tokens[i].Stem == stem {
			return true
		}
	}
	return false
}

// leastPrefixed is the fewest letters of a word that a prefix turns round: "it" is not the opposite of "unit".
const leastPrefixed = 4

// isPrefixed reports whether one of two English words is the other with a prefix that denies it: "insured" and
// "uninsured".
func isPrefixed(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if utf8.RuneCountInString(a) < leastPrefixed {
		return false
	}
	rest, found := strings.CutSuffix(b, a)
	return found && (rest == "un" || rest == "non" || rest == "non-")
}
