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
