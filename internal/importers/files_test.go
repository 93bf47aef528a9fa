package importers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What files of tracers, evaluation tools and providers say is found wherever they keep it: the question, the answer,
// and what a tool returned or a retriever found, with its title.
func TestWhatFilesSay(t *testing.T) {
	type said struct{ question, answer, holds string }
	english := said{question: "How long is the probation?", answer: "The probation is six months. It may be extended " +
		"once.",
		holds: "the probation is six months and may be extended once."}
	arabic := said{question: "كم مدة فترة التجربة؟", answer: "مدة فترة التجربة ستة أشهر.", holds: "مدة فترة التجربة " +
		"ستة أشهر."}
	for file, title := range map[string]string{
		"anthropic/tools.json":        `find_rule {"topic":"probation"}`,
		"bedrock/converse.json":       `find_rule {"topic":"probation"}`,
		"deepeval/conversation.json":  "Passage 1",
		"deepeval/run-ar.json":        `find_rule {"topic":"probation"}`,
		"gemini/tools-ar.json":        "find_rule",
		"jaeger/trace.json":           "",
		"label-studio/tasks.json":     "Rules",
		"langfuse/download.json":      `find_rule {"topic": "probation"}`,
		"langfuse/observations.json":  `find_rule {"topic":"probation"}`,
		"langsmith/runs.jsonl":        "",
		"mlflow/trace-ar.json":        "",
		"openai/chat-tools-ar.json":   `find_rule {"topic": "probation"}`,
		"openai/responses-tools.json": "find_rule {}",
		"otel/console.jsonl":          `find_rule {"topic": "probation"}`,
		"otel/snake.json":             "find_rule",
		"otel/tool-messages-ar.json":  `find_rule {"topic":"probation"}`,
		"phoenix/columns.json":        "",
		"phoenix/nested.json":         "",
		"phoenix/spans.jsonl":         `find_rule {"topic": "probation"}`,
		"promptfoo/results.json":      "Passage 1",
		"trulens/record-ar.json":      "Passage 1",
	} {
		s := &readSample(t, file).Results[0].Session
		want := english
		if s.Query == arabic.question {
			want = arabic
		}
		require.Equal(t, want.question, s.Query, file)
		require.True(t, strings.HasSuffix(s.Answer, want.answer), "%s: %s", file, s.Answer)
		require.Equal(t, title, s.Documents[0].Title, file)
		require.Contains(t, s.Documents[0].Chunks[0].Text, want.holds, file)
	}
	for file, id := range map[string]string{"batch/openai.jsonl": "row-1", "batch/anthropic-ar.jsonl": "r-1",
		"label-studio/tasks.json": "12", "mlflow/trace-ar.json": "tr-1", "trulens/rows.jsonl": "rec_2"} {
		require.Equal(t, id, readSample(t, file).Results[0].Session.ExternalID, file)
	}
}

// Texts of an answer that a call of a tool stands between are paragraphs; those that follow each other are one.
func TestTextsAroundToolCalls(t *testing.T) {
	for file, begins := range map[string]string{
		"anthropic/tools.json":  "I will read the rules.\n\nThe probation is six months.",
		"bedrock/converse.json": "The probation is six months. It may be extended once.",
	} {
		require.Contains(t, readSample(t, file).Results[0].Session.Answer, begins, file)
	}
	r, err := Read([]byte(`{"candidates":[{"content":{"parts":[{"text":"I look it up."},{"functionCall":{"name":"f","args":{}}},
		{"text":"The fee is 40"},{"text":" dinars."}]}}]}`), Options{})
	require.NoError(t, err)
	require.Equal(t, "I look it up.\n\nThe fee is 40 dinars.", r.Session.Answer)
}

// JSON in texts is unpacked however often it was encoded, also as Python writes it, and other texts stay as they are.
func TestUnpacked(t *testing.T) {
	for in, want := range map[string]string{
		`"\"The fee is 40.\""`: "The fee is 40.",
		`"{\"content\":[{\"type\":\"text\",\"text\":\"The fee is 40.\"}]}"`:          "The fee is 40.",
		`"[{\"role\":\"assistant\",\"parts\":[{\"text\":\"The fee is 40.\"}]}]"`:     "The fee is 40.",
		`{"candidates":[{"content":{"parts":[{"text":"The fee is 40."}]}}]}`:         "The fee is 40.",
		`"{'answer': 'It\\'s 40 \u062f.', 'used': True, 'score': nan}"`:              "It's 40 د.",
		`{"generations":[[{"text":"The fee is 40."}]]}`:                              "The fee is 40.",
		`{"role":"assistant","content":"{\"answer\":\"40\",\"why\":\"the table\"}"}`: "40",
		`"[cite:1] The fee is 40."`:                                                  "[cite:1] The fee is 40.",
		`"{ no JSON"`:                                                                "{ no JSON",
		`{"used":true}`:                                                              "",
		`null`:                                                                       "",
	} {
		require.Equal(t, want, answered([]byte(in)), in)
	}
	require.Equal(t, "Which fee?", asked([]byte(`"{\"args\":[\"Which fee?\"],\"kwargs\":{}}"`)))
	require.Equal(t, "Which fee?", asked([]byte(`{"messages":[{"type":"human","content":"Which fee?"},{"type":"ai",`+
		`"content":"40"}]}`)))
}
