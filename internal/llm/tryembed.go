package llm

import (
	"context"
	"time"

	"sanad/internal/domain/model"
)

// sampledTexts are what an endpoint of vectors is tested with: a claim, a sentence in Arabic that says the same, and
// one that says something else. To find the one from the other is what it is for.
var sampledTexts = []string{sample.Claim, "الإجازة السنوية خمسة عشر يومًا.", "يفتح المطعم أبوابه ظهرًا."}

// TryEmbeddings asks an endpoint for the vectors of three fixed sentences once, and returns what came.
func TryEmbeddings(ctx context.Context, c Config) model.Tried {
	out := model.Tried{Model: c.Model}
	c.Tries, c.Timeout = 1, min(max(c.Timeout, time.Second), tryTimeout)
	c.Embeddings = Embeddings{Endpoint: c.Endpoint, Model: c.Model, Key: c.Key}
	e, err := newEmbedder(c.defaults())
	if err != nil { // the rest was checked when the endpoint was stored
		out.Fault = "forbidden"
		return out
	}
	var call Call
	begun := c.Now()
	vectors, f := e.vectors(ctx, sampledTexts, &call)
	out.Took, out.TokensIn = c.Now().Sub(begun), call.EmbeddingsTokens
	switch {
	case f != nil:
		out.Fault = f.code
	case len(vectors[0]) != len(vectors[1]) || len(vectors[0]) != len(vectors[2]):
		out.Fault = "malformed"
	case cosine(vectors[0], vectors[1]) <= cosine(vectors[0], vectors[2]):
		out.Note = "far"
	}
	return out
}

// cosine is that of two vectors of length 1.
func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
