package importers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// titlesOf returns the titles and words of a session's documents.
func titlesOf(r *Result) (out []string) {
	for i := range r.Session.Documents {
		d := &r.Session.Documents[i]
		said := ""
		for j := range d.Chunks {
			said += d.Chunks[j].Words()
		}
		out = append(out, strings.TrimSpace(d.Title+": "+said))
	}
	return out
}

// What tracers of LangChain put around a question, an answer, a result of a tool and documents is no part of them.
func TestFramesOfLangChain(t *testing.T) {
	const (
		open = `[{"id":"a","trace_id":"t","run_type":"chain","name":"ask","inputs":{"input":"What is the fee?"},"outputs":`
		tool = `},{"id":"b","parent_run_id":"a","trace_id":"t","run_type":"tool","name":"fees",` +
			`"start_time":"2026-01-01","inputs":`
		message = `{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],` +
			`"kwargs":{"content":"The fee is 5 dinars.","type":"ai"}}`
		result = `{"lc":1,"type":"constructor","id":["langchain","schema","messages","ToolMessage"],` +
			`"kwargs":{"content":"Fee: 5 dinars.","type":"tool","tool_call_id":"c","status":"success"}}`
		page = `{"lc":1,"type":"constructor","id":["langchain","schema","document","Document"],` +
			`"kwargs":{"page_content":"Fee: 5 dinars.","metadata":{"title":"Fees"}}}`
	)
	for name, c := range map[string]struct {
		src  string
		docs []string
	}{
		"generations": {open + `{"generations":[[{"text":"The fee is 5 dinars.","type":"ChatGeneration",` +
			`"message":` + message + `}]]}}]`, nil},
		"dump of a result": {open + `"The fee is 5 dinars."` + tool + `{"input_str":"{'year': 2026}","tags":["x"],` +
			`"metadata":{}},"outputs":{"output":` +
			result + `,"kwargs":{"tags":[]}}}]`, []string{`fees {"year":2026}: Fee: 5 dinars.`}},
		"named data": {open + `"The fee is 5 dinars."` + tool + `"2026","outputs":{"type":"tool","data":{"content":"Fee: ` +
			`5 dinars.","tool_call_id":"c"}}}]`,
			[]string{"fees 2026: Fee: 5 dinars."}},
		"documents of the root": {open + `{"outputs":{"context":[` + page + `],"answer":"The fee is 5 dinars."},` +
			`"kwargs":{}}}]`, []string{"Fees: Fee: 5 dinars."}},
		"context in the inputs": {strings.Replace(open, `"inputs":{`, `"inputs":{"context":"Fee: 5 dinars.",`+
			`"source":"web",`, 1) + `"The fee is 5 dinars."}]`,
			[]string{"Passage 1: Fee: 5 dinars."}},
		"a chain that retrieves": {open + `"The fee is 5 dinars."},{"id":"b","parent_run_id":"a","trace_id":"t",` +
			`"run_type":"chain","name":"retrieve","outputs":{"documents":[` +
			page + `]}}]`, []string{"Fees: Fee: 5 dinars."}},
		"a chain that only sounds so": {open + `"The fee is 5 dinars."},{"id":"b","parent_run_id":"a","trace_id":"t",` +
			`"run_type":"chain","name":"retrieve","outputs":{"answer":"No."}}]`,
			nil},
		"null in a text": {`[{"id":"a","traceId":"t","type":"SPAN","input":"null","output":"null","startTime":"2026-01-01"},
			{"id":"b","parentObservationId":"a","traceId":"t","type":"GENERATION","startTime":"2026-01-02",
				"input":"[{\"role\":\"user\",\"content\":\"What is the fee?\"}]",
			"output":"{\"role\":\"assistant\",\"content\":\"The fee is 5 dinars.\"}"}]`, nil},
	} {
		r, err := Read([]byte(c.src), Options{})
		require.NoError(t, err, name)
		require.Equal(t, "What is the fee?", r.Session.Query, name)
		require.Equal(t, "The fee is 5 dinars.", r.Session.Answer, name)
		require.Equal(t, c.docs, titlesOf(r), name)
	}
}

// Tempo and Jaeger wrap spans of OTLP each in their own way; a trace has one id in all of them.
func TestWrappedSpans(t *testing.T) {
	const spans = `[{"resource":{},"scopeSpans":[{"scope":{},"spans":[{"traceId":"ID","spanId":"7uGbfsPBsXQ=",
		"name":"ask","kind":"SPAN_KIND_CLIENT",
		"attributes":[{"key":"input.value","value":{"stringValue":"What is the fee?"}},{"key":"output.value","value":{"stringValue":"The fee is 5 dinars."}}]}]}]}]`
	for _, c := range []struct{ wrap, id string }{
		{`{"batches":SPANS}`, "W47/95gDgQPSabYzgT/GDA=="}, {`{"trace":{"resourceSpans":SPANS},` +
			`"metrics":{}}`, "W47/95gDgQPSabYzgT/GDA=="},
		{`{"result":{"resourceSpans":SPANS}}`, "5b8efff798038103d269b633813fc60c"},
		{strings.ReplaceAll(`{"batches":SPANS}`, "scopeSpans", "instrumentationLibrarySpans"), "5b8efff798038103d269b633813fc60c"},
	} {
		r, err := Read([]byte(strings.Replace(c.wrap, "SPANS", strings.Replace(spans, "ID", c.id, 1), 1)), Options{})
		require.NoError(t, err, c.wrap)
		require.Equal(t, "5b8efff798038103d269b633813fc60c", r.Session.TraceID, c.wrap)
		require.Equal(t, "The fee is 5 dinars.", r.Session.Answer, c.wrap)
	}
}

// The download of Langfuse's page of traces has no spans: each row is a session.
func TestLangfuseRows(t *testing.T) {
	b, err := readAll([]byte(`[{"id":"a","timestamp":"2026-01-01T00:00:00Z","name":"ask",
		"sessionId":null,"userId":null,"input":"What is the fee?",
		"output":"The fee is 5 dinars.","scores":[{"name":"good","value":1}]},
		{"id":"b","timestamp":"2026-01-01T00:00:00Z","sessionId":null,"userId":null,"input":{"query":"What is the toll?"},"output":{"answer":"The toll is 9 dinars."}}]`), Options{})
	require.NoError(t, err)
	require.Len(t, b.Results, 2)
	require.Equal(t, "What is the fee?", b.Results[0].Session.Query)
	require.Equal(t, "good", b.Results[0].Session.UpstreamWhole().Scores[0].Name)
	require.Equal(t, "The toll is 9 dinars.", b.Results[1].Session.Answer)
	require.Equal(t, "b", b.Results[1].Session.ExternalID)
}
