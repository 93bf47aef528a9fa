package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Call records one question: what it was about by digests only, never its words.
type Call struct {
	Kind      Kind          `json:"kind"`
	Model     string        `json:"model,omitempty"`
	Template  string        `json:"template"`
	Request   string        `json:"request_sha256"` // of the body that was sent last
	Answer    string        `json:"answer_sha256,omitempty"`
	Tries     int           `json:"tries"`
	TokensIn  int           `json:"tokens_in"`
	TokensOut int           `json:"tokens_out"`
	Cost      float64       `json:"cost"` // by the configured price
	Latency   time.Duration `json:"latency_ns"`
	Fault     string        `json:"fault,omitempty"`
	// of the answer, see pointer.Outcome
	Violations int  `json:"violations,omitempty"`
	Addressing int  `json:"addressing,omitempty"`
	Disagree   bool `json:"judges_disagree,omitempty"`
	// of the embeddings that helped to find its passages
	EmbeddingsTries  int    `json:"embeddings_tries,omitempty"`
	EmbeddingsTokens int    `json:"embeddings_tokens,omitempty"`
	EmbeddingsFault  string `json:"embeddings_fault,omitempty"` // then BM25 alone found them
}

// client posts JSON to one endpoint.
type client struct {
	cfg  Config
	url  *url.URL
	http *http.Client
}

// post sends a body until it is answered or cannot be, at most so often as is configured. read looks at an answer with
// status 200 and may find a fault inside. sent counts the tries: a caller that then sends another form of the
// same question passes it again, so that both forms share the limit.
func (c *client) post(
	ctx context.Context, address string, body any, call *Call, sent *int, read func([]byte) *fault,
) *fault {
	raw, err := json.Marshal(body)
	if err != nil {
		return malformed(err)
	}
	times := map[string]int{} // by fault
	for {
		*sent++
		call.Tries++
		answer, f := c.send(ctx, address, raw, call)
		if f == nil {
			f = read(answer)
		}
		if f == nil {
			return nil
		}
		if ctx.Err() == nil {
			c.cfg.Failed(f.said)
		}
		wait := c.pause(*sent, f.after)
		times[f.code]++
		if !f.again || *sent >= c.cfg.Tries || f.most > 0 && times[f.code] >= f.most || wait > c.cfg.MaxWait || ctx.Err() != nil {
			return f
		}
		if err := c.cfg.Wait(ctx, wait); err != nil {
			return ofConnection(err)
		}
	}
}

// pause is how long to wait after a number of tries: twice as long each time, with jitter so that many clients do not
// come back at once, and never less than the endpoint asks for.
func (c *client) pause(tries int, asked time.Duration) time.Duration {
	const first = 500 * time.Millisecond
	d := first << min(tries-1, 6)
	d = d/2 + time.Duration(float64(d/2)*c.cfg.Jitter())
	return max(d, asked)
}

// send sends a body once and returns the bytes of an answer with status 200, which are no more than MaxAnswer. It is
// the one place from which anything leaves.
func (c *client) send(ctx context.Context, address string, raw []byte, call *Call) ([]byte, *fault) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	call.Request = digest(raw)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(raw))
	if err != nil {
		return nil, ofConnection(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Sanad-Judge/1")
	c.authorise(r)
	res, err := c.http.Do(r)
	if err != nil {
		return nil, ofConnection(err)
	}
	defer res.Body.Close() //nolint:errcheck // the body was only read
	if f := ofStatus(res, c.cfg.Now()); f != nil {
		return nil, f
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, int64(c.cfg.MaxAnswer)+1))
	switch {
	case err != nil:
		return nil, ofConnection(err)
	case len(answer) > c.cfg.MaxAnswer:
		return nil, tooLong()
	}
	call.Answer = digest(answer)
	return answer, nil
}

// authorise adds the key as the endpoint's kind takes it.
func (c *client) authorise(r *http.Request) {
	if c.cfg.Kind == Anthropic {
		r.Header.Set("Anthropic-Version", "2023-06-01")
	}
	switch {
	case c.cfg.Key == "":
	case c.cfg.Kind == Anthropic:
		r.Header.Set("X-Api-Key", c.cfg.Key)
	default:
		r.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
