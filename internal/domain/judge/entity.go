package judge

import (
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// otherName finds a name of the sentence that stands in the place of one of the claim's: both are next to the same
// word, the claim's name is nowhere in the chunk, and the other nowhere in the claim.
func (w *window) otherName() (claim, evidence text.Token, ok bool) {
	for i, t := range w.query.terms {
		if !t.name || w.found[i] > 0 || w.chunk.has(w.query, i) {
			continue
		}
		for k := w.from(); k < w.to(); k++ {
			s := w.chunk.tokens[k]
			if k > w.from() && capital(s.Token) && len(w.query.hits(s.word)) == 0 && w.sameSlot(i, k) {
				return t.Token, s.Token, true
			}
		}
	}
	return claim, evidence, false
}

// sameSlot tells whether the words before and behind the claim's term i stand before and behind the sentence's token k:
// one of the two at least, and neither side may disagree.
func (w *window) sameSlot(i, k int) bool {
	before, behind := w.termAt(k, -1), w.termAt(k, 1)
	agree := 0
	if before >= 0 && i > 0 {
		if before != i-1 {
			return false
		}
		agree++
	}
	if behind >= 0 && i+1 < len(w.query.terms) {
		if behind != i+1 {
			return false
		}
		agree++
	}
	return agree > 0
}

// termAt gives the claim's term that the next content word of the sentence stands for, going from token k by step;
// -1 when that word is none of the claim's.
func (w *window) termAt(k, step int) int {
	for k += step; k >= w.from() && k < w.to(); k += step {
		t := w.chunk.tokens[k]
		if t.Stop {
			continue
		}
		if hits := w.query.hits(t.word); len(hits) > 0 {
			return hits[0].term
		}
		return -1
	}
	return -1
}

// has tells whether the chunk has a term of the claim anywhere.
func (c *chunk) has(q *query, term int) bool {
	for _, t := range c.tokens {
		for _, h := range q.hits(t.word) {
			if h.term == term {
				return true
			}
		}
	}
	return false
}

// capital tells a word written with a capital.
func capital(t text.Token) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return t.Kind == text.Word && !t.Stop && unicode.IsUpper(r)
}

// nameFeatures tells how many of the claim's names are there, and whether another stands in the place of one.
func nameFeatures(v *vector, r *reading) {
	all, window, anywhere := 0.0, 0.0, 0.0
	for i, t := range r.best.query.terms {
		if t.name {
			all++
			window += r.best.found[i]
			anywhere += r.best.query.anywhere[i]
		}
	}
	v[nameCover], v[nameCoverAll] = 1, 1
	if all > 0 {
		v[nameCover], v[nameCoverAll] = window/all, anywhere/all
	}
	if _, _, ok := r.core().otherName(); ok {
		v[nameOther] = 1
	}
}
