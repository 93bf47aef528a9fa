package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"

	"sanad/internal/domain/judge"
)

// Training parameters.
const (
	seed          = 7
	treeShare     = 0.7 // of the blend; the rest is the logistic model's
	ridge         = 0.1
	setWeight     = 500.0 // of all examples of a set together
	documentsGain = 1.15  // factor on that for a set of documents
	maxRows       = 1500  // rows of one set that are trained on; beyond, every second, third … is taken
)

// growing holds the parameters of the forests, except the signs.
var growing = boosting{trees: 100, depth: 5, rate: 0.08, lambda: 10, least: 2, drop: 0.5, sample: 0.7, bins: 64,
	seed: seed}

var names, signs = judge.Figures()

// models are the judge's two models.
type models struct{ support, conflict blend }

// find trains both models on the rows that keep selects, in the sets that may be used for training.
func find(all []*set, keep func(*row) bool) models {
	first := func(r *row) []float64 { return r.sample.Passages[0] }
	sure := findSupport(all, keep, first)
	// The judge uses the most likely passage of a row, so train on that one.
	sure = findSupport(all, keep, func(r *row) []float64 {
		best := r.sample.Passages[0]
		for _, x := range r.sample.Passages[1:] {
			if sure.score(x) > sure.score(best) {
				best = x
			}
		}
		return best
	})
	return models{sure, findConflict(all, keep, first)}
}

// blend is a weighted sum of a forest and a logistic model.
type blend struct {
	forest *forest
	logit  *logit
}

func (b blend) score(x []float64) float64 {
	return float64(treeShare*b.forest.score(x)) + float64((1-treeShare)*b.logit.score(x))
}

// findSupport trains the model for supported rows against all others; within each set both classes weigh the same.
func findSupport(all []*set, keep func(*row) bool, pick func(*row) []float64) blend {
	var out []example
	for _, s := range all {
		part, yes := s.examples(keep, pick, func(r *row) (bool, bool) { return r.supported(), true })
		no := len(part) - yes
		weight := setWeight * s.share
		if s.documents {
			weight *= documentsGain
		}
		for i := range part {
			part[i].weight = weight / 2 / float64(no)
			if part[i].y == 1 {
				part[i].weight = weight / 2 / float64(yes)
			}
		}
		out = append(out, part...)
	}
	g := growing
	g.signs = signs
	return blend{grow(out, g), fitLogit(out, ridge, signs)}
}

// findConflict trains the model for contradicted rows, on rows where the judge can name a difference.
func findConflict(all []*set, keep func(*row) bool, pick func(*row) []float64) blend {
	var out []example
	for _, s := range all {
		if !s.contradicts() {
			continue
		}
		part, _ := s.examples(keep, pick,
			func(r *row) (bool, bool) { return r.Label == "contradicted", r.sample.Differs })
		for i := range part {
			part[i].weight = setWeight * s.share / float64(len(part))
		}
		out = append(out, part...)
	}
	g := growing
	g.signs, g.seed = make([]int, len(names)), seed+4
	return blend{grow(out, g), fitLogit(out, ridge, g.signs)}
}

// examples returns the examples from a set's rows, and how many have y 1. label returns y, and whether to use the row.
func (s *set) examples(keep func(*row) bool, pick func(*row) []float64,
	label func(*row) (yes, use bool)) (out []example, ones int) {
	if !s.fitted || s.share == 0 {
		return nil, 0
	}
	every := (len(s.rows) + maxRows - 1) / maxRows
	for i := range s.rows {
		r := &s.rows[i]
		if i%every != 0 || r.debatable() || !keep(r) || len(r.sample.Passages) == 0 {
			continue
		}
		yes, use := label(r)
		if !use {
			continue
		}
		e := example{x: pick(r)}
		if yes {
			e.y = 1
			ones++
		}
		out = append(out, e)
	}
	return out, ones
}

// short rounds a weight to the precision of the weights file.
func short(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// weights merges both models into one. The logistic model's weights are converted from standardised to raw features.
func (b blend) weights() *judge.Weights {
	w := &judge.Weights{Figures: names}
	bias := float64((1 - treeShare) * b.logit.bias)
	for i := range names {
		k := (1 - treeShare) * b.logit.weight[i] / b.logit.scale[i]
		w.Linear, w.Typical = append(w.Linear, short(k)), append(w.Typical, short(b.logit.mean[i]))
		bias -= float64(k * b.logit.mean[i])
	}
	w.Bias = short(bias)
	for _, t := range b.forest.trees {
		var nodes []judge.Node
		for _, n := range t {
			nodes = append(nodes, judge.Node{Figure: n.feature, Cut: n.cut, Left: n.left,
				Value: short(treeShare * n.value)})
		}
		w.Trees = append(w.Trees, nodes)
	}
	return w
}

// save writes weights with one tree per line, so that changes can be reviewed.
func save(path string, w any) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	data = bytes.ReplaceAll(data, []byte("]],[["), []byte("]],\n[["))
	data = bytes.ReplaceAll(data, []byte(`],"`), []byte("],\n\""))
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
