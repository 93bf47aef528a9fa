package judge

import (
	"sanad/internal/domain/ledger"
)

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
		says := c.source.negative(b) != flips[a]
		if x := c.exceptFor(a); x >= 0 {
			says = c.source.negative(x)
		}
		if c.claim.negative(a) != says && !c.needless(a, b) {
			differs += s.term.weight
			from, to = &c.claim.segments[a], &c.source.segments[b]
		}
	}
	c.out.polarity = differs / max(all, 1e-9)
	if from != nil {
		c.name("negation", c.negatorOf(c.claim, from), c.negatorOf(c.source, to))
	}
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
