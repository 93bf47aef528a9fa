package main

import (
	"cmp"
	"math"
	"slices"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// answer is the judge's answer for a row.
type answer struct {
	row     *row
	verdict ledger.Verdict
	p       float64
}

// measured holds the figures of score.py for one set.
type measured struct {
	n                 int
	bacc, auroc       float64
	coverage          float64 // share of rows with a verdict other than weak
	p80               float64 // precision of supported on the 80 % of rows with the most certain likelihood
	ece               float64 // calibration error of the likelihood in ten bins
	saidCon, rightCon int     // how often the answer was contradicted, and how often correctly
	con               int     // rows labelled contradicted
}

func (m *measured) precisionCon() float64 { return float64(m.rightCon) / float64(m.saidCon) }
func (m *measured) recallCon() float64    { return float64(m.rightCon) / float64(m.con) }

// answers judges rows, each by the judge that by returns for it.
func answers(s *set, by func(*row) judge.Judge) []answer {
	out := make([]answer, len(s.rows))
	at := map[*row]int{}
	for i := range s.rows {
		at[&s.rows[i]] = i
	}
	eachRow([]*set{s}, func(r *row) {
		res := judge.JudgeRow(r.Row, by(r))
		a := answer{row: r, verdict: ledger.Unjudged, p: res.PSupported}
		if res.Verdict != nil {
			a.verdict = *res.Verdict
		}
		out[at[r]] = a
	})
	return out
}

// measure computes the figures as score.py does.
func measure(list []answer) measured {
	m := measured{n: len(list)}
	p, y := make([]float64, len(list)), make([]bool, len(list))
	tp, tn, pos, decided := 0, 0, 0, 0
	for i, a := range list {
		p[i], y[i] = a.p, a.row.supported()
		said := a.verdict == ledger.Supported
		switch {
		case y[i] && said:
			tp++
		case !y[i] && !said:
			tn++
		}
		if y[i] {
			pos++
		}
		if a.verdict != ledger.Weak && a.verdict != ledger.Unjudged {
			decided++
		}
		if a.row.Label == "contradicted" {
			m.con++
		}
		if a.verdict == ledger.Contradicted {
			m.saidCon++
			if a.row.Label == "contradicted" {
				m.rightCon++
			}
		}
	}
	neg := len(list) - pos
	m.bacc = (float64(tp)/float64(pos) + float64(tn)/float64(neg)) / 2
	m.coverage = float64(decided) / float64(len(list))
	m.auroc, _ = auroc(p, y)
	m.p80, _ = atCoverage(p, y, 80)
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

// atCoverage takes the given percentage of rows with the most certain answers, and returns the precision of supported
// (NaN if there is none) and the accuracy among them.
func atCoverage(p []float64, y []bool, percent int) (precision, accuracy float64) {
	order := ordered(len(p), func(i int) float64 { return -math.Abs(p[i] - 0.5) })
	order = order[:max(1, len(order)*percent/100)]
	said, right, accurate := 0, 0, 0
	for _, i := range order {
		if p[i] >= 0.5 {
			said++
			if y[i] {
				right++
			}
		}
		if (p[i] >= 0.5) == y[i] {
			accurate++
		}
	}
	if said == 0 {
		return math.NaN(), float64(accurate) / float64(len(order))
	}
	return float64(right) / float64(said), float64(accurate) / float64(len(order))
}

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
