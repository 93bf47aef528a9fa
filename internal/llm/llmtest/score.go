package llmtest

import (
	"encoding/json"
	"path"
	"strings"
)

// Pair is what a scorer says of a claim and a sentence: two shares from 0 to 1.
type Pair struct{ Supports, Contradicts float64 }

// Scorers are the ends of addresses of the shapes that a scorer may have.
var Scorers = []string{"predict", "rerank", "infer", "classify", "score"}

// pairsOf reads the body of a request to a scorer, of all shapes.
func pairsOf(address string, raw []byte) (claim string, sentences []string) {
	var body struct {
		Inputs json.RawMessage
		Query  string
		Texts  []string
		Input  []string
		Text1  []string `json:"text_1"`
		Text2  []string `json:"text_2"`
	}
	_ = json.Unmarshal(raw, &body)
	switch path.Base(address) {
	case "predict":
		var pairs [][2]string
		_ = json.Unmarshal(body.Inputs, &pairs)
		for _, p := range pairs {
			claim, sentences = p[1], append(sentences, p[0])
		}
	case "rerank":
		claim, sentences = body.Query, body.Texts
	case "infer":
		var tensors []struct{ Data []string }
		_ = json.Unmarshal(body.Inputs, &tensors)
		if len(tensors) == 2 && len(tensors[1].Data) > 0 {
			claim, sentences = tensors[1].Data[0], tensors[0].Data
		}
	case "classify":
		for _, text := range body.Input {
			sentence, said, _ := strings.Cut(text, "\n\n")
			claim, sentences = said, append(sentences, sentence)
		}
	case "score":
		if sentences = body.Text1; len(body.Text2) > 0 {
			claim = body.Text2[0]
		}
	}
	return claim, sentences
}

// scored writes what a scorer says in the shape of its address. Those of one figure do not say what contradicts.
func (e *Endpoint) scored(address string, q Question) string {
	type label struct {
		Label string  `json:"label"`
		Score float64 `json:"score"`
	}
	type placed struct {
		Index int       `json:"index"`
		Score *float64  `json:"score,omitempty"`
		Label string    `json:"label,omitempty"`
		Probs []float64 `json:"probs,omitempty"`
	}
	var classes [][]label
	var ranked, classified []placed
	var figures []float64
	for i, sentence := range q.Sentences {
		p := Pair{Supports: 0.9}
		if e.Score != nil {
			p = e.Score(q.Claim, sentence)
		}
		neutral := max(0, 1-p.Supports-p.Contradicts)
		classes = append(classes, []label{{"entailment", p.Supports}, {"neutral", neutral}, {"contradiction", p.Contradicts}})
		ranked = append(ranked, placed{Index: i, Score: &p.Supports})
		figures = append(figures, p.Supports, neutral, p.Contradicts)
		top := placed{Index: i, Label: "neutral", Probs: []float64{p.Supports, neutral, p.Contradicts}}
		switch {
		case p.Supports > max(neutral, p.Contradicts):
			top.Label = "entailment"
		case p.Contradicts > neutral:
			top.Label = "contradiction"
		}
		classified = append(classified, top)
	}
	var out any
	switch path.Base(address) {
	case "predict":
		out = classes
	case "rerank":
		out = ranked
	case "infer":
		out = map[string]any{"outputs": []any{map[string]any{"name": "scores", "data": figures}}}
	case "classify":
		out = map[string]any{"data": classified}
	default:
		out = map[string]any{"data": ranked}
	}
	raw, _ := json.Marshal(out)
	return string(raw)
}
