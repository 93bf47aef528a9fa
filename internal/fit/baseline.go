package main

import (
	"math"

	"sanad/internal/domain/text"
)

// containment is the baseline: the share of the claim's content words that occur anywhere in the evidence.
func containment(r *row) float64 {
	have := map[string]bool{}
	for _, e := range r.Evidence {
		for _, t := range text.Tokens(e.Text) {
			have[t.Norm] = true
		}
	}
	all, found := 0.0, 0.0
	for _, t := range text.Tokens(r.Claim) {
		if t.Stop {
			continue
		}
		all++
		if have[t.Norm] {
			found++
		}
	}
	return found / math.Max(all, 1)
}

// baseline is the baseline's result on a set.
type baseline struct {
	p    []float64 // containment of each row
	y    []bool    // whether its label is "supported"
	area float64   // under the ROC curve
}

func baselineOf(s *set) baseline {
	b := baseline{p: make([]float64, len(s.rows)), y: make([]bool, len(s.rows))}
	for i := range s.rows {
		b.p[i], b.y[i] = containment(&s.rows[i]), s.rows[i].supported()
	}
	b.area, _ = auroc(b.p, b.y)
	return b
}

// at returns the balanced accuracy at a threshold.
func (b baseline) at(threshold float64) float64 {
	tp, tn, pos := 0.0, 0.0, 0.0
	for i := range b.p {
		switch {
		case b.y[i]:
			pos++
			if b.p[i] >= threshold {
				tp++
			}
		case b.p[i] < threshold:
			tn++
		}
	}
	return (tp/pos + tn/(float64(len(b.p))-pos)) / 2
}

// bestThreshold returns the threshold with the best mean balanced accuracy over the sets. It is chosen with the labels
// known, which favours the baseline.
func bestThreshold(sets []baseline) float64 {
	best, at := 0.0, 0.0
	for k := range 101 {
		threshold, sum := float64(k)/100, 0.0
		for _, b := range sets {
			sum += b.at(threshold)
		}
		if sum > best {
			best, at = sum, threshold
		}
	}
	return at
}
