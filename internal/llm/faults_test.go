package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/llm"
	"sanad/internal/llm/llmtest"
)

func serveText(t *testing.T, text string) *endpoint {
	return serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, _ question) { _, _ = io.WriteString(w, text) })
}

// status answers with a status, and names what a server might write, the key among it.
func status(code int, header ...string) func(int, http.ResponseWriter, *http.Request, question) {
	return func(_ int, w http.ResponseWriter, _ *http.Request, _ question) {
		if len(header) > 0 {
			w.Header().Set(header[0], header[1])
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":{"message":"wrong key %s"}}`, secret)
	}
}

// Each fault leaves the claim unjudged with a cause that names it, without the key and without the endpoint's words.
func TestFaults(t *testing.T) {
	cut := func(_ int, w http.ResponseWriter, r *http.Request, q question) {
		whole := llmtest.Completion(r.URL.Path, q.Says("supported", q.IDs[0]))
		w.Header().Set("Content-Length", fmt.Sprint(len(whole)))
		_, _ = io.WriteString(w, whole[:len(whole)/2])
	}
	text := func(s string) func(int, http.ResponseWriter, *http.Request, question) {
		return func(_ int, w http.ResponseWriter, _ *http.Request, _ question) { _, _ = io.WriteString(w, s) }
	}
	for name, c := range map[string]struct {
		answer func(int, http.ResponseWriter, *http.Request, question)
		code   string
		cause  string
		tries  int
	}{
		"429": {answer: status(429),
			code: "status 429", cause: "too busy (429)", tries: 4},
		"408": {answer: status(408),
			code: "status 408", cause: "too busy (408)", tries: 4},
		"503": {answer: status(503),
			code: "status 503", cause: "failed with an error (503)", tries: 4},
		"401": {answer: status(401),
			code: "status 401", cause: "does not accept the key (401)", tries: 1},
		"404": {answer: status(404),
			code: "status 404", cause: "no such path or model (404)", tries: 1},
		"418": {answer: status(418),
			code: "status 418", cause: "does not accept the request (418)", tries: 1},
		"redirect": {answer: status(302, "Location", "https://elsewhere.example/"),
			code: "status 302", cause: "redirects", tries: 1},
		"wait too long": {answer: status(429, "Retry-After", "3600"),
			code: "status 429", cause: "too busy (429)", tries: 1},
		"cut": {answer: cut,
			code: "cut", cause: "cut off", tries: 4},
		"broken JSON": {answer: text(`{"choices":[`),
			code: "malformed", cause: "not in the form", tries: 1},
		"no choice": {answer: text(`{"choices":[]}`),
			code: "malformed", cause: "not in the form", tries: 1},
		"HTML": {answer: text(`<html>login</html>`),
			code: "malformed", cause: "not in the form", tries: 1},
		"error inside": {answer: text(`{"error":{"message":"bad ` + secret + `","code":"invalid"}}`),
			code: "error inside", cause: "200, but its answer contains an error", tries: 1},
		"busy inside": {answer: text(`{"error":{"code":429,"message":"rate_limit"}}`),
			code: "error inside", cause: "200, but its answer contains an error", tries: 4},
		"refusal field": {answer: text(`{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"no"}}]}`),
			code: "refusal", cause: "declined", tries: 1},
		"token limit": {answer: text(`{"choices":[{"finish_reason":"length","message":{"content":"{"}}]}`),
			code: "token limit", cause: "token limit", tries: 1},
		"too long": {answer: text(`{"choices":"` + strings.Repeat("x", 2<<20) + `"}`),
			code: "too long", cause: "too long", tries: 1},
	} {
		e := serve(t, c.answer)
		j, rec := judgeAt(t, llm.OpenAI, e.URL, measured)
		r := judged(j, claim, source)
		require.Nil(t, r.Verdict, name)
		require.Contains(t, r.Unjudged, c.cause, name)
		require.NotContains(t, r.Unjudged, secret)
		require.Len(t, e.requests, c.tries, name)
		require.Len(t, rec.calls, 1)
		require.Equal(t, c.code, rec.calls[0].Fault, name)
		require.Equal(t, c.tries, rec.calls[0].Tries, name)
		require.NotContains(t, fmt.Sprintf("%+v", rec.calls), secret)
		_, err := j.Ask(context.Background(), claimOf(claim), indexOf(source))
		require.NotContains(t, fmt.Sprintf("%v %+v", err, err), secret, name)
	}
}

// Waits double with jitter, and are never shorter than the endpoint asks; then the answer counts.
func TestRetries(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	e := serve(t, func(n int, w http.ResponseWriter, r *http.Request, q question) {
		switch n {
		case 1:
			status(503)(n, w, r, q)
		case 2:
			status(429, "Retry-After", "7")(n, w, r, q)
		case 3:
			status(429, "Retry-After", now.Add(30*time.Second).Format(http.TimeFormat))(n, w, r, q)
		default:
			_, _ = io.WriteString(w, llmtest.Completion(r.URL.Path, q.Says("supported", q.IDs[0])))
		}
	})
	j, rec := judgeAt(t, llm.OpenAI, e.URL, func(c *llm.Config) {
		measured(c)
		c.Now = func() time.Time { return now }
	})
	require.Equal(t, "supported", verdict(judged(j, claim, source)))
	require.Equal(t, []time.Duration{375 * time.Millisecond, 7 * time.Second, 30 * time.Second}, rec.waits)
	require.Equal(t, 4, rec.calls[0].Tries)
}

// An endpoint that is not there is tried for seconds, not for minutes.
func TestAwayEndpoints(t *testing.T) {
	e := serveText(t, "")
	e.Close()
	j, rec := judgeAt(t, llm.OpenAI, e.URL, func(c *llm.Config) { measured(c); c.Tries = 9 })
	require.Contains(t, judged(j, claim, source).Unjudged, "cannot be reached")
	require.Equal(t, "connection", rec.calls[0].Fault)
	require.Equal(t, 4, rec.calls[0].Tries)
}

// Tries that failed otherwise do not count against those of one kind: a busy endpoint may be slow once.
func TestFaultsAreCountedApart(t *testing.T) {
	e := serve(t, func(n int, w http.ResponseWriter, r *http.Request, q question) {
		switch {
		case n <= 4:
			status(429)(n, w, r, q)
		case n == 5:
			<-r.Context().Done() // until the client gives up
		default:
			_, _ = io.WriteString(w, llmtest.Completion(r.URL.Path, q.Says("supported", q.IDs[0])))
		}
	})
	j, rec := judgeAt(t, llm.OpenAI, e.URL, func(c *llm.Config) { measured(c); c.Timeout, c.Tries = 300*time.Millisecond, 9 })
	require.Equal(t, "supported", verdict(judged(j, claim, source)))
	require.Equal(t, 6, rec.calls[0].Tries)
}

func TestSlowEndpoints(t *testing.T) {
	release := make(chan struct{})
	e := serve(t, func(_ int, _ http.ResponseWriter, r *http.Request, _ question) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	t.Cleanup(func() { close(release) })
	j, rec := judgeAt(t, llm.OpenAI, e.URL, func(c *llm.Config) { c.Timeout, c.Tries = 50*time.Millisecond, 9 })
	require.Contains(t, judged(j, claim, source).Unjudged, "did not answer in time")
	require.Equal(t, 3, rec.calls[0].Tries)
	require.Equal(t, "timeout", rec.calls[0].Fault)

	ctx, cancel := context.WithCancel(context.Background())
	e = serve(t, func(_ int, _ http.ResponseWriter, r *http.Request, _ question) {
		cancel()
		<-r.Context().Done()
	})
	j, rec = judgeAt(t, llm.OpenAI, e.URL, nil)
	require.Contains(t, judged(j.In(ctx), claim, source).Unjudged, "cancelled")
	require.Equal(t, 1, rec.calls[0].Tries)
}

// A server that refuses a schema is asked again without, and from then on only so.
func TestASchemaThatIsRefused(t *testing.T) {
	e := serve(t, func(n int, w http.ResponseWriter, r *http.Request, q question) {
		if n == 1 {
			status(400)(n, w, r, q)
			return
		}
		_, _ = io.WriteString(w, llmtest.Completion(r.URL.Path, q.Says("supported", q.IDs[0])))
	})
	j, rec := judgeAt(t, llm.OpenAI, e.URL, measured)
	for range 2 {
		require.Equal(t, "supported", verdict(judged(j, claim, source)))
	}
	require.Len(t, e.bodies, 3)
	require.Contains(t, e.bodies[0], "json_schema")
	require.NotContains(t, e.bodies[1]+e.bodies[2], "json_schema")
	require.Equal(t, []int{2, 1}, []int{rec.calls[0].Tries, rec.calls[1].Tries})
}

func TestCertificates(t *testing.T) {
	e := httptest.NewTLSServer(http.NotFoundHandler())
	defer e.Close()
	e.Config.ErrorLog = nil
	j, rec := judgeAt(t, llm.OpenAI, e.URL, nil)
	require.Contains(t, judged(j, claim, source).Unjudged, "certificate is not valid")
	require.Equal(t, "certificate", rec.calls[0].Fault)
	require.Equal(t, 1, rec.calls[0].Tries)
	plain := serveText(t, "")
	j, _ = judgeAt(t, llm.OpenAI, strings.Replace(plain.URL, "http:", "https:", 1), nil)
	require.Contains(t, judged(j, claim, source).Unjudged, "The TLS connection to the endpoint failed")
}

// Only the configured host is reached, and a private one only where it is allowed.
func TestEgress(t *testing.T) {
	e := serveText(t, "")
	for address, c := range map[string]struct{ cause string }{
		e.URL:                      {"Nothing is sent without TLS"},
		"https://127.0.0.1:1":      {"not public; allow it (--allow 127.0.0.1)"},
		"https://user:pw@x.test":   {"Remove user"},
		"ftp://x.test":             {"Give an address"},
		"https://":                 {"Give an address"},
		"https://[fd00::1]/v1":     {"not public"},
		"https://169.254.169.254/": {"not public"},
	} {
		_, err := llm.New(llm.Config{Kind: llm.OpenAI, Endpoint: address, Model: "m", Now: time.Now})
		require.ErrorContains(t, err, c.cause, address)
	}
	_, err := llm.New(llm.Config{Kind: llm.OpenAI, Endpoint: "https://[fd00::1]/v1", Model: "m", Allowing: "sanad serve --model-allow"})
	require.ErrorContains(t, err, "(sanad serve --model-allow fd00::1)")
	_, err = llm.New(llm.Config{Kind: llm.OpenAI, Endpoint: "https://x.test"})
	require.ErrorContains(t, err, "Name the model")
	_, err = llm.New(llm.Config{Kind: llm.NLI, Endpoint: "https://x.test/v1"})
	require.ErrorContains(t, err, "/rerank")
	_, err = llm.New(llm.Config{Kind: "oracle", Endpoint: "https://x.test/v1"})
	require.ErrorContains(t, err, "no judge")

	// a name that resolves to an address that is not allowed
	j, rec := judgeAt(t, llm.OpenAI, "https://localhost:1", func(c *llm.Config) { c.Allow = nil })
	require.Contains(t, judged(j, claim, source).Unjudged, "neither public nor allowed")
	require.Equal(t, "forbidden", rec.calls[0].Fault)
	require.Empty(t, e.requests)
}

// Many claims side by side: each is asked once and answered for itself.
func TestConcurrentClaims(t *testing.T) {
	e := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	j, rec := judgeAt(t, llm.OpenAI, e.URL, measured)
	batch := judge.NewBatch(j, judge.DefaultBudget)
	done := make(chan string)
	for i := range 50 {
		go func() {
			text := fmt.Sprintf("Item %d costs 5 euros.", i)
			r := batch.JudgeRow(judge.Row{Claim: text, Evidence: []judge.Evidence{{Doc: "d", Text: text}}})
			done <- verdict(r) + r.Unjudged
		}()
	}
	for range 50 {
		require.Equal(t, "supported", <-done)
	}
	require.Len(t, rec.calls, 50)
	require.Len(t, e.requests, 50)
}
