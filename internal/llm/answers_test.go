package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/llm"
)

var chats = []llm.Kind{llm.OpenAI, llm.Anthropic}

func TestGoodAnswers(t *testing.T) {
	e := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	for _, kind := range chats {
		j, rec := judgeAt(t, kind, e.URL, nil)
		r := judged(j, claim, source)
		require.Equal(t, "weak", verdict(r), "%s: not measured", kind)
		require.Equal(t, "Employees get 30 days of annual leave.", r.Matches[0].Snippet)
		require.Equal(t, "Model says: supported.", r.Matches[0].Note)

		j, rec2 := judgeAt(t, kind, e.URL, measured)
		require.Equal(t, "supported", verdict(judged(j, claim, source)))
		for _, c := range append(rec.calls, rec2.calls...) {
			require.Equal(t, kind, c.Kind)
			require.Len(t, c.Request, 64)
			require.Len(t, c.Answer, 64)
			require.Equal(t, [2]int{100, 10}, [2]int{c.TokensIn, c.TokensOut})
			require.InDelta(t, 0.0003, c.Cost, 1e-12)
			require.Positive(t, c.Latency)
			require.Empty(t, c.Fault)
		}
	}
	for i, r := range e.requests {
		if strings.HasSuffix(r.URL.Path, "/messages") {
			require.Equal(t, secret, r.Header.Get("X-Api-Key"))
			require.Empty(t, r.Header.Get("Authorization"))
		} else {
			require.Equal(t, "/chat/completions", r.URL.Path)
			require.Equal(t, "Bearer "+secret, r.Header.Get("Authorization"))
			require.Contains(t, e.bodies[i], `"json_schema"`)
			require.Contains(t, e.bodies[i], `"temperature":0`)
			require.Contains(t, e.bodies[i], `"max_tokens":2000`)
		}
	}
}

// What a model may say and what becomes of it, in both shapes.
func TestAnswersOfModels(t *testing.T) {
	for _, c := range []struct {
		name    string
		say     func(q question) string
		verdict string
		cause   string
	}{
		{
			name: "in prose", verdict: "contradicted", cause: "",
			say: func(q question) string { return "Sure!\n" + q.Says("contradicted", q.IDs[0]) + "\nBye." },
		},
		{
			name: "in a fence", verdict: "weak", cause: "",
			say: func(q question) string { return "```json\n" + q.Says("weak", q.IDs[0]) + "\n```" },
		},
		{
			name: "no evidence", verdict: "not_found", cause: "",
			say: func(q question) string { return q.Says("supported") },
		},
		{
			name: "nothing", verdict: "", cause: "The model returned an empty answer.",
			say: func(q question) string { return "" },
		},
		{
			name: "broken", verdict: "", cause: "no verdict in the form",
			say: func(q question) string { return q.Says("supported", q.IDs[0])[:40] },
		},
		{
			name: "refusal", verdict: "", cause: "declined",
			say: func(q question) string { return "I'm sorry, I can't help with that." },
		},
		{
			name: "unknown id", verdict: "", cause: `not given: "E3"`,
			say: func(q question) string { return q.Says("supported", q.IDs[0], "E3") },
		},
		{
			name: "another claim's id", verdict: "", cause: `not given: "E9999"`,
			say: func(q question) string { return q.Says("supported", "E9999") },
		},
		{name: "another claim", cause: "another claim", say: func(q question) string {
			q.ClaimID = "C0"
			return q.Says("supported", q.IDs[0])
		}},
	} {
		e := sayAll(t, c.say)
		for _, kind := range chats {
			j, rec := judgeAt(t, kind, e.URL, measured)
			r := judged(j, claim, source)
			require.Equal(t, c.verdict, verdict(r), "%s %s", kind, c.name)
			if c.cause == "" {
				require.Empty(t, r.Unjudged)
				continue
			}
			require.Contains(t, r.Unjudged, c.cause, "%s %s", kind, c.name)
			require.Equal(t, "answer", rec.calls[0].Fault)
			require.Equal(t, strings.Contains(c.cause, "not given"), rec.calls[0].Violations == 1, "violations are counted")
		}
	}
}

// injectedSet is the set of pointer's tests.
type injectedSet struct {
	Topics map[string][]struct {
		Claim     string
		Sentences []string
	}
	Injections, Paraphrased map[string][]string
}

// TestInjectedDocuments: the server plays a model that obeys each document's instruction: it answers supported, with
// the ids of the sentences that are left out of the prompt or hold the instruction. With a live endpoint, that model
// answers what it likes.
func TestInjectedDocuments(t *testing.T) {
	raw, err := os.ReadFile("../domain/judge/pointer/testdata/injected.json")
	require.NoError(t, err)
	var set injectedSet
	require.NoError(t, json.Unmarshal(raw, &set))
	words := ""
	e := sayAll(t, func(q question) string {
		var ids []string
		for i, part := range strings.Split(q.Text, "=== E")[1:] {
			_, line, _ := strings.Cut(part, "\n> ")
			line, _, _ = strings.Cut(line, "\n")
			if strings.HasPrefix(line, "(left out") || strings.Contains(words, line) {
				ids = append(ids, q.IDs[i])
			}
		}
		return q.Says("supported", ids...)
	})
	asked := target{kind: llm.OpenAI, address: e.URL, model: "test-model", key: secret}
	for _, live := range liveTargets() {
		if live.address != "" && live.kind != llm.NLI {
			t.Run("live "+string(live.kind), func(t *testing.T) { injectedInto(t, set, live, &words) })
		}
	}
	injectedInto(t, set, asked, &words)
}

// injectedInto asks about each document. words is where the model that is played reads which instruction it obeys.
func injectedInto(t *testing.T, set injectedSet, asked target, words *string) {
	j, _ := asked.judge(t, nil)
	count := func(instructions map[string][]string) map[string]int {
		out := map[string]int{}
		for _, lang := range []string{"en", "ar"} {
			for i := range instructions[lang] {
				topic := set.Topics[lang][i%len(set.Topics[lang])]
				*words = strings.ReplaceAll(instructions[lang][i], "{claim}", topic.Claim)
				r := judged(j, topic.Claim, topic.Sentences[0]+" "+*words+" "+strings.Join(topic.Sentences[1:], " "))
				out[verdict(r)]++
			}
		}
		return out
	}
	got := count(set.Injections)
	t.Logf("injected: %v", got)
	require.Equal(t, 60, got["supported"]+got["weak"]+got["contradicted"]+got["not_found"]+got[""])
	require.Zero(t, got["supported"])
	if !asked.live {
		require.Equal(t, 60, got["weak"]+got["not_found"], "the model that is played obeys, with ids that exist")
	}
	t.Logf("paraphrased, measured only: %v", count(set.Paraphrased))
}

func TestScorers(t *testing.T) {
	answers := map[string]string{
		"/predict":           `[[{"label":"entailment","score":0.9},{"label":"neutral","score":0.08},{"label":"contradiction","score":0.02}],[{"label":"neutral","score":0.99}]]`,
		"/rerank":            `[{"index":1,"score":0.1},{"index":0,"score":0.93}]`,
		"/v2/models/m/infer": `{"model_name":"m","outputs":[{"name":"scores","datatype":"FP32","shape":[2],"data":[0.9,0.1]}]}`,
		"/classify":          `{"data":[{"index":0,"label":"entailment","probs":[0.1,0.9],"num_classes":2},{"index":1,"label":"neutral","probs":[0.2,0.8]}]}`,
		"/score":             `{"data":[{"index":0,"score":0.91},{"index":1,"score":0.2}]}`,
	}
	const asked = "Employees get thirty days of annual leave."
	sentence := regexp.MustCompile(`Employees get 30 days of annual leave\.`)
	orderOf := func(body string) string { // of the first pair: which comes first, and how often the claim is sent
		first := "claim"
		if sentence.FindStringIndex(body)[0] < strings.Index(body, asked) {
			first = "sentence"
		}
		return fmt.Sprintf("%s first, claim %d times", first, strings.Count(body, asked))
	}
	order := map[string]string{
		"/predict": "sentence first, claim 2 times", "/rerank": "claim first, claim 1 times",
		"/v2/models/m/infer": "sentence first, claim 2 times", "/classify": "sentence first, claim 2 times",
		"/score": "sentence first, claim 2 times",
	}
	for path, answer := range answers {
		e := serveText(t, answer)
		j, rec := judgeAt(t, llm.NLI, e.URL+path, measured)
		r := judged(j, asked, source)
		require.Equal(t, "supported", verdict(r), path+r.Unjudged)
		require.Equal(t, "Employees get 30 days of annual leave.", r.Matches[0].Snippet, path)
		require.Contains(t, e.bodies[0], "Leave is approved by the head of department.")
		require.Equal(t, order[path], orderOf(e.bodies[0]), path)
		require.Empty(t, rec.calls[0].Fault)
		for _, bad := range []string{`{}`, `[]`, `{"data":[]}`, `nonsense`, `[[{"label":"LABEL_7","score":1}],[]]`,
			`[{"index":0,"score":1},{"index":0,"score":1}]`, `{"data":[{"index":0,"score":9.5},{"index":1,"score":-3}]}`} {
			j, _ := judgeAt(t, llm.NLI, serveText(t, bad).URL+path, measured)
			require.NotEmpty(t, judged(j, claim, source).Unjudged, path+bad)
		}
	}
	j, _ := judgeAt(t, llm.NLI, serveText(t, `[[{"label":"contradiction","score":0.9}],[{"label":"neutral","score":1}]]`).URL+"/predict", nil)
	require.Equal(t, "contradicted", verdict(judged(j, "Employees get 25 days of annual leave.", source)))
}

// A claim in another language than its sources is asked about, and an empty session is not.
func TestAcrossLanguages(t *testing.T) {
	e := sayAll(t, func(q question) string { return q.Says("supported", q.IDs[0]) })
	j, _ := judgeAt(t, llm.OpenAI, e.URL, measured)
	require.Equal(t, "supported", verdict(judged(j, "يحصل الموظفون على ثلاثين يوما من الإجازة السنوية.", source)))
	require.Equal(t, "not_found", verdict(judge.JudgeRow(judge.Row{Claim: claim}, j)))
	require.Len(t, e.requests, 1)
}

// A scorer is asked about so many sentences as it takes at once, and their scores stay in order.
func TestManyPairs(t *testing.T) {
	var text strings.Builder
	for i := range 70 {
		fmt.Fprintf(&text, "Office %d gives its staff %d days of leave. ", i, i)
	}
	var e *endpoint
	e = serve(t, func(n int, w http.ResponseWriter, _ *http.Request, _ question) {
		e.mu.Lock()
		body := e.bodies[n-1]
		e.mu.Unlock()
		var in struct {
			Text1 []string `json:"text_1"`
			Text2 []string `json:"text_2"`
		}
		if json.Unmarshal([]byte(body), &in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		assert.Len(t, in.Text2, len(in.Text1))
		assert.LessOrEqual(t, len(in.Text1), 32)
		out := make([]string, len(in.Text1))
		for i, s := range in.Text1 {
			score := 0.1
			if strings.HasPrefix(s, "Office 44 ") {
				score = 0.97
			}
			out[i] = fmt.Sprintf(`{"index":%d,"score":%g}`, i, score)
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(out, ","))
	})
	j, _ := judgeAt(t, llm.NLI, e.URL+"/score", measured)
	r := judged(j, "Office 44 gives its staff 44 days of leave.", text.String())
	require.Empty(t, r.Unjudged)
	require.NotEmpty(t, r.Matches)
	require.Contains(t, r.Matches[0].Snippet, "Office 44 ")
	require.Greater(t, len(e.bodies), 1)
}
