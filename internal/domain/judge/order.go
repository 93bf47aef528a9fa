package judge

import "math"

// orderFeatures tells whether the claim's words stand together and in the claim's order.
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

// sequence gives the claim's terms as the window has them, in its order, and the tokens where they stand.
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

// order gives the length of the longest rising part of a sequence, and the share of pairs of first places that are the
// wrong way round.
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
