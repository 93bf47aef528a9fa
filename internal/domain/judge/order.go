package judge

import (
	"math"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// orderFeatures reports whether the claim's words stand together and in the claim's order.
func orderFeatures(v *vector, w *window) {
	v[adjacency] = w.adjacency()
	seq, at := w.sequence()
	n := math.Max(1, float64(len(w.query.terms)))
	v[longestRun] = float64(longest(seq)) / n
	rising, inversions := order(seq)
	v[inOrder] = float64(rising) / n
	v[inverted] = inversions
	if len(at) > 1 {
		v[compact] = float64(len(at)) / math.Max(1, float64(at[len(at)-1]-at[0]+1))
	}
}

// sequence returns the claim's terms as the window has them, in its order, and the tokens where they stand.
func (w *window) sequence() (terms, at []int) {
	terms, at = make([]int, 0, 2*len(w.query.terms)), make([]int, 0, 2*len(w.query.terms))
	for k := w.from(); k < w.to(); k++ {
		hits := w.query.hits(w.chunk.tokens[k].word)
		if len(hits) == 0 {
			continue
		}
		best := hits[0]
		for _, h := range hits[1:] { // a word that the claim has twice follows what went before
			if len(terms) > 0 && h.term == terms[len(terms)-1]+1 {
				best = h
			}
		}
		terms, at = append(terms, best.term), append(at, k)
	}
	return terms, at
}

// longest is the most terms that follow one another in the window as they do in the claim.
func longest(seq []int) int {
	best, run := 0, 0
	for i, t := range seq {
		if i > 0 && t == seq[i-1]+1 {
			run++
		} else {
			run = 1
		}
		best = max(best, run)
	}
	return best
}

// maxSequence bounds the work of order.
const maxSequence = 64

// order returns the length of the longest rising part of a sequence, and the share of pairs of first places that are
// the wrong way round.
func order(seq []int) (rising int, inversions float64) {
	seq = seq[:min(len(seq), maxSequence)]
	length := make([]int, len(seq))
	for i := range seq {
		length[i] = 1
		for j := range i {
			if seq[j] < seq[i] && length[j]+1 > length[i] {
				length[i] = length[j] + 1
			}
		}
		rising = max(rising, length[i])
	}
	pairs, wrong := 0, 0
	for i := 1; i < len(seq); i++ {
		if seq[i] == seq[i-1] {
			continue
		}
		pairs++
		if seq[i] < seq[i-1] {
			wrong++
		}
	}
	return rising, float64(wrong) / math.Max(1, float64(pairs))
}

// mutual are words by which two may change places and the same is said, or which turn a sentence round ("by").
var mutual = wordSet("by with between together each other marry married marries met meet meets border borders bordered equal equals resemble resembles من مع بين معا تزوج التقى يساوي")

// swapped reports whether the sentence says all of the claim, but of two names each in the place of the other: "A leads
// B", "B leads A". Where no capitals show names, the claim must have two words and what stands between them.
func (w *window) swapped() bool {
	terms := w.query.terms
	if len(terms) < 3 || slices.Contains(w.found, 0) {
		return false
	}
	at := make([]int, len(terms))
	for k := w.from(); k < w.to(); k++ {
		t := w.chunk.tokens[k]
		if mutual[t.Norm] || joined(t.Token) {
			return false
		}
		for _, h := range w.query.hits(t.word) {
			if at[h.term] != 0 { // it is there twice: which place it has is open
				return false
			}
			at[h.term] = k + 1
		}
	}
	if slices.ContainsFunc(text.Tokens(w.query.text), func(t text.Token) bool { return mutual[t.Norm] || joined(t) }) {
		return false
	}
	for a := range terms {
		for b := a + 2; b < len(terms); b++ {
			if named := capital(terms[a].Token) && capital(terms[b].Token) || len(terms) == 3 &&
				text.Script(w.query.text) == "ar"; named && between(at, a, b) {
				return true
			}
		}
	}
	return false
}

// joined reports whether a word is an Arabic noun with an attached preposition ("للنفط"), which modifies wherever it
// is.
func joined(t text.Token) bool {
	return strings.HasPrefix(t.Norm, "لل") || strings.HasPrefix(t.Norm, "بال")
}

// between reports whether b is before a in the sentence, with a term between them that the claim has there too.
func between(at []int, a, b int) bool {
	for p := a + 1; p < b; p++ {
		if at[b] != 0 && at[b] < at[p] && at[p] < at[a] {
			return true
		}
	}
	return false
}
