package judge

import (
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// otherName finds a name of the sentence that is in the place of one of the claim's: both are next to the same
// word, the claim's name is nowhere in the chunk, and the other nowhere in the claim.
func (w *window) otherName() (claim, evidence text.Token, ok bool) {
	var before, behind []int
	for i := range w.query.terms {
		t := &w.query.terms[i]
		if !t.name || w.found[i] > 0 || w.chunk.has(w.query, i) {
			continue
		}
		if before == nil {
			before, behind = w.termsBeside()
		}
		for k := w.from() + 1; k < w.to(); k++ {
			s := &w.chunk.tokens[k]
			if len(w.query.hits(s.word)) == 0 && w.sameSlot(i, before[k-w.from()], behind[k-w.from()]) &&
				capital(s.Token) {
				return t.Token, s.Token, true
			}
		}
	}
	return claim, evidence, false
}

// sameSlot reports whether the words before and after the claim's term i are before and after a token of the
// sentence too: one of the two at least, and neither side may disagree. before and after are those of termsBeside.
func (w *window) sameSlot(i, before, behind int) bool {
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

// termsBeside returns, for each token of the sentence, which of the claim's terms the content words before and after
// it stand for; -1 if the word stands for none of them.
func (w *window) termsBeside() (before, behind []int) {
	tokens := w.chunk.tokens[w.from():w.to()]
	both := make([]int, 2*len(tokens))
	before, behind = both[:len(tokens)], both[len(tokens):]
	last := -1
	for k := range tokens {
		before[k] = last
		last = w.termOr(&tokens[k], last)
	}
	last = -1
	for k := len(tokens) - 1; k >= 0; k-- {
		behind[k] = last
		last = w.termOr(&tokens[k], last)
	}
	return before, behind
}

// termOr returns the claim's term that a content word stands for, -1 for none; last for a stop word.
func (w *window) termOr(t *token, last int) int {
	if t.Stop {
		return last
	}
	if hits := w.query.hits(t.word); len(hits) > 0 {
		return hits[0].term
	}
	return -1
}

// has reports whether the chunk has a term of the claim anywhere.
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

// capital reports whether a word is written with a capital.
func capital(t text.Token) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return t.Kind == text.Word && !t.Stop && unicode.IsUpper(r)
}

// nameFeatures measures how many of the claim's names are there, and whether another name replaces one.
func nameFeatures(v *vector, r *reading) {
	all, window, anywhere := 0.0, 0.0, 0.0
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
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
