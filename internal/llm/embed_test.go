package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/redact"
	"sanad/internal/llm"
)

// topics are what the embeddings that are played know: each is a direction, in both languages.
var topics = [][]string{
	{"leave", "إجازة"}, {"canteen", "مقصف"}, {"parking", "مواقف"}, {"salary", "راتب"},
}

// embeddings plays an endpoint of the shape /v1/embeddings.
func embeddings(t *testing.T) *endpoint {
	var e *endpoint
	e = serve(t, func(n int, w http.ResponseWriter, _ *http.Request, _ question) {
		e.mu.Lock()
		body := e.bodies[n-1]
		e.mu.Unlock()
		var in struct{ Input []string }
		if json.Unmarshal([]byte(body), &in) != nil || len(in.Input) > 32 {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		data := make([]string, len(in.Input))
		for i, text := range in.Input {
			vector := []float64{0, 0, 0, 0, 0.1}
			for k, words := range topics {
				for _, word := range words {
					if strings.Contains(strings.ToLower(text), word) {
						vector[k] = 3
					}
				}
			}
			raw, _ := json.Marshal(vector)
			data[len(data)-1-i] = fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, raw)
		}
		fmt.Fprintf(w, `{"object":"list","data":[%s],"model":"m","usage":{"prompt_tokens":%d,"total_tokens":7}}`,
			strings.Join(data, ","), 10*len(in.Input))
	})
	return e
}

// arabic are sources that share no word with an English claim; the one about the canteen is the last but one.
func arabic() (row judge.Row) {
	for i := range 60 {
		text := fmt.Sprintf("تنظم المادة %d شؤون مواقف السيارات في المبنى.", i)
		if i == 58 {
			text = "يغلق مقصف الموظفين أبوابه يوم الجمعة."
		}
		row.Evidence = append(row.Evidence, judge.Evidence{Doc: fmt.Sprint("وثيقة ", i), Text: text})
	}
	return row
}

func withEmbeddings(at *endpoint) func(*llm.Config) {
	return func(c *llm.Config) {
		measured(c)
		c.Embeddings = llm.Embeddings{Endpoint: at.URL + "/v1", Model: "e5", Key: "sk-embeddings"}
	}
}

// An English claim over Arabic sources: BM25 finds nothing, the embeddings do, and the right passage is asked about
// first.
func TestEmbeddingsFindAcrossLanguages(t *testing.T) {
	e := sayAll(t, func(q question) string {
		if !strings.Contains(q.Text, "مقصف") {
			return q.Says("not_found")
		}
		return q.Says("supported", q.IDs[0])
	})
	row := arabic()
	row.Claim = "The staff canteen is closed on Fridays."
	j, _ := judgeAt(t, llm.OpenAI, e.URL, measured)
	require.Equal(t, "not_found", verdict(judge.JudgeRow(row, j)), "without embeddings it is not among what is shown")

	vectors := embeddings(t)
	j, rec := judgeAt(t, llm.OpenAI, e.URL, withEmbeddings(vectors))
	r := judge.JudgeRow(row, j)
	require.Equal(t, "supported", verdict(r), r.Unjudged)
	require.Equal(t, row.Evidence[58].Text, r.Matches[0].Snippet)
	require.Equal(t, "/v1/embeddings", vectors.requests[0].URL.Path)
	require.Equal(t, "Bearer sk-embeddings", vectors.requests[0].Header.Get("Authorization"))
	require.Equal(t, "Bearer "+secret, e.requests[1].Header.Get("Authorization"), "each has its own key")
	require.Len(t, vectors.requests, 2, "61 texts, 32 at a time")
	require.Equal(t, [3]int{1, 2, 610}, [3]int{rec.calls[0].Tries, rec.calls[0].EmbeddingsTries, rec.calls[0].EmbeddingsTokens})
	require.Empty(t, rec.calls[0].EmbeddingsFault)
	require.Equal(t, "e5", j.Parameters()["embeddings"])
}

// The passages of a session are embedded once, whoever asks first; the other claims ask about themselves alone.
func TestPassagesAreEmbeddedOnce(t *testing.T) {
	e := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	vectors := embeddings(t)
	j, rec := judgeAt(t, llm.OpenAI, e.URL, withEmbeddings(vectors))
	x := judge.NewIndex(judge.RowSession(arabic()))
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			o, err := j.Ask(context.Background(), claimOf("The canteen closes "+strings.Repeat("very ", i)+"early."), x)
			if err != nil || len(o.Matches) != 1 || !strings.Contains(o.Matches[0].Snippet, "مقصف") {
				t.Errorf("%d: %v, %v", i, o.Matches, err)
			}
		})
	}
	group.Wait()
	times := map[string]int{}
	for _, body := range vectors.bodies {
		var in struct{ Input []string }
		require.NoError(t, json.Unmarshal([]byte(body), &in))
		for _, text := range in.Input {
			times[text]++
		}
	}
	require.Len(t, times, 80)
	for text, n := range times {
		require.Equal(t, 1, n, text)
	}
	tokens := 0
	for _, c := range rec.calls {
		tokens += c.EmbeddingsTokens
	}
	require.Equal(t, 800, tokens)
}

// Where the embeddings fail, BM25 alone finds, the cause is recorded, and the endpoint is left alone for a while.
func TestEmbeddingsThatFail(t *testing.T) {
	e := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	for answer, code := range map[string]string{
		`{"data":[]}`:                            "malformed",
		`[1,2]`:                                  "malformed",
		`{"error":{"message":"` + secret + `"}}`: "error inside",
		`{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,0]}]}`:                 "malformed",
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`:                     "malformed",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`:                   "malformed",
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`:                       "malformed",
		`{"data":[{"index":0,"embedding":[1e308,1e308]},{"index":1,"embedding":[1e308,1e308]}]}`: "malformed",
	} {
		vectors := serveText(t, answer)
		now := time.Now()
		j, rec := judgeAt(t, llm.OpenAI, e.URL, func(c *llm.Config) {
			withEmbeddings(vectors)(c)
			c.Now = func() time.Time { return now }
		})
		for range 3 {
			r := judged(j, claim, source)
			require.Equal(t, "supported", verdict(r), "%s: %s", answer, r.Unjudged)
		}
		for _, c := range rec.calls {
			require.Equal(t, code, c.EmbeddingsFault, answer)
			require.Empty(t, c.Fault)
		}
		require.Len(t, vectors.requests, 1, "it rests")
		now = now.Add(2 * time.Minute)
		judged(j, claim, source)
		require.Len(t, vectors.requests, 2)
	}
	away := serve(t, status(503))
	j, rec := judgeAt(t, llm.OpenAI, e.URL, withEmbeddings(away))
	require.Equal(t, "supported", verdict(judged(j, claim, source)))
	require.Equal(t, "status 503", rec.calls[0].EmbeddingsFault)
	require.Equal(t, [2]int{1, 4}, [2]int{rec.calls[0].Tries, rec.calls[0].EmbeddingsTries})
}

func TestEmbeddingsAreConfigured(t *testing.T) {
	for want, c := range map[string]llm.Embeddings{
		"embeddings: Give an address":                {Endpoint: "somewhere", Model: "m"},
		"embeddings-model: Name the model":           {Endpoint: "https://x.test/v1"},
		"embeddings: Nothing is sent without TLS":    {Endpoint: "http://x.test/v1", Model: "m"},
		"embeddings: This address is not public":     {Endpoint: "https://169.254.169.254", Model: "m"},
		"embeddings: Remove user, password and frag": {Endpoint: "https://a:b@x.test", Model: "m"},
	} {
		_, err := llm.New(llm.Config{Kind: llm.OpenAI, Endpoint: "https://x.test", Model: "m", Now: time.Now, Embeddings: c})
		require.ErrorContains(t, err, strings.SplitN(want, ": ", 2)[1])
		require.Contains(t, fmt.Sprintf("%+v", err), strings.SplitN(want, ": ", 2)[0])
	}
}

// With redaction no value leaves, neither to the model nor to the scorer nor to the embeddings, also where only another
// text tells what it is; the evidence has the words of the source.
func TestNoSecretValueLeaves(t *testing.T) {
	r, err := redact.New([]redact.Pattern{{Kind: "case_no", Expr: `CASE-\d+`}})
	require.NoError(t, err)
	secrets := []string{"123 4567", "0501234567", "٠٥٠١٢٣٤٥٦٧", "sara@", "4455667", "4471"}
	row := judge.Row{Claim: "Sara answers 0501234567; the line 4455667 (phone: 4455667) is for CASE-4471.",
		Evidence: []judge.Evidence{
			{Doc: "of sara@example.com", Text: "Sara answers +966 50 123 4567. The line 4455667 is for CASE-4471."},
			{Doc: "numbers", Text: "رقم جوال سارة ٠٥٠١٢٣٤٥٦٧. Write to sara@example.com."},
			{Doc: "bare", Text: "4455667 is open on Sundays."},
		}}
	vectors := embeddings(t)
	say := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	scores := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, _ question) {
		_, _ = io.WriteString(w, `[{"index":0,"score":0.9},{"index":1,"score":0.1},{"index":2,"score":0.1},`+
			`{"index":3,"score":0.1},{"index":4,"score":0.1}]`)
	})
	for kind, at := range map[llm.Kind]string{llm.OpenAI: say.URL, llm.Anthropic: say.URL, llm.NLI: scores.URL + "/rerank"} {
		j, _ := judgeAt(t, kind, at, func(c *llm.Config) { withEmbeddings(vectors)(c); c.Redact = r })
		got := judge.JudgeRow(row, j)
		require.Empty(t, got.Unjudged, kind)
		require.NotEmpty(t, got.Matches, kind)
		require.Contains(t, row.Evidence[0].Text+row.Evidence[1].Text+row.Evidence[2].Text, got.Matches[0].Snippet)
		require.Equal(t, r.Profile(), j.Parameters()["redaction"])
	}
	all := append(append(append([]string{}, say.bodies...), scores.bodies...), vectors.bodies...)
	require.Len(t, all, 6)
	for _, body := range all {
		for _, secret := range secrets {
			require.NotContains(t, body, secret)
		}
		require.Contains(t, body, "[phone 1]")
		require.Contains(t, body, "[case no 1]")
	}
	j, _ := judgeAt(t, llm.OpenAI, say.URL, measured)
	judge.JudgeRow(row, j)
	require.Contains(t, say.bodies[len(say.bodies)-1], "0501234567", "nothing is covered unless it is asked for")
}
