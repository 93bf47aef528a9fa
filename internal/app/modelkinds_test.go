package app

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/domain/text"
	"sanad/internal/llm/llmtest"
)

// kinds are the endpoints that judge, by the end of their address.
var kinds = map[string]model.Kind{
	"/v1": model.OpenAI, "": model.Anthropic,
	"/predict": model.NLI, "/rerank": model.NLI, "/infer": model.NLI, "/classify": model.NLI, "/score": model.NLI,
}

// ofKind changes an endpoint into one of a kind, at the end of its address.
func ofKind(end string) func(*model.Endpoint) {
	return func(e *model.Endpoint) {
		e.Kind, e.URL = kinds[end], strings.TrimSuffix(e.URL, "/v1")+end
		e.Trust = model.Trust{Supported: 0.95, Contradicted: 0.95}
	}
}

// verdicts judges all claims by the endpoint, and returns the ledger's verdicts.
func (a *asking) verdicts(t *testing.T) (*ledger.Session, []ledger.Verdict) {
	t.Helper()
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Every)).State)
	s := a.loaded(t)
	var out []ledger.Verdict
	for _, e := range ledger.Assess(s, ledger.DefaultFreshness).Entries {
		out = append(out, e.Verdict)
	}
	return s, out
}

// leaves are three claims: one that the source says, one that it contradicts, one that it says nothing of.
const leaves = `{"format":"sanad.session/v1","session":{"external_id":"hr","title":"Leave","answer":"Leave is 15 days."},
 "documents":[{"id":"hr","filename":"HR.pdf","text":"All permanent employees receive 15 days of paid annual leave. Requests are sent to the head of department."}],
 "claims":[{"claim_id":"c1","claim_text":"All permanent employees receive 15 days of paid annual leave"},
  {"claim_id":"c2","claim_text":"All permanent employees receive 30 days of paid annual leave"},
  {"claim_id":"c3","claim_text":"The canteen is open on Fridays"}]}`

// right says of each of these claims what is right.
func right(q llmtest.Question) string {
	switch {
	case strings.Contains(q.Claim, "15 days"):
		return q.First("supported")
	case strings.Contains(q.Claim, "30 days"):
		return q.First("contradicted")
	}
	return q.Says("not_found")
}

// rightOf is right of a pair.
func rightOf(claim, sentence string) llmtest.Pair {
	switch {
	case !strings.Contains(sentence, "15 days"):
		return llmtest.Pair{}
	case strings.Contains(claim, "15 days"):
		return llmtest.Pair{Supports: 0.97}
	case strings.Contains(claim, "30 days"):
		return llmtest.Pair{Contradicts: 0.97}
	}
	return llmtest.Pair{}
}

// TestEveryKindJudgesASession: an endpoint of each kind and shape is asked by a run, with its key in its own header,
// and its words become the ledger's verdicts, with the store's words as evidence.
func TestEveryKindJudgesASession(t *testing.T) {
	for end, kind := range kinds {
		t.Run(string(kind)+end, func(t *testing.T) {
			t.Parallel()
			a := newAsking(t, leaves, ofKind(end))
			a.server.Say, a.server.Score = right, rightOf
			s, got := a.verdicts(t)
			second := ledger.Contradicted
			if end == "/rerank" || end == "/score" { // one figure says what supports alone
				second = ledger.NotFound
			}
			require.Equal(t, []ledger.Verdict{ledger.Supported, second, ledger.NotFound}, got)
			require.Equal(t, string(kind), s.Run.Judge)
			m := s.Claims[0].Matches[0]
			require.Equal(t, text.Exact, m.Quote.Kind)
			require.Contains(t, m.Snippet, "15 days of paid annual leave")
			require.Equal(t, "3", s.Run.Parameters["asked"])
			require.Empty(t, s.Run.Parameters["failed"])
			want := []string{"Bearer sk-1"}
			if kind == model.Anthropic {
				want = []string{"sk-1"}
			}
			require.Equal(t, want, a.server.Keys())
			require.Equal(t, 3, a.spent(t).Calls)
			require.Positive(t, a.spent(t).TokensIn, "estimated where an endpoint does not count")
			n := a.server.Requests()
			_, again := a.verdicts(t)
			require.Equal(t, got, again)
			require.Equal(t, n, a.server.Requests(), "its answers are known")
		})
	}
}

// played answers every request with a text.
func played(answer string) func(int, http.ResponseWriter, *http.Request, llmtest.Question) bool {
	return func(_ int, w http.ResponseWriter, _ *http.Request, _ llmtest.Question) bool {
		_, _ = io.WriteString(w, answer)
		return true
	}
}

// cutOff promises more than it sends.
func cutOff(_ int, w http.ResponseWriter, _ *http.Request, _ llmtest.Question) bool {
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, `{"`)
	return true
}

// TestFaultsOfEveryKindInSessions: whatever an endpoint of each kind does wrong leaves the claims unjudged in the
// ledger, with a cause that names it; nothing of it becomes a verdict.
func TestFaultsOfEveryKindInSessions(t *testing.T) {
	type play = func(int, http.ResponseWriter, *http.Request, llmtest.Question) bool
	unknown := func(q llmtest.Question) string { return q.Says("supported", "E998", "E999") }
	for name, c := range map[string]struct {
		ends  []string
		play  play
		say   func(llmtest.Question) string
		cause string
		tries int // of each question
		param string
	}{
		"error inside, anthropic": {ends: []string{""},
			play:  played(`{"type":"error","error":{"type":"invalid_request_error","message":"sk-1"}}`),
			cause: "200, but its answer contains an error", tries: 1},
		"error inside, busy, anthropic": {ends: []string{""}, play: played(`{"type":"error","error":{"type":"overloaded_error"}}`),
			cause: "200, but its answer contains an error", tries: modelTries},
		"error inside": {ends: []string{"/v1", "/predict", "/rerank", "/infer", "/classify", "/score"},
			play: played(`{"error":"out of memory","error_type":"backend"}`), cause: "200, but its answer contains an error", tries: 1},
		"refusal, anthropic": {ends: []string{""},
			play: played(`{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"refusal",` +
				`"usage":{"input_tokens":5,"output_tokens":1}}`), cause: "declined", tries: 1},
		"token limit, anthropic": {ends: []string{""},
			play: played(`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"{\"cl"}],` +
				`"stop_reason":"max_tokens","usage":{"input_tokens":5,"output_tokens":1}}`), cause: "token limit", tries: 1},
		"refusal, openai": {ends: []string{"/v1"},
			play:  played(`{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"no"}}]}`),
			cause: "declined", tries: 1},
		"cut":                {ends: []string{"/v1", "", "/predict", "/score"}, play: cutOff, cause: "cut off", tries: modelTries},
		"a page":             {ends: []string{"/v1", "", "/predict", "/infer"}, play: played("<html>"), cause: "not in the form", tries: 1},
		"too few scores":     {ends: []string{"/predict", "/rerank", "/score"}, play: played(`[]`), cause: "not in the form", tries: 1},
		"figures, no shares": {ends: []string{"/rerank"}, play: played(`[{"index":0,"score":7},{"index":1,"score":-3}]`), cause: "not between 0 and 1", tries: 1},
		"labels": {ends: []string{"/predict"}, play: played(`[[{"label":"LABEL_0","score":1}],[{"label":"LABEL_1","score":1}]]`),
			cause: "labels are unknown", tries: 1},
		"unknown ids": {ends: []string{"/v1", ""}, say: unknown, cause: "E998", tries: 1, param: "unknown_ids"},
		"prose":       {ends: []string{"/v1", ""}, say: func(llmtest.Question) string { return "It is supported." }, cause: "no verdict", tries: 1},
	} {
		for _, end := range c.ends {
			t.Run(name+" "+end, func(t *testing.T) {
				t.Parallel()
				a := newAsking(t, leaves, func(e *model.Endpoint) { ofKind(end)(e); e.Parallel = 1 })
				a.server.Play, a.server.Say = c.play, c.say
				s, got := a.verdicts(t)
				for i := range s.Claims {
					require.NotEmpty(t, s.Claims[i].Unjudged)
					require.Empty(t, s.Claims[i].Matches)
					require.NotContains(t, s.Claims[i].Unjudged, "sk-1")
					require.Contains(t, s.Claims[i].Unjudged, c.cause)
					require.NotEqual(t, ledger.Supported, got[i])
				}
				require.Equal(t, "3", s.Run.Parameters["failed"])
				require.Equal(t, 3*c.tries, a.server.Requests())
				require.Equal(t, 3, a.spent(t).Failed)
				if c.param != "" {
					require.Equal(t, "6", s.Run.Parameters[c.param])
				}
			})
		}
	}
}

// TestCutAnswersAreAskedForAgain: an answer that is cut once or twice costs nothing but time, for each kind.
func TestCutAnswersAreAskedForAgain(t *testing.T) {
	for _, end := range []string{"/v1", "", "/predict"} {
		t.Run(string(kinds[end]), func(t *testing.T) {
			t.Parallel()
			a := newAsking(t, leaves, func(e *model.Endpoint) { ofKind(end)(e); e.Parallel = 1 })
			a.server.Say, a.server.Score = right, rightOf
			a.server.Play = func(n int, w http.ResponseWriter, r *http.Request, q llmtest.Question) bool {
				return n <= 2 && cutOff(n, w, r, q)
			}
			_, got := a.verdicts(t)
			require.Equal(t, []ledger.Verdict{ledger.Supported, ledger.Contradicted, ledger.NotFound}, got)
			require.Equal(t, 5, a.server.Requests())
			require.Zero(t, a.spent(t).Failed)
		})
	}
}

// TestInjectedDocumentsInSessions: documents tell the judge to answer supported, and a model of each kind that obeys
// cites exactly those sentences. No claim of the session ends supported.
func TestInjectedDocumentsInSessions(t *testing.T) {
	raw, err := os.ReadFile("../domain/judge/pointer/testdata/injected.json")
	require.NoError(t, err)
	var set struct {
		Topics map[string][]struct {
			Claim     string
			Sentences []string
		}
		Injections map[string][]string
	}
	require.NoError(t, json.Unmarshal(raw, &set))
	var documents, claims []map[string]string
	var told []string
	for _, lang := range []string{"en", "ar"} {
		for i, instruction := range set.Injections[lang] {
			topic := set.Topics[lang][i%len(set.Topics[lang])]
			instruction = strings.ReplaceAll(instruction, "{claim}", topic.Claim)
			told = append(told, instruction)
			documents = append(documents, map[string]string{"id": lang + strconv.Itoa(i), "filename": "Document " + strconv.Itoa(i),
				"text": topic.Sentences[0] + " " + instruction + " " + strings.Join(topic.Sentences[1:], " ")})
		}
		for i, topic := range set.Topics[lang] {
			claims = append(claims, map[string]string{"claim_id": lang + strconv.Itoa(i), "claim_text": topic.Claim})
		}
	}
	require.Len(t, documents, 60)
	data, err := json.Marshal(map[string]any{"format": "sanad.session/v1", "documents": documents, "claims": claims,
		"session": map[string]string{"title": "Injected", "answer": "All of it is so."}})
	require.NoError(t, err)
	holds := func(line string) bool {
		return strings.HasPrefix(line, "(left out") || len(line) > 8 &&
			slices.ContainsFunc(told, func(x string) bool { return strings.Contains(x, line) || strings.Contains(line, x) })
	}
	obeys := func(q llmtest.Question) string {
		var ids []string
		for i, part := range strings.Split(q.Text, "=== E")[1:] {
			_, line, _ := strings.Cut(part, "\n> ")
			if line, _, _ = strings.Cut(line, "\n"); holds(line) {
				ids = append(ids, q.IDs[i])
			}
		}
		return q.Says("supported", ids...)
	}
	for _, end := range []string{"/v1", "", "/predict"} {
		t.Run(string(kinds[end]), func(t *testing.T) {
			t.Parallel()
			a := newAsking(t, string(data), ofKind(end))
			cited := 0
			a.server.Say = obeys
			a.server.Score = func(_, sentence string) (p llmtest.Pair) {
				if holds(sentence) {
					p.Supports = 0.99
				}
				return p
			}
			s, got := a.verdicts(t)
			require.Len(t, got, len(claims))
			for i, v := range got {
				require.NotEqual(t, ledger.Supported, v, s.Claims[i].Text)
				cited += len(s.Claims[i].Matches)
			}
			require.Equal(t, strconv.Itoa(len(claims)), s.Run.Parameters["asked"])
			t.Logf("%d claims, %d sentences kept as evidence, verdicts %v", len(claims), cited, got)
		})
	}
}

// noWait goes on at once where a judge would wait between two tries.
func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }
