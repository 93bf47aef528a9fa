package llm

import (
	"context"
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"

	"sanad/internal/domain/judge/pointer"
	"sanad/internal/words"
)

// shapeOf is the shape that the end of a scorer's address names, "" for none.
func shapeOf(u *url.URL) string {
	switch end := path.Base(strings.TrimSuffix(u.Path, "/")); end {
	case "predict", "rerank", "infer", "classify", "score":
		return end
	}
	return ""
}

// maxPairs is how many pairs a scorer is asked at once: Text Embeddings Inference takes 32 by default.
const maxPairs = 32

// score asks a scorer how far each sentence supports the claim. The answer has a score for each sentence in their
// order.
func (j *Judge) score(ctx context.Context, q *pointer.Question, call *Call) (out []pointer.Score, f *fault) {
	sentences := q.Sentences()
	if len(sentences) == 0 {
		return nil, nil
	}
	shape, address := shapeOf(j.client.url), j.client.url.String()
	for part := range slices.Chunk(sentences, maxPairs) {
		f = j.client.post(ctx, address, j.pairs(shape, q.Statement(), part), call, new(int), func(raw []byte) *fault {
			scores, f := readScores(shape, raw, len(part))
			out = append(out, scores...)
			return f
		})
		if f != nil {
			return nil, f
		}
	}
	return out, nil
}

// pairs is the body of a request: each of the sentences with the claim, in this order where a shape has one. Scorers of
// entailment ask whether the first text of a pair entails the second.
func (j *Judge) pairs(shape, claim string, sentences []string) any {
	switch shape {
	case "predict": // Text Embeddings Inference, a sequence classifier
		inputs := make([][2]string, len(sentences))
		for i, s := range sentences {
			inputs[i] = [2]string{s, claim}
		}
		return map[string]any{"inputs": inputs, "truncate": true}
	case "rerank": // Text Embeddings Inference, a reranker
		return map[string]any{"query": claim, "texts": sentences, "truncate": true}
	case "infer": // KServe v2, two tensors of texts
		claims := slices.Repeat([]string{claim}, len(sentences))
		return map[string]any{"inputs": []any{tensor("evidence", sentences), tensor("claim", claims)}}
	case "classify": // vLLM; one text for each pair
		inputs := make([]string, len(sentences))
		for i, s := range sentences {
			inputs[i] = s + "\n\n" + claim
		}
		return map[string]any{"model": j.client.cfg.Model, "input": inputs}
	}
	// vLLM, "score": two lists of one length
	return map[string]any{"model": j.client.cfg.Model, "text_1": sentences,
		"text_2": slices.Repeat([]string{claim}, len(sentences))}
}

func tensor(name string, texts []string) map[string]any {
	return map[string]any{"name": name, "datatype": "BYTES", "shape": []int{len(texts)}, "data": texts}
}

// labelled is a class with its share.
type labelled struct {
	Label string  `json:"label"`
	Score float64 `json:"score"`
}

// placed is the score of the text at an index.
type placed struct {
	Index int       `json:"index"`
	Score *float64  `json:"score"`
	Label string    `json:"label"`
	Probs []float64 `json:"probs"`
}

// readScores reads the scores of n sentences.
func readScores(shape string, raw []byte, n int) ([]pointer.Score, *fault) {
	var failed struct {
		Error wireError `json:"error"`
	}
	if json.Unmarshal(raw, &failed) == nil && failed.Error.stands() {
		return nil, inside(string(failed.Error))
	}
	switch shape {
	case "predict":
		var classes [][]labelled
		if err := json.Unmarshal(raw, &classes); err != nil || len(classes) != n {
			return nil, malformed(err)
		}
		out := make([]pointer.Score, n)
		for i := range classes {
			for _, c := range classes[i] {
				if !take(&out[i], c.Label, c.Score) {
					return nil, unknownLabel()
				}
			}
		}
		return checked(out)
	case "rerank":
		var list []placed
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, malformed(err)
		}
		return byIndex(list, n)
	case "infer":
		return readTensors(raw, n)
	}
	var w struct{ Data []placed }
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, malformed(err)
	}
	return byIndex(w.Data, n)
}

// byIndex puts scores into the order of the sentences; each has one.
func byIndex(list []placed, n int) ([]pointer.Score, *fault) {
	out, seen := make([]pointer.Score, n), make([]bool, n)
	if len(list) != n {
		return nil, malformed(nil)
	}
	for _, p := range list {
		if p.Index < 0 || p.Index >= n || seen[p.Index] {
			return nil, malformed(nil)
		}
		seen[p.Index] = true
		switch {
		case p.Score != nil:
			out[p.Index].Supports = *p.Score
		case len(p.Probs) == 0:
			return nil, malformed(nil)
		default:
			top := p.Probs[0]
			for _, v := range p.Probs {
				top = max(top, v)
			}
			if !take(&out[p.Index], p.Label, top) {
				return nil, unknownLabel()
			}
		}
	}
	return checked(out)
}

// readTensors reads the tensor "scores" of KServe v2: one figure for each sentence, or three in the order entailment,
// neutral, contradiction.
func readTensors(raw []byte, n int) ([]pointer.Score, *fault) {
	var w struct {
		Outputs []struct {
			Name string    `json:"name"`
			Data []float64 `json:"data"`
		} `json:"outputs"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, malformed(err)
	}
	for _, o := range w.Outputs {
		if o.Name != "scores" && len(w.Outputs) > 1 {
			continue
		}
		out := make([]pointer.Score, n)
		switch len(o.Data) {
		case n:
			for i := range out {
				out[i].Supports = o.Data[i]
			}
		case 3 * n:
			for i := range out {
				out[i] = pointer.Score{Supports: o.Data[3*i], Contradicts: o.Data[3*i+2]}
			}
		default:
			return nil, malformed(nil)
		}
		return checked(out)
	}
	return nil, malformed(nil)
}

// take adds the share of a class, and reports whether its label is known.
func take(s *pointer.Score, label string, share float64) bool {
	switch strings.ToLower(label) {
	case "entailment", "entailed", "entails", "supported", "support", "supports", "consistent", "true":
		s.Supports = share
	case "contradiction", "contradicted", "contradicts", "refuted", "refutes":
		s.Contradicts = share
	case "neutral", "not_entailment", "unsupported", "not_supported", "inconsistent", "not enough info", "nei", "false":
	default:
		return false
	}
	return true
}

// checked refuses figures that are no shares.
func checked(out []pointer.Score) ([]pointer.Score, *fault) {
	for _, s := range out {
		if !(s.Supports >= 0 && s.Supports <= 1 && s.Contradicts >= 0 && s.Contradicts <= 1) {
			return nil, &fault{code: "scores", said: words.Msg("cause_model_range")}
		}
	}
	return out, nil
}

func unknownLabel() *fault {
	return &fault{code: "labels",
		said: words.Msg("cause_model_labels")}
}
