package judge

import (
	"math"
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

var (
	negators = wordSet(`not no never neither nor none cannot without nothing nobody don't doesn't didn't isn't aren't
	wasn't weren't won't can't couldn't wouldn't shouldn't hasn't haven't hadn't mustn't لا ليس ليست ليسوا لم لن غير بدون
	دون عدم ولا ولم ولن وليس`)
	prohibitors = wordSet(`prohibited prohibits prohibit forbidden forbids banned barred refused refuse denied deny failed
	fail fails refuses denies unable avoid avoids avoided lack lacks lacked lacking hardly barely neglected false falsely
	incorrect untrue despite instead rather against unlike non yet rejected rejects declined declines cancelled canceled
	insufficient impossible يحظر يمنع محظور ممنوع تحظر تمنع بغير بلا دونما بدونها فشل تفشل يفشل الغاء يلغي تلغي الغت وقف
	لوقف رفض ترفض يرفض رفضت يرفضون تراجع تتراجع يتراجع عدمه بعدم لعدم ليسا لسنا نفي ينفي تنفي نفت`)
	// limits are words with which a negator states a limit and turns nothing round: "no more than", "not only",
	// "لا يقل عن"
	limits = wordSet(`only more less later earlier fewer longer limited least exceed exceeding يقل تقل يزيد تزيد يتجاوز
	تتجاوز يتعدى تتعدى`)
	// comparatives are of what more of than a number is a limit: "not be older than"
	comparatives = wordSet(`less more fewer older younger longer shorter higher lower greater larger smaller heavier
	lighter`)
	// limitVerbs stand between a negator and the words of a limit: "not fall below"
	limitVerbs = wordSet(`be fall falls drop drops go goes sink rise`)
)

func isNegation(norm string) bool { return negators[norm] || prohibitors[norm] }

// negations counts the negations of a sentence; a limit is none.
func negations(tokens []text.Token) int {
	n := 0
	for i, t := range tokens {
		if isNegation(t.Norm) && !limited(tokens, i) {
			n++
		}
	}
	return n
}

// numbers reports whether the word at token i is the sign of a number: "Room No. 5", "Law No 33 of 2021".
func numbers(tokens []text.Token, i int) bool {
	return i+1 < len(tokens) && tokens[i].Norm == "no" && tokens[i+1].Kind == text.Number
}

// numbersThing reports whether a number, or a sign that one follows, stands at token i: "in case No. 12" is no
// condition.
func numbersThing(tokens []text.Token, i int) bool {
	return tokens[i].Kind == text.Number || numbers(tokens, i)
}

// limited reports whether the negator at token i only states a limit: "no more than", "not fall below".
func limited(tokens []text.Token, i int) bool {
	if i+1 < len(tokens) && limits[tokens[i+1].Norm] || numbers(tokens, i) {
		return true
	}
	if i+3 >= len(tokens) || !limitVerbs[tokens[i+1].Norm] {
		return false
	}
	switch tokens[i+2].Norm {
	case "below", "above", "under", "over":
		return tokens[i+3].Kind == text.Number
	}
	return comparatives[tokens[i+2].Norm] && tokens[i+3].Norm == "than"
}

// negations counts those of a window.
func (w *window) negations() int {
	n := 0
	for _, t := range w.chunk.tokens[w.from():w.to()] {
		if t.sense&negates != 0 {
			n++
		}
	}
	return n
}

// negates finds the negation of a sentence that stands by a word the claim has too; -1 for none.
func (w *window) negates() int {
	tokens := w.chunk.tokens[w.from():w.to()]
	for i, t := range tokens {
		if t.sense&negates == 0 {
			continue
		}
		for _, next := range tokens[i+1 : min(len(tokens), i+5)] {
			if !next.Stop && next.sense&lightWord == 0 && len(w.query.hits(next.word)) > 0 {
				return w.from() + i
			}
		}
	}
	return -1
}

// opposite finds a word of the sentence that is the opposite of a claim's word which the sentence lacks.
func (w *window) opposite() (claim text.Token, evidence text.Token, ok bool) {
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 || len(t.against) == 0 || w.query.meaning.phrase[t.token] {
			continue
		}
		for _, s := range w.chunk.tokens[w.from():w.to()] {
			if overlap(t.against, w.query.index.sides[s.word]) && len(w.query.hits(s.word)) == 0 {
				return t.Token, s.Token, true
			}
		}
	}
	return claim, evidence, false
}

// negation is the claim's first negating word.
func (q *query) negation() string {
	for _, t := range text.Tokens(q.text) {
		if isNegation(t.Norm) {
			return t.Text
		}
	}
	return ""
}

// negationFeatures describes which sides have negations, and whether a word meets its opposite.
func negationFeatures(v *vector, r *reading, core *window) {
	if r.best.query.negated {
		v[negationClaim] = 1
	}
	if core.negations() > 0 {
		v[negationCore] = 1
	}
	if !r.sameSense() {
		v[negationDiffers] = 1
	}
	if _, _, ok := core.opposite(); ok {
		v[oppositeWord] = 1
	}
}

// turn moves the signs of a conflict where the claim is negated and the source is not: there much coverage speaks
// against the claim, and another word in the place of the claim's for it.
func (v *vector) turn(r *reading) {
	if !r.best.query.negated || r.best.negations() > 0 {
		return
	}
	v[turnedCover] = v[covWindow]
	v[turnedRest] = math.Max(v[kindRest], math.Max(float64(0.5*v[swapRest]), v[oppositeWord]))
	for _, f := range []feature{kindRest, kindWord, kindNumber, kindName, swapRest, gapSwapped, pureSwap, oppositeWord,
		nameOther, numberOther, slotFilled, slotBeside, negationDiffers} {
		v[f] = 0
	}
}

// deniesWord reports whether a sentence of the window negates a word of the claim that no other one says. "The tenant
// asked for a lift. The owner did not agree." does so for the claim "The owner agreed to a lift", though the sentence
// that has most of the claim negates nothing. A claim that itself turns or limits something is left to comparison.
func (r *reading) deniesWord() bool {
	q := r.best.query
	if q.negated || q.meaning.limits() || r.best.chunk.row != nil {
		return false
	}
	said, denied := map[int]int{}, map[int]int{} // how often the window has a term, and how often negated
	for i := r.best.first; i <= r.best.last; i++ {
		w := &r.sentences[i]
		m := w.meaning()
		for k := range m.tokens {
			for _, h := range q.hits(w.chunk.tokens[w.from()+k].word) {
				if t := &q.terms[h.term]; t.weight <= genericWeight || t.name || t.quantity >= 0 {
					continue
				}
				said[h.term]++
				if m.negatedAt(k) {
					denied[h.term]++
				}
			}
		}
	}
	for t, n := range denied {
		if n > 0 && n == said[t] {
			return true
		}
	}
	return false
}

// limits reports whether anything is negated, excepted or limited.
func (m *meaning) limits() bool {
	return slices.ContainsFunc([]operator{opNot, opEnded, opExcept, opWithout, opInstead, opUnless, opOnly}, m.any)
}

// negatedAt reports whether a negator is about word k itself: nothing that carries meaning stands between them. What is
// "no longer" so is all that follows in its clause.
func (m *meaning) negatedAt(k int) bool {
	at := m.segment[k]
	if s := &m.segments[at]; !m.negative(at) || !s.clausal() && s.kind != opInstead {
		return false
	}
	direct := true
	for j := k - 1; j >= 0; j-- {
		switch op := m.ops[j]; {
		case op == opEnded && m.segment[j] == at, direct && (op == opNot || op == opInstead):
			return true
		}
		direct = direct && (m.tokens[j].Stop || m.phrase[j] || light[m.tokens[j].Norm])
	}
	return false
}

// polarity compares what is negated.
func (c *comparer) polarity() {
	best := c.aligned()
	all, differs := 0.0, 0.0
	flips := c.antonyms(best)
	var from, to *segment
	for i := range c.shared {
		s := &c.shared[i]
		k := c.place(s, best)
		a, b := c.claim.segment[s.claim], c.source.segment[k]
		if c.subject(i, b, best) {
			continue
		}
		all += s.term.weight
		says := c.negative(c.source, b) != flips[a]
		if x := c.exceptFor(a); x >= 0 {
			says = c.negative(c.source, x)
		}
		if c.negative(c.claim, a) != says && !c.needless(a, b) {
			differs += s.term.weight
			from, to = &c.claim.segments[a], &c.source.segments[b]
		}
	}
	c.out.polarity = differs / max(all, 1e-9)
	if from != nil {
		c.name("negation", c.negatorOf(c.claim, from), c.negatorOf(c.source, to))
	}
}

// negative reports whether a segment of the claim or the sentence is negated. The "non" of a word that both have is part
// of its name and negates nothing: "non-performing loans".
func (c *comparer) negative(m *meaning, at int) bool {
	out := m.negative(at)
	for i := range m.tokens {
		if m.segment[i] == at && c.claim.prefixed(m.prefixAt(i)) && c.source.prefixed(m.prefixAt(i)) {
			out = !out
		}
	}
	return out
}

// prefixAt returns the stem of the word that "non" at token i stands before; "" if token i is no such prefix.
func (m *meaning) prefixAt(i int) string {
	if i+1 >= len(m.tokens) || m.tokens[i].Norm != "non" || !m.phrase[i] {
		return ""
	}
	return m.tokens[i+1].Stem
}

// prefixed reports whether a sentence has a word with "non" before it.
func (m *meaning) prefixed(stem string) bool {
	for i := range m.tokens {
		if stem != "" && m.prefixAt(i) == stem {
			return true
		}
	}
	return false
}

// subject reports whether shared word i is the first of its segment in the claim and is in another clause of the
// sentence than the next one: a subject that two clauses share.
func (c *comparer) subject(i, source int, best []int) bool {
	at := c.claim.segment[c.shared[i].claim]
	if i > 0 && c.claim.segment[c.shared[i-1].claim] == at || !c.source.segments[source].clausal() ||
		i+1 == len(c.shared) || c.claim.segment[c.shared[i+1].claim] != at {
		return false
	}
	return c.source.segment[c.place(&c.shared[i+1], best)] != source
}

// negatorOf is the word that negates a segment, "" if none does.
func (c *comparer) negatorOf(m *meaning, s *segment) string {
	if s.negator >= 0 {
		return m.tokens[s.negator].Text
	}
	for _, op := range [...]operator{opExcept, opWithout, opInstead, opUnless} {
		if s.kind == op {
			return m.written(op)
		}
	}
	return ""
}

// needless reports whether the claim says that something is not needed where the sentence says "without" it, or the
// other way round.
func (c *comparer) needless(claim, source int) bool {
	a, b := &c.claim.segments[claim], &c.source.segments[source]
	return a.has[opNot] && a.has[opMust] && c.source.any(opWithout) || b.has[opNot] && b.has[opMust] &&
		c.claim.any(opWithout)
}

// exceptFor returns the sentence's exception that a segment of the claim speaks of without being one, -1 for none.
func (c *comparer) exceptFor(claim int) int {
	if k := c.claim.segments[claim].kind; k == opExcept || k == opInstead || c.claim.any(opExcept) {
		return -1
	}
	for i := range c.shared {
		s := &c.shared[i]
		if c.claim.segment[s.claim] != claim || len(s.tokens) != 1 {
			continue
		}
		if at := c.source.segment[s.tokens[0]]; c.source.segments[at].kind == opExcept {
			return at
		}
	}
	return -1
}

// antonyms reports for each segment of the claim whether the sentence has the opposite of one of its words.
func (c *comparer) antonyms(best []int) []bool {
	out := make([]bool, len(best))
	w, ranked := c.window, c.claim.sidesOf(byRank) != nil && c.source.sidesOf(byRank) != nil
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if w.found[i] > 0 || len(t.against) == 0 || t.token < 0 || !c.claim.opposable(t.token) {
			continue
		}
		for k := w.from(); k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if overlap(t.against, w.query.index.sides[s.word]) && c.source.opposable(k-w.from()) && len(w.query.hits(s.word)) == 0 {
				c.out.antonym = true
				if ranked {
					break // "larger than" and "smaller than": see sides
				}
				a := c.claim.segment[t.token]
				out[a] = !out[a]
				c.out.conflict = ledger.Conflict{Kind: "negation", Claim: t.Text, Evidence: s.Text}
				break
			}
		}
	}
	return out
}

// opposable reports whether a word may stand against its opposite: those that relate others are compared apart.
func (m *meaning) opposable(i int) bool {
	return !m.phrase[i] || m.ops[i] == opMust || m.ops[i] == opAllow || m.ops[i] == opShould
}
