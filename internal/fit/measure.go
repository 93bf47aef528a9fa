package main

import (
	"cmp"
	"math"
	"slices"
)

// measured are the figures of score.py for one set.
type measured struct {
	n                       int
	base, bacc, auroc, best float64
	p80, ece                float64
	coverage                float64
}

// measure compares likelihoods of support with labels.
func measure(p []float64, y []bool, mark float64) measured {
	m := measured{n: len(p)}
	tp, tn, pos := 0, 0, 0
	for i := range p {
		if y[i] {
			pos++
		}
		if y[i] && p[i] >= mark {
			tp++
		}
		if !y[i] && p[i] < mark {
			tn++
		}
	}
	neg := len(p) - pos
	m.base = float64(pos) / float64(len(p))
	m.bacc = (float64(tp)/float64(pos) + float64(tn)/float64(neg)) / 2
	m.auroc, m.best = auroc(p, y)
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(p[b]-mark), math.Abs(p[a]-mark)) })
	top, right := 0, 0
	for _, i := range order[:max(1, len(order)*80/100)] {
		if p[i] >= mark {
			top++
			if y[i] {
				right++
			}
		}
	}
	m.p80 = float64(right) / float64(top)
	var sums [10]float64
	for i := range p {
		b := min(9, int(p[i]*10))
		sums[b] += p[i]
		if y[i] {
			sums[b]--
		}
	}
	for _, s := range sums {
		m.ece += math.Abs(s) / float64(len(p))
	}
	return m
}

// auroc gives the area under the curve and the best balanced accuracy that any mark would give.
func auroc(p []float64, y []bool) (area, best float64) {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
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
	return (ranks - pos*(pos+1)/2) / (pos * neg), best
}
