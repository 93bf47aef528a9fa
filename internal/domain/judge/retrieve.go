package judge

import (
	"cmp"
	"slices"
)

// BM25's parameters and how many chunks are looked at closely.
const (
	bm25K1   = 1.2
	bm25B    = 0.75
	topCount = 8
)

// retrieve returns the chunks that a claim may be about, best BM25 first, at most topCount.
func (x *Index) retrieve(q *query) []int {
	scores := make([]float64, len(x.chunks))
	n := float64(len(x.chunks))
	for _, word := range q.wanted {
		list := x.postings[word]
		df := float64(len(list))
		idf := logarithm(1 + (n-df+0.5)/(df+0.5))
		for _, p := range list {
			tf, length := float64(p.count), float64(len(x.chunks[p.chunk].tokens))
			norm := float64(bm25K1 * (1 - bm25B + float64(bm25B*length/x.mean)))
			scores[p.chunk] += float64(idf * tf * (bm25K1 + 1) / (tf + norm))
		}
	}
	var found []int
	for i, s := range scores {
		if s > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found[:min(len(found), topCount)]
}
