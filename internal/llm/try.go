package llm

import (
	"context"
	"sync"
	"time"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// sample is the question of a test: a sentence that plainly supports its claim, and no word of anybody.
var sample = judge.Row{
	ID: "test", Claim: "Annual leave is 15 days.",
	Evidence: []judge.Evidence{{Doc: "Example of a leave policy", Text: "Annual leave is 15 days. It is taken within the year."}},
}

// sampled returns the claim of the sample and its sentences. The claim has an id, by which its block is numbered.
func sampled() (*ledger.Claim, *judge.Index) {
	return &ledger.Claim{Key: sample.ID, Text: sample.Claim}, judge.NewIndex(judge.RowSession(sample))
}

// Example is the question of a test, as a model reads it.
func Example() (string, error) {
	q, err := pointer.Ask(sampled())
	if err != nil {
		return "", err
	}
	m := q.Messages()
	return m.System + "\n\n" + m.User, nil
}

// tryTimeout is how long a test waits, whatever the endpoint allows: somebody waits for its page.
const tryTimeout = 20 * time.Second

// Try asks an endpoint the sample once, and returns what came. Nothing is recorded.
func Try(ctx context.Context, c Config) model.Tried {
	out := model.Tried{Model: c.Model}
	var call Call
	var mu sync.Mutex
	c.Tries, c.Timeout = 1, min(max(c.Timeout, time.Second), tryTimeout)
	c.Record = func(x Call) {
		mu.Lock()
		defer mu.Unlock()
		call = x
	}
	j, err := New(c)
	if err != nil { // the rest was checked when the endpoint was stored
		out.Fault = "forbidden"
		return out
	}
	claim, sentences := sampled()
	o, err := j.Ask(ctx, claim, sentences)
	mu.Lock()
	defer mu.Unlock()
	out.Took, out.TokensIn, out.TokensOut, out.Fault = call.Latency, call.TokensIn, call.TokensOut, call.Fault
	switch {
	case out.Fault == "" && err != nil:
		out.Fault = "answer"
	case out.Fault == "" && (len(o.Matches) == 0 || o.Matches[0].Contradicts):
		out.Note = "other"
	}
	return out
}
