package judge

import "strings"

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
