package judge

import (
	"sanad/internal/domain/text"
)

// shared is where the sentence has a term of the claim.
type shared struct {
	term   *term
	claim  int   // token of the claim's meaning
	tokens []int // tokens of the sentence's meaning
}

// share finds the claim's content words in the sentence.
func (c *comparer) share() {
	w := c.window
	at := make([][]int, len(w.query.terms))
	for k := w.from(); k < w.to(); k++ {
		for _, h := range w.query.hits(w.chunk.tokens[k].word) {
			if w.found[h.term] > 0 {
				at[h.term] = append(at[h.term], k-w.from())
			}
		}
	}
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if t.token < 0 || c.claim.phrase[t.token] {
			continue
		}
		if t.quantity >= 0 && w.found[i] > 0 {
			at[i] = w.quantityTokens(t.quantity)
		}
		if len(at[i]) > 0 {
			c.shared = append(c.shared, shared{t, t.token, at[i]})
		}
	}
}

// quantityTokens lists where the sentence has quantities that meet the claim's quantity k: the first number of each.
func (w *window) quantityTokens(k int) (out []int) {
	list, last := w.chunk.sentences[w.first].quantities, -1
	for i := w.from(); i < w.to(); i++ {
		t := &w.chunk.tokens[i]
		q := quantityOf(list, t.Start)
		if q >= 0 && q != last && (t.Kind == text.Number || t.Start == list[q].Start) && w.query.meets(k, list[q]) > 0 {
			last = q
			out = append(out, i-w.from())
		}
	}
	return out
}

// place is the token of the sentence that stands for a shared term: one in the segment that most of the claim's segment
// is in, if there is one.
func (c *comparer) place(s *shared, best []int) int {
	for _, k := range s.tokens {
		if c.source.segment[k] == best[c.claim.segment[s.claim]] {
			return k
		}
	}
	return s.tokens[0]
}

// aligned returns for each segment of the claim the sentence's segment that has most of its words, -1 for none.
func (c *comparer) aligned() []int {
	out := make([]int, len(c.claim.segments))
	sums := make([]float64, len(c.source.segments))
	for i := range out {
		clear(sums)
		out[i] = -1
		for k := range c.shared {
			s := &c.shared[k]
			if c.claim.segment[s.claim] != i {
				continue
			}
			last := -1
			for _, t := range s.tokens {
				if at := c.source.segment[t]; at != last {
					sums[at] += s.term.weight
					last = at
				}
			}
		}
		for at, sum := range sums {
			if sum > 0 && (out[i] < 0 || sum > sums[out[i]]) {
				out[i] = at
			}
		}
	}
	return out
}
