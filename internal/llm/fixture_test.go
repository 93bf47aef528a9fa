package llm_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/llm"
	"sanad/internal/llm/llmtest"
)

const secret = "sk-very-secret-key"

// question is what a request of a judge asks, as a model would read it.
type question struct {
	llmtest.Question
	body string // of the request, whole
}

// endpoint is a server that speaks the protocols and answers as a test says.
type endpoint struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

// serve starts an endpoint. answer is called with the number of the request, from 1.
func serve(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request, q question)) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		e.requests, e.bodies = append(e.requests, r), append(e.bodies, string(raw))
		n := len(e.requests)
		e.mu.Unlock()
		answer(n, w, r, question{llmtest.QuestionOf(raw), string(raw)})
	}))
	t.Cleanup(e.Close)
	return e
}

// sayAll serves one kind of answer.
func sayAll(t *testing.T, say func(q question) string) *endpoint {
	return serve(t, func(_ int, w http.ResponseWriter, r *http.Request, q question) {
		_, _ = io.WriteString(w, llmtest.Completion(r.URL.Path, say(q)))
	})
}

// recorded are the waits and calls of a judge.
type recorded struct {
	mu    sync.Mutex
	waits []time.Duration
	calls []llm.Call
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// judgeAt makes a judge that asks an endpoint, does not really wait, and records.
func judgeAt(t *testing.T, kind llm.Kind, address string, change func(*llm.Config)) (*llm.Judge, *recorded) {
	rec := &recorded{}
	cfg := llm.Config{
		Kind: kind, Endpoint: address, Model: "test-model", Key: secret, Allow: loopback, Timeout: time.Minute,
		Now: time.Now, Jitter: func() float64 { return 0.5 },
		Price: llm.Price{In: 2, Out: 10},
		Wait: func(ctx context.Context, d time.Duration) error {
			rec.mu.Lock()
			defer rec.mu.Unlock()
			rec.waits = append(rec.waits, d)
			return ctx.Err()
		},
		Record: func(c llm.Call) {
			rec.mu.Lock()
			defer rec.mu.Unlock()
			rec.calls = append(rec.calls, c)
		},
	}
	if change != nil {
		change(&cfg)
	}
	j, err := llm.New(cfg)
	require.NoError(t, err)
	return j, rec
}

// measured trusts the model, so that its word counts.
func measured(c *llm.Config) { c.Trust = pointer.Trust{Supported: 0.95, Contradicted: 0.95} }

const (
	claim  = "Employees get 30 days of annual leave."
	source = "Employees get 30 days of annual leave. Leave is approved by the head of department."
)

// judged judges a claim against one text.
func judged(j *llm.Judge, claim, text string) judge.Result {
	return judge.JudgeRow(judge.Row{ID: "r", Claim: claim, Evidence: []judge.Evidence{{Doc: "d", Text: text}}}, j)
}

// verdict is a result's verdict, "" if it is unjudged.
func verdict(r judge.Result) string {
	if r.Verdict == nil {
		return ""
	}
	return string(*r.Verdict)
}

func claimOf(text string) *ledger.Claim { return &ledger.Claim{Text: text} }

func indexOf(text string) *judge.Index {
	return judge.NewIndex(judge.RowSession(judge.Row{Evidence: []judge.Evidence{{Doc: "d", Text: text}}}))
}
