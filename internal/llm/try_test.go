package llm_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/llm"
	"sanad/internal/llm/llmtest"
)

// TestTry asks the fixed question once: what came is told, with the fault's code, and no word of anybody is sent.
func TestTry(t *testing.T) {
	example, err := llm.Example()
	require.NoError(t, err)
	require.Contains(t, example, "Annual leave is 15 days.")
	for name, x := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, q question)
		fault  string
		note   string
	}{
		"supported": {answer: func(w http.ResponseWriter, r *http.Request, q question) {
			_, _ = w.Write([]byte(llmtest.Completion(r.URL.Path, q.Says("supported", q.IDs[0]))))
		}},
		"not seen": {answer: func(w http.ResponseWriter, r *http.Request, q question) {
			_, _ = w.Write([]byte(llmtest.Completion(r.URL.Path, q.Says("not_found"))))
		}, note: "other"},
		"key":  {answer: func(w http.ResponseWriter, _ *http.Request, _ question) { w.WriteHeader(401) }, fault: "status 401"},
		"busy": {answer: func(w http.ResponseWriter, _ *http.Request, _ question) { w.WriteHeader(429) }, fault: "status 429"},
		"prose": {answer: func(w http.ResponseWriter, r *http.Request, _ question) {
			_, _ = w.Write([]byte(llmtest.Completion(r.URL.Path, "Of course!")))
		}, fault: "answer"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request, q question) {
				asked++
				x.answer(w, r, q)
			})
			tried := llm.Try(context.Background(), llm.Config{Kind: llm.OpenAI, Endpoint: s.URL + "/v1", Model: "m",
				Allow: loopback, Now: time.Now, Jitter: func() float64 { return 0 }})
			require.Equal(t, []any{x.fault, x.note, 1}, []any{tried.Fault, tried.Note, asked})
			if x.fault == "" {
				require.Positive(t, tried.TokensIn)
			}
			require.Contains(t, s.bodies[0], "Annual leave is 15 days.")
		})
	}
	away := llm.Try(context.Background(), llm.Config{Kind: llm.OpenAI, Endpoint: "https://127.0.0.1:9/v1", Model: "m",
		Now: time.Now, Jitter: func() float64 { return 0 }})
	require.Equal(t, "forbidden", away.Fault)
}
