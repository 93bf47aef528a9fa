package judge

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"sanad/internal/exact"
)

// supportFile has the weights that `go run ./internal/fit -write` found; see README.md.
//
//go:embed weights/support.json
var supportFile []byte

//go:embed weights/conflict.json
var conflictFile []byte

// Weights are a model that estimates the log-odds of a vector: a logistic model and a sum of trees,
// blended.
type Weights struct {
	Figures []string  `json:"figures"` // names of the vector's figures, in order
	Bias    float64   `json:"bias"`
	Typical []float64 `json:"typical"` // what the figures are on average, to compare with
	Linear  []float64 `json:"linear"`  // for each figure, by its value as it is
	Trees   [][]Node  `json:"trees"`

	steps []step // of all trees, see flatten
	roots []int32
}

// step is a node as logOdds goes through it: half a Node's size, for trees are read from end to end of memory. A leaf
// has left 0 and its value in cut.
type step struct {
	cut          float64
	left, figure int32 // left counts from the first of all steps
}

// flatten makes the steps of the trees, once.
func (w *Weights) flatten() *Weights {
	if w.roots != nil {
		return w
	}
	w.roots = make([]int32, 0, len(w.Trees))
	for _, t := range w.Trees {
		root := int32(len(w.steps))
		w.roots = append(w.roots, root)
		for _, n := range t {
			if n.Left == 0 {
				w.steps = append(w.steps, step{cut: n.Value})
			} else {
				w.steps = append(w.steps, step{n.Cut, root + int32(n.Left), int32(n.Figure)})
			}
		}
	}
	return w
}

// Node is a node of a tree: a figure at most Cut goes to node Left, more to the one after it. A leaf has Left 0. Value
// is what the tree says of all that come here, in log-odds.
type Node struct {
	Figure int
	Cut    float64
	Left   int
	Value  float64
}

// MarshalJSON writes a node as [figure, cut, left, value], and a leaf as [value].
func (n Node) MarshalJSON() ([]byte, error) {
	if n.Left == 0 {
		return json.Marshal([]float64{n.Value})
	}
	return json.Marshal([]float64{float64(n.Figure), n.Cut, float64(n.Left), n.Value})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Node) UnmarshalJSON(data []byte) error {
	var v []float64
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	switch len(v) {
	case 1:
		n.Value = v[0]
	case 4:
		*n = Node{Figure: int(v[0]), Cut: v[1], Left: int(v[2]), Value: v[3]}
	default:
		return &json.UnmarshalTypeError{Value: "array", Field: "node"}
	}
	return nil
}

// support estimates how likely a passage supports a claim, conflict how likely it contradicts it. They are read when
// first asked for, so that weights can be found for figures that are new.
var (
	support  = sync.OnceValue(func() *Weights { return readModel(supportFile) })
	conflict = sync.OnceValue(func() *Weights { return readModel(conflictFile) })
)

// readModel reads the embedded weights, which must be for the figures of this package.
func readModel(data []byte) *Weights {
	var w Weights
	if err := json.Unmarshal(data, &w); err != nil {
		panic("judge: weights: " + err.Error())
	}
	if len(w.Figures) != int(featureCount) || len(w.Linear) != int(featureCount) ||
		len(w.Typical) != int(featureCount) {
		panic("judge: the weights are for other figures: run go run ./internal/fit -write")
	}
	for i, f := range featureTable {
		if w.Figures[i] != f.name {
			panic("judge: the weights are for other figures: run go run ./internal/fit -write")
		}
	}
	return w.flatten()
}

// logOdds is what the model says of a vector.
func (w *Weights) logOdds(v *vector) float64 {
	sum := w.Bias
	for i, x := range w.Linear {
		sum += float64(x * v[i])
	}
	for _, root := range w.roots {
		s := &w.steps[root]
		for s.left != 0 {
			right := int32(0) // a figure and a bit, not a branch that the processor has to guess
			if v[s.figure] > s.cut {
				right = 1
			}
			s = &w.steps[s.left+right]
		}
		sum += s.cut
	}
	return sum
}

// shares splits logOdds among the figures: what each adds to the likelihood of a typical vector, of which it returns
// the log-odds. A tree's steps count for the figures they ask.
func (w *Weights) shares(v *vector) (out vector, base float64) {
	base = w.Bias
	for i, x := range w.Linear {
		base += float64(x * w.Typical[i])
		out[i] = float64(x * (v[i] - w.Typical[i]))
	}
	for _, t := range w.Trees {
		i := 0
		base += t[0].Value
		for t[i].Left != 0 {
			next := t[i].Left
			if v[t[i].Figure] > t[i].Cut {
				next++
			}
			out[t[i].Figure] += t[next].Value - t[i].Value
			i = next
		}
	}
	return out, base
}

// likelihood turns log-odds to a share from 0 to 1.
func likelihood(logOdds float64) float64 { return 1 / (1 + exact.Exp(-logOdds)) }

// calibrationFile has the curves that `go run ./internal/fit -write` found, on rows that neither the weights nor the
// curve's fold saw.
//
//go:embed weights/calibration.json
var calibrationFile []byte

// Curve turns a model's log-odds into a probability: a line through points, in rising order.
type Curve [][2]float64

// at is the probability for some log-odds.
func (c Curve) at(x float64) float64 {
	if len(c) == 0 {
		return likelihood(x)
	}
	if x <= c[0][0] {
		return c[0][1]
	}
	for i := 1; i < len(c); i++ {
		if x <= c[i][0] {
			a, b := c[i-1], c[i]
			return a[1] + float64((b[1]-a[1])*(x-a[0])/(b[0]-a[0]))
		}
	}
	return c[len(c)-1][1]
}

// Calibration holds the curves of both models by what they are for: "document en", "sentence ar"; "agreeing" are
// passages that differ from the claim in nothing, "vetoed" those that a rule keeps from full support, "ruled" those
// that contradict by rule, and "unread" is the probability where nothing was found to read.
type Calibration struct {
	Support  map[string]Curve `json:"support"`
	Conflict map[string]Curve `json:"conflict"`
}

// calibration holds the shipped curves.
var calibration = sync.OnceValue(func() *Calibration {
	var c Calibration
	if err := json.Unmarshal(calibrationFile, &c); err != nil {
		panic("judge: calibration: " + err.Error())
	}
	return &c
})

// fewSentences is the most sentences that evidence has without being a document.
const fewSentences = 3

// CurveName is the name of the curve for a claim's evidence.
func CurveName(document, arabic bool) string {
	name := "sentence"
	if document {
		name = "document"
	}
	if arabic {
		return name + " ar"
	}
	return name + " en"
}

// Sample is what the weights read of one row.
type Sample struct {
	Passages [][]float64 // the figures of each passage that was read, in the order of Figures, the closest first
	Vetoes   []string    // for each passage the rule that forbids full support; "" if none
	Refuted  []bool      // whether that rule finds that the passage contradicts
	Verbatim bool        // a whole sentence is the claim, word for word
	Curve    string      // the name of its curve of calibration
	Differs  bool        // something in the closest passage can be named that may contradict the claim
}

// Figures lists the features of a Sample and the direction in which each may move the likelihood of support: 1 up, -1
// down, 0 either.
func Figures() (names []string, signs []int) {
	for _, f := range featureTable {
		names, signs = append(names, f.name), append(signs, f.sign)
	}
	return names, signs
}

// Read computes what the weights read of a row; an error says why the row is unjudged. It depends on no weights.
func Read(row Row) (Sample, error) {
	x := NewIndex(RowSession(row))
	readings, err := x.readAll(strings.TrimSpace(row.Claim))
	if err != nil || len(readings) == 0 {
		return Sample{}, err
	}
	top := closest(readings)
	readings[0], readings[top] = readings[top], readings[0]
	out := Sample{}
	veto(readings)
	out.Curve = CurveName(x.document, readings[0].best.query.arabic)
	for i := range readings {
		out.Verbatim = out.Verbatim || readings[i].verbatim
		out.Refuted = append(out.Refuted, readings[i].refuted())
		out.Vetoes = append(out.Vetoes, readings[i].vetoed)
		out.Passages = append(out.Passages, readings[i].figures[:])
	}
	out.Differs = readings[0].disputes() != nil
	return out, nil
}
