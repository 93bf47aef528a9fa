// Package llmtest plays an endpoint that judges over the network, for the tests of those who ask one.
package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// Question is what a request asks, as a model would read it.
type Question struct {
	ClaimID string // as the answer must name it
	Claim   string // its words
	IDs     []string
	Text    string // all of the last message

	Sentences []string // that a scorer is asked about with the claim; a model has them in Text
}

var (
	claimID = regexp.MustCompile(`Answer for claim (C\d+)`)
	claimOf = regexp.MustCompile(`(?s)Claim C\d+:\n<<<data [0-9a-f]+\n> (.*?)\ndata `)
	headers = regexp.MustCompile(`=== (E\d+) \(`)
)

// QuestionOf reads the body of a request, of both shapes.
func QuestionOf(raw []byte) (q Question) {
	var body struct {
		Messages []struct{ Content json.RawMessage }
	}
	_ = json.Unmarshal(raw, &body)
	if n := len(body.Messages); n > 0 {
		q.Text = contentOf(body.Messages[n-1].Content)
	}
	if m := claimID.FindStringSubmatch(q.Text); m != nil {
		q.ClaimID = m[1]
	}
	if m := claimOf.FindStringSubmatch(q.Text); m != nil {
		q.Claim = m[1]
	}
	for _, m := range headers.FindAllStringSubmatch(q.Text, -1) {
		q.IDs = append(q.IDs, m[1])
	}
	return q
}

// contentOf is the text of a message: it stands there as it is, or in blocks.
func contentOf(raw json.RawMessage) (text string) {
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var blocks []struct{ Type, Text string }
	_ = json.Unmarshal(raw, &blocks)
	for _, b := range blocks {
		text += b.Text
	}
	return text
}

// Says writes an answer that points to ids.
func (q *Question) Says(verdict string, ids ...string) string {
	raw, _ := json.Marshal(map[string]any{"claim": q.ClaimID, "verdict": verdict, "evidence_ids": append([]string{}, ids...),
		"differs": "", "confidence": 0.9})
	return string(raw)
}

// First points to the first sentence.
func (q *Question) First(verdict string) string {
	return q.Says(verdict, q.IDs[:min(1, len(q.IDs))]...)
}

// Completion wraps what a model says in the shape that a path has, with 100 tokens in and 10 out.
func Completion(path, said string) string {
	text, _ := json.Marshal(said)
	if strings.HasSuffix(path, "/messages") {
		return `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":` + string(text) +
			`}],"stop_reason":"end_turn","usage":{"input_tokens":100,"output_tokens":10}}`
	}
	return `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",` +
		`"message":{"role":"assistant","content":` + string(text) +
		`}}],"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}}`
}

// Endpoint is a server that answers as its fields say, which are set before it is asked.
type Endpoint struct {
	*httptest.Server
	Say     func(q Question) string                                              // nil: supported, by the first sentence
	Refuse  func(n int) (status int)                                             // of the n-th request, from 1; 0 answers it; nil answers all
	Latency time.Duration                                                        // of each answer
	Before  func(n int, r *http.Request) bool                                    // nil, or reports whether the request is answered at all
	Score   func(claim, sentence string) Pair                                    // what a scorer says of a pair; nil: it supports by 0.9
	Play    func(n int, w http.ResponseWriter, r *http.Request, q Question) bool // nil, or reports whether it has answered itself

	mu       sync.Mutex
	requests int
	answered map[string]int
	keys     map[string]bool
}

// Serve starts an endpoint that ends with the test.
func Serve(t testing.TB) *Endpoint {
	e := &Endpoint{answered: map[string]int{}, keys: map[string]bool{}}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// ServeHTTP answers one question.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	e.mu.Lock()
	e.requests++
	n := e.requests
	e.keys[r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")] = true
	e.mu.Unlock()
	if e.Before != nil && !e.Before(n, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if e.Refuse != nil {
		if status := e.Refuse(n); status != 0 {
			w.WriteHeader(status)
			return
		}
	}
	q := QuestionOf(raw)
	if q.Claim == "" {
		q.Claim, q.Sentences = pairsOf(r.URL.Path, raw)
	}
	if e.Play != nil && e.Play(n, w, r, q) {
		return
	}
	answer := ""
	switch {
	case len(q.Sentences) > 0:
		answer = e.scored(r.URL.Path, q)
	case e.Say != nil:
		answer = Completion(r.URL.Path, e.Say(q))
	default:
		answer = Completion(r.URL.Path, q.First("supported"))
	}
	time.Sleep(e.Latency)
	e.mu.Lock()
	e.answered[q.Claim]++
	e.mu.Unlock()
	_, _ = io.WriteString(w, answer)
}

// Requests is how many came.
func (e *Endpoint) Requests() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.requests
}

// Answered returns how often each claim was answered, by its words.
func (e *Endpoint) Answered() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make(map[string]int, len(e.answered))
	for claim, n := range e.answered {
		out[claim] = n
	}
	return out
}

// Keys returns the keys that came.
func (e *Endpoint) Keys() (out []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for k := range e.keys {
		out = append(out, k)
	}
	return out
}
