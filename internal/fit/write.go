package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"

	"sanad/internal/domain/judge"
)

// short rounds a weight to what the model's file keeps of it.
func short(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// weights makes the judge's model of a forest and a logistic model.
func weights(f *forest, l *logit, share float64) *judge.Weights {
	w := &judge.Weights{Figures: names, Bias: (1 - share) * l.bias}
	for i := range names {
		k := (1 - share) * l.weight[i] / l.scale[i]
		w.Linear = append(w.Linear, short(k))
		w.Typical = append(w.Typical, short(l.mean[i]))
		w.Bias -= k * l.mean[i]
	}
	w.Bias = short(w.Bias)
	for _, t := range f.trees {
		var nodes []judge.Node
		for _, n := range t {
			nodes = append(nodes, judge.Node{Figure: n.feature, Cut: n.cut, Left: n.left, Value: short(share * n.value)})
		}
		w.Trees = append(w.Trees, nodes)
	}
	return w
}

// save writes a model with a line for each tree, so that changes can be read.
func save(path string, w *judge.Weights) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	data = bytes.ReplaceAll(data, []byte("]],[["), []byte("]],\n[["))
	data = bytes.ReplaceAll(data, []byte(`],"`), []byte("],\n\""))
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
