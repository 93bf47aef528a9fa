package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// ordered returns the indices 0 to n-1 sorted by key; equal keys keep their order.
func ordered(n int, key func(i int) float64) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	return out
}

// auroc returns the area under the ROC curve, and the best balanced accuracy of any threshold.
func auroc(p []float64, y []bool) (area, best float64) {
	order := ordered(len(p), func(i int) float64 { return p[i] })
	pos, neg := 0.0, 0.0
	for _, t := range y {
		if t {
			pos++
		} else {
			neg++
		}
	}
	ranks, tn, fn := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && p[order[j]] == p[order[i]] {
			j++
		}
		best = math.Max(best, (tn/neg+(pos-fn)/pos)/2)
		for k := i; k < j; k++ {
			if y[order[k]] {
				ranks += float64(i+j+1) / 2
				fn++
			} else {
				tn++
			}
		}
		i = j
	}
	return (ranks - float64(pos*(pos+1)/2)) / (pos * neg), best
}

// points writes a difference of shares in percentage points with its sign, – for none.
func points(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%+.1f", 100*v)
}

// percent writes a share, – for none.
func percent(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*v)
}
