package llm_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/llm"
	"sanad/internal/llm/llmtest"
)

// TestNothingOfTheEnvironmentIsSent: neither what vendors' libraries would read of the environment, nor what they would
// tell of the machine, leaves. The headers that do are listed.
func TestNothingOfTheEnvironmentIsSent(t *testing.T) {
	const planted = "planted-by-the-environment"
	elsewhere := serveText(t, "")
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ORG_ID", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		t.Setenv(name, planted)
	}
	for _, name := range []string{"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, elsewhere.URL)
	}
	e := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	for _, kind := range chats {
		for _, key := range []string{secret, ""} {
			j, _ := judgeAt(t, kind, e.URL+"/base/?tenant=7", func(c *llm.Config) { measured(c); c.Key = key })
			require.Equal(t, "supported", verdict(judged(j, claim, source)), kind)
		}
	}
	require.Empty(t, elsewhere.requests)
	want := []string{"Accept", "Accept-Encoding", "Content-Length", "Content-Type", "User-Agent"}
	for i, keyed := range [][]string{{"Authorization"}, nil, {"Anthropic-Version", "X-Api-Key"}, {"Anthropic-Version"}} {
		r := e.requests[i]
		require.Equal(t, slices.Sorted(slices.Values(append(keyed, want...))), slices.Sorted(maps.Keys(r.Header)))
		require.Equal(t, "Sanad-Judge/1", r.UserAgent())
		require.Equal(t, "tenant=7", r.URL.RawQuery)
		require.NotContains(t, fmt.Sprint(r.Header, e.bodies[i]), planted)
	}
	require.Equal(t, "/base/chat/completions", e.requests[0].URL.Path)
	require.Equal(t, "/base/v1/messages", e.requests[2].URL.Path)
}

// A question is sent at most so often as is configured, also where the schema is refused in between.
func TestTriesAreCountedOnce(t *testing.T) {
	for _, c := range []struct {
		tries int
		codes []int // what the endpoint answers; from then on well
		sent  int
		want  string
	}{
		{tries: 4, codes: []int{503, 400, 503}, sent: 4, want: "supported"},
		{tries: 4, codes: []int{503, 503, 422, 503, 200}, sent: 4, want: ""},
		{tries: 4, codes: []int{503, 503, 503, 400, 200}, sent: 4, want: ""},
		{tries: 2, codes: []int{400, 503, 200}, sent: 2, want: ""},
		{tries: 1, codes: []int{400}, sent: 2, want: "supported"}, // else it could never be found out
		{tries: 1, codes: []int{503}, sent: 1, want: ""},
	} {
		e := serve(t, func(n int, w http.ResponseWriter, r *http.Request, q question) {
			if n <= len(c.codes) && c.codes[n-1] != http.StatusOK {
				status(c.codes[n-1])(n, w, r, q)
				return
			}
			_, _ = io.WriteString(w, llmtest.Completion(r.URL.Path, q.Says("supported", q.IDs[0])))
		})
		j, rec := judgeAt(t, llm.OpenAI, e.URL, func(cfg *llm.Config) { measured(cfg); cfg.Tries = c.tries })
		require.Equal(t, c.want, verdict(judged(j, claim, source)), "%+v", c)
		require.Len(t, e.requests, c.sent, "%+v", c)
		require.Equal(t, c.sent, rec.calls[0].Tries)
	}
}

// Answers that are JSON, but not of the kind: nothing is guessed, nothing panics.
func TestAnswersOfAnotherKind(t *testing.T) {
	for _, answer := range []string{
		`null`, `[]`, `"text"`, `7`, `{}`, `{"choices":null}`, `{"choices":{}}`, `{"choices":[null]}`, `{"choices":[7]}`,
		`{"choices":[{"message":null}]}`, `{"choices":[{"message":"hi"}]}`, `{"choices":[{"message":{"content":7}}]}`,
		`{"choices":[{"message":{"content":["a"]}}]}`, `{"choices":[{"message":{}},{"message":{}}]}`,
		`{"choices":[{"message":{"content":"x"}}],"usage":"many"}`, `{"type":"message"}`, `{"type":"message","content":"x"}`,
		`{"type":"message","content":[{"type":"text","text":7}]}`, `{"type":"message","content":[null,7,"x"]}`,
		`{"type":7,"content":[]}`, `{"type":"completion","content":[{"type":"text","text":"x"}]}`,
		`{"type":"message","content":[{"type":"tool_use","name":"x","input":{}}],"usage":null}`,
	} {
		for _, kind := range chats {
			j, rec := judgeAt(t, kind, serveText(t, answer).URL, measured)
			r := judged(j, claim, source)
			require.Nil(t, r.Verdict, "%s %s", kind, answer)
			require.NotEmpty(t, r.Unjudged)
			require.GreaterOrEqual(t, rec.calls[0].TokensIn, 0)
		}
	}
}
