package judge

import (
	_ "embed"
	"encoding/json"
	"sync"
)

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
