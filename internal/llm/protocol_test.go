package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/redact"
	"sanad/internal/llm"
	"sanad/internal/llm/llmtest"
)

// target is an endpoint that the tests of the protocols ask: one that a test plays, or a live one.
type target struct {
	kind                llm.Kind
	address, model, key string
	live                bool
}

// liveTargets are the endpoints that the environment names, each by an address, a model and a key.
func liveTargets() []target {
	return []target{
		{kind: llm.OpenAI, live: true, address: os.Getenv("SANAD_LIVE_OPENAI"),
			model: os.Getenv("SANAD_LIVE_MODEL"), key: os.Getenv("SANAD_LIVE_KEY")},
		{kind: llm.Anthropic, live: true, address: os.Getenv("SANAD_LIVE_ANTHROPIC"),
			model: os.Getenv("SANAD_LIVE_ANTHROPIC_MODEL"), key: os.Getenv("SANAD_LIVE_ANTHROPIC_KEY")},
		{kind: llm.NLI, live: true, address: os.Getenv("SANAD_LIVE_NLI"),
			model: os.Getenv("SANAD_LIVE_NLI_MODEL"), key: os.Getenv("SANAD_LIVE_NLI_KEY")},
	}
}

// judge makes a judge that asks the target.
func (g target) judge(t *testing.T, change func(*llm.Config)) (*llm.Judge, *recorded) {
	return judgeAt(t, g.kind, g.address, func(c *llm.Config) {
		measured(c)
		c.Model, c.Key = g.model, g.key
		if g.live {
			c.Wait, c.Timeout = nil, 0
			c.Allow = append(c.Allow, netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0"))
		}
		if change != nil {
			change(c)
		}
	})
}

// plain are statements about source and what a careful reader says of them.
var plain = map[string]string{
	claim:                                    "supported",
	"Employees get 25 days of annual leave.": "contradicted",
	"The canteen is closed on Fridays.":      "not_found",
	"يحصل الموظفون على ثلاثين يوما من الإجازة السنوية.": "supported",
}

// played starts an endpoint that behaves as those of its kind do: it looks at key, model and limit of tokens, and
// knows the plain statements.
func played(t *testing.T, kind llm.Kind) target {
	e := serve(t, func(n int, w http.ResponseWriter, r *http.Request, q question) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if kind == llm.Anthropic {
			key = r.Header.Get("X-Api-Key")
		}
		if key != secret {
			status(http.StatusUnauthorized)(n, w, r, q)
			return
		}
		if kind == llm.NLI {
			_, _ = io.WriteString(w, entailment(q.body))
			return
		}
		var body struct {
			Model               string
			MaxTokens           int `json:"max_tokens"`
			MaxCompletionTokens int `json:"max_completion_tokens"`
		}
		_ = json.Unmarshal([]byte(q.body), &body)
		switch {
		case body.Model != "test-model":
			status(http.StatusNotFound)(n, w, r, q)
		case max(body.MaxTokens, body.MaxCompletionTokens) < 20:
			_, _ = io.WriteString(w, strings.NewReplacer(`"stop"`, `"length"`, `"end_turn"`, `"max_tokens"`).
				Replace(llmtest.Completion(r.URL.Path, `{"cl`)))
		default:
			_, _ = io.WriteString(w, llmtest.Completion(r.URL.Path, answerOf(q)))
		}
	})
	g := target{kind: kind, address: e.URL, model: "test-model", key: secret}
	if kind == llm.NLI {
		g.address += "/predict"
	}
	return g
}

// answerOf says of a plain statement what is true, and of others that nothing is found.
func answerOf(q question) string {
	_, asked, _ := strings.Cut(q.Text, "\n> ")
	asked, _, _ = strings.Cut(asked, "\n")
	switch verdict := plain[asked]; verdict {
	case "", "not_found":
		return q.Says("not_found")
	default:
		return q.Says(verdict, q.IDs[0])
	}
}

// entailment scores pairs as answerOf answers.
func entailment(body string) string {
	var in struct{ Inputs [][2]string }
	_ = json.Unmarshal([]byte(body), &in)
	label := map[string]string{"supported": "entailment", "contradicted": "contradiction"}
	var out []string
	for _, pair := range in.Inputs {
		says := "neutral"
		if l := label[plain[pair[1]]]; l != "" && strings.Contains(pair[0], "30 days") {
			says = l
		}
		out = append(out, fmt.Sprintf(`[{"label":%q,"score":0.97}]`, says))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// TestProtocols asks endpoints of each kind in the same way, the played and the live ones.
func TestProtocols(t *testing.T) {
	for _, kind := range llm.Kinds {
		t.Run("played "+string(kind), func(t *testing.T) { protocol(t, played(t, kind)) })
	}
	for _, g := range liveTargets() {
		t.Run("live "+string(g.kind), func(t *testing.T) {
			if g.address == "" {
				t.Skipf("not run against a live endpoint of the kind %s: CONTRIBUTING.md names the variables", g.kind)
			}
			t.Logf("asking the live endpoint for %s", g.model)
			protocol(t, g)
		})
	}
}

// protocol is what holds for every endpoint. Of a live one the verdicts are written down, not demanded.
func protocol(t *testing.T, g target) {
	j, rec := g.judge(t, nil)
	for statement, want := range plain {
		r := judged(j, statement, source)
		require.Empty(t, r.Unjudged, statement)
		if g.live {
			t.Logf("%s: %s, a careful reader says %s", statement, verdict(r), want)
		} else {
			require.Equal(t, want, verdict(r), statement)
		}
		for _, m := range r.Matches {
			require.Contains(t, source, m.Snippet, "the source's words")
		}
	}
	for _, c := range rec.calls {
		require.Empty(t, c.Fault)
		require.Equal(t, 1, c.Tries)
		require.Len(t, c.Answer, 64)
		if g.kind != llm.NLI {
			require.Positive(t, c.TokensIn)
			require.Positive(t, c.TokensOut)
		}
	}

	fault := func(change func(*llm.Config)) (cause, code string) {
		j, rec := g.judge(t, func(c *llm.Config) { c.Tries = 1; change(c) })
		r := judged(j, claim, source)
		require.Nil(t, r.Verdict)
		require.NotContains(t, r.Unjudged, secret)
		return r.Unjudged, rec.calls[0].Fault
	}
	cause, code := fault(func(c *llm.Config) { c.Timeout = time.Microsecond })
	require.Equal(t, "timeout", code, cause)
	if g.key != "" {
		cause, code = fault(func(c *llm.Config) { c.Key = "sk-of-nobody" })
		require.Regexp(t, `^status 40[013]$`, code, cause)
	}
	if g.kind != llm.NLI {
		cause, code = fault(func(c *llm.Config) { c.Model = "no-such-model-here" })
		require.Regexp(t, `^status 4\d\d$`, code, cause)
		_, code = fault(func(c *llm.Config) { c.MaxTokens = 1 })
		require.Regexp(t, `^(token limit|answer|status 4\d\d)$`, code)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.Contains(t, judged(j.In(ctx), claim, source).Unjudged, "cancelled")

	r, err := redact.New(nil)
	require.NoError(t, err)
	j, _ = g.judge(t, func(c *llm.Config) { c.Redact = r })
	require.Empty(t, judged(j, "The desk answers 0501234567.", "The desk answers +966 50 123 4567 on weekdays.").Unjudged)
}
