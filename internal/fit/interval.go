package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is how many bootstrap samples an interval is made of; intervalSeed makes them the same on every run.
const (
	resamples    = 1000
	intervalSeed = 11
)

// gains returns by how much the AUROC of p exceeds that of the baseline in each of the resamples: groups of rows are
// drawn with replacement, and both are computed on the same draw. A draw without rows of both kinds gives NaN, and so
// does a single group, which tells nothing of its like.
func gains(p, baseline []float64, y []bool, groups []int) []float64 {
	at := map[int]int{} // group → its place among the groups
	place := make([]int, len(groups))
	for i, g := range groups {
		if _, ok := at[g]; !ok {
			at[g] = len(at)
		}
		place[i] = at[g]
	}
	random := rand.New(rand.NewPCG(intervalSeed, uint64(len(p))))
	first, second := ordered(len(p), func(i int) float64 { return p[i] }), ordered(len(p), func(i int) float64 { return baseline[i] })
	drawn, weight := make([]float64, len(at)), make([]float64, len(p))
	out := make([]float64, resamples)
	for k := range out {
		clear(drawn)
		for range at {
			drawn[random.IntN(len(at))]++
		}
		for i, g := range place {
			weight[i] = drawn[g]
		}
		if out[k] = math.NaN(); len(at) > 1 {
			out[k] = weighedAUROC(p, y, weight, first) - weighedAUROC(baseline, y, weight, second)
		}
	}
	return out
}

// weighedAUROC is the AUROC of rows that count weight times; order sorts p.
func weighedAUROC(p []float64, y []bool, weight []float64, order []int) float64 {
	won, positive, negative := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		pos, neg := 0.0, 0.0
		j := i
		for ; j < len(order) && p[order[j]] == p[order[i]]; j++ {
			if y[order[j]] {
				pos += weight[order[j]]
			} else {
				neg += weight[order[j]]
			}
		}
		won += float64(pos * (negative + neg/2))
		positive, negative = positive+pos, negative+neg
		i = j
	}
	return won / float64(positive*negative)
}

// interval writes what 95 of 100 resampled differences lie between, in points, – for none.
func interval(gains []float64) string {
	list := slices.DeleteFunc(slices.Clone(gains), math.IsNaN)
	if len(list) == 0 {
		return "–"
	}
	slices.Sort(list)
	tail := len(list) / 40
	return fmt.Sprintf("%s to %s", points(list[tail]), points(list[len(list)-1-tail]))
}
