package importers

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// utf16Of encodes text with or without a byte order mark.
func utf16Of(s string, big, mark bool) []byte {
	units := utf16.Encode([]rune(s))
	if mark {
		units = append([]uint16{0xFEFF}, units...)
	}
	var out []byte
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// A file is read the same in UTF-8, with a byte order mark, and in UTF-16 of both orders.
func TestEncodings(t *testing.T) {
	const row = `{"user_input":"كم الرسوم؟","retrieved_contexts":["الرسوم ٤٠ ريالاً."],"response":"الرسوم ٤٠ ريالاً."}`
	want, err := Read([]byte(row), Options{})
	require.NoError(t, err)
	for _, data := range [][]byte{
		[]byte("\ufeff" + row), utf16Of(row, false, true), utf16Of(row, true, true), utf16Of(row, false, false),
		utf16Of(row, true, false),
	} {
		got, err := Read(data, Options{})
		require.NoError(t, err)
		require.Equal(t, want.Session.Digest, got.Session.Digest)
		all, err := readAll(data, Options{})
		require.NoError(t, err)
		require.Equal(t, want.Session.Digest, all.Results[0].Session.Digest)
	}
	_, err = Read(append([]byte{0xFF, 0xFE}, 0x00, 0xD8, 0x20, 0x00), Options{})
	require.ErrorContains(t, err, "half a character")
}

// Rows of CSV are read as pandas writes them: lists as Python writes them, NumPy's too, and what is not a number left
// out.
func TestCSV(t *testing.T) {
	const head = "user_input,retrieved_contexts,response,faithfulness,noise_sensitivity\n"
	b, err := readAll([]byte("\ufeff"+head+
		`What is the toll?,"['The toll is 12 dinars.', ""It's paid once.""]",The toll is 12 dinars.,0.5,0.25`+"\n"+
		`What is the toll?,"['The toll is 12 dinars.'`+"\n"+` 'Lorries pay 30.']","The toll is 12 dinars, lorries pay `+
		`30.",nan,`+"\n"), Options{})
	require.NoError(t, err)
	require.Len(t, b.Results, 2)
	for i, docs := range []int{2, 2} {
		s := &b.Results[i].Session
		require.Equal(t, "ragas", s.Format)
		require.Equal(t, "What is the toll?", s.Query)
		require.Len(t, s.Documents, docs)
	}
	require.Equal(t, "It's paid once.", b.Results[0].Session.Documents[1].Chunks[0].Text)
	require.Contains(t, string(b.Results[0].Session.Extra["session.upstream"]), `{"name":"faithfulness","value":0.5}`)
	require.Contains(t, string(b.Results[0].Session.Extra["session.upstream"]), `noise_sensitivity`)
	require.NotContains(t, string(b.Results[1].Session.Extra["session.upstream"]), `faithfulness`)

	for name, c := range map[string]struct{ in, says string }{
		"a cell too few": {head + "a,b,c,d,e\na,b\n", "Line 3"},
		"an open quote":  {head + `a,"b,c,d,e`, "Line 2"},
		"unknown names":  {"fruit,weight\napple,3\n", "not one of these"},
	} {
		_, err := readAll([]byte(c.in), Options{})
		require.ErrorContains(t, err, c.says, name)
	}
	_, err = Read([]byte(head+strings.Repeat("a,b,c,d,e\n", 4<<20)), Options{})
	var ours *domain.Error
	require.ErrorAs(t, err, &ours)
	require.Equal(t, domain.TooLarge, ours.Kind)
}

// The same answer is read of a stream as of the whole, for each provider that streams, as an event stream and as JSONL.
func TestStreamedAnswers(t *testing.T) {
	for format, events := range map[string][]string{
		"openai.chat": {`{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{"content":"The toll is "}}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{"content":"12 dinars."}}]}`,
			`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`},
		"openai.responses": {`{"type":"response.created","response":{"id":"r","output":[]}}`,
			`{"type":"response.output_text.delta","delta":"The toll"}`,
			`{"type":"response.completed","response":{"id":"r","output":[{"type":"message","content":[{"type":"output_text","text":"The toll is 12 dinars."}]}]}}`},
		"anthropic.messages": {`{"type":"message_start","message":{"id":"m","model":"x","content":[]}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"The toll is 12"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" dinars."}}`, `{"type":"message_stop"}`},
		"cohere.chat": {`{"type":"message-start","id":"x"}`,
			`{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"The toll is 12 dinars."}}}}`,
			`{"type":"message-end"}`},
		"bedrock.converse": {`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"The toll is 12 "}}}`,
			`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"dinars."}}}`, `{"messageStop":{"stopReason":"end_turn"}}`},
		"vercel.ui-message": {`{"type":"start","messageId":"v"}`, `{"type":"text-delta","id":"0","delta":"The toll is "}`,
			`{"type":"text-delta","id":"0","delta":"12 dinars."}`, `{"type":"finish"}`},
		"gemini.grounding": {`{"candidates":[{"content":{"parts":[{"text":"The toll is "}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"12 dinars."}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}`},
	} {
		stream := ""
		for _, e := range events {
			stream += "event: x\r\ndata: " + e + "\r\n\r\n"
		}
		inputs := []string{stream + ": ping\n\ndata: [DONE]\n\n", strings.Join(events, "\n"),
			"[" + strings.Join(events, ",") + "]", `{"events":[` + strings.Join(events, ",") + `]}`}
		for _, in := range inputs {
			b, err := readAll([]byte(in), Options{})
			require.NoError(t, err, format)
			require.Len(t, b.Results, 1, format)
			require.Equal(t, format, b.Results[0].Format)
			require.Equal(t, "The toll is 12 dinars.", b.Results[0].Session.Answer, format)
			for _, w := range b.Results[0].Warnings {
				require.NotContains(t, w.Msg, "stream ends", format)
			}
		}
		if n := len(events) - 1; n > 1 && format != "openai.responses" {
			b, err := readAll([]byte(strings.Join(strings.SplitAfter(stream, "\r\n\r\n")[:n], "")), Options{})
			require.NoError(t, err, format)
			said := ""
			for _, w := range b.Results[0].Warnings {
				said += w.Msg
			}
			require.Contains(t, said, "stream ends", format)
		}
	}
	_, err := readAll([]byte("data: {\"type\":\"message_start\"\n\n"), Options{})
	require.ErrorContains(t, err, "Line 1")
}

// Streams that are cut, mixed or of several choices: what came is read, each answer by itself, and what is left out is
// said.
func TestUnusualStreams(t *testing.T) {
	const first = `{"candidates":[{"content":{"parts":[{"text":"The toll is 12 dinars."}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"No."}]}}]}`
	for name, c := range map[string]struct {
		events  []string
		answers []string
		says    string
	}{
		"cut Responses": {[]string{`{"type":"response.created","response":{"id":"r","output":[]}}`,
			`{"type":"response.output_text.delta","item_id":"a","content_index":0,"delta":"The fee is 5 dinars."}`,
			`{"type":"response.output_item.done","item":{"id":"a","type":"message","content":[{"type":"output_text","text":"The fee is 5 dinars."}]}}`,
			`{"type":"response.output_text.delta","item_id":"b","content_index":0,"delta":"The toll "}`,
			`{"type":"response.output_text.delta","item_id":"b","content_index":0,"delta":"is 12 dinars."}`},
			[]string{"The fee is 5 dinars.\n\nThe toll is 12 dinars."}, "stream ends"},
		"two completions": {[]string{`{"id":"a","choices":[{"delta":{"content":"The toll "}}]}`,
			`{"id":"b","choices":[{"delta":{"content":"The fee is 5 dinars."},"finish_reason":"stop"}]}`,
			`{"id":"a","choices":[{"delta":{"content":"is 12 dinars."},"finish_reason":"stop"}]}`},
			[]string{"The toll is 12 dinars.", "The fee is 5 dinars."}, ""},
		"two choices": {[]string{`{"choices":[{"index":0,"delta":{"content":"The toll is 12 dinars."},"finish_reason":"stop"}]}`,
			`{"choices":[{"index":1,"delta":{"content":"No."}}]}`}, []string{"The toll is 12 dinars."}, "first choice"},
		"two candidates": {[]string{first}, []string{"The toll is 12 dinars."}, "first choice"},
	} {
		b, err := readAll([]byte(`{"events":[`+strings.Join(c.events, ",")+`]}`), Options{})
		require.NoError(t, err, name)
		var answers []string
		said := ""
		for _, r := range b.Results {
			answers = append(answers, r.Session.Answer)
			for _, w := range r.Warnings {
				said += w.Msg
			}
		}
		require.Equal(t, c.answers, answers, name)
		require.Contains(t, said, c.says, name)
	}
	b, err := readAll([]byte(first), Options{})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(b.Results[0].Warnings), "first choice")
}

// A stream of Gemini ends where it says so; the next one is an answer of its own, and so is one of another id.
func TestGeminiRows(t *testing.T) {
	part := func(id, words, end string) string {
		return `{"responseId":"` + id + `","candidates":[{"content":{"parts":[{"text":"` + words + `"}]}` + end + `}]}`
	}
	const stop = `,"finishReason":"STOP"`
	b, err := readAll([]byte(strings.Join([]string{part("a", "The toll is ", ""), part("a", "12 dinars.", stop),
		part("b", "The fee is 5 dinars.", stop), part("c", "The pass is ", ""), part("d", "The fine is 7 dinars.", stop)}, "\n")), Options{})
	require.NoError(t, err)
	var answers []string
	for i := range b.Results {
		answers = append(answers, b.Results[i].Session.Answer)
	}
	require.Equal(t, []string{"The toll is 12 dinars.", "The fee is 5 dinars."}, answers[:2])
	require.Equal(t, "The fine is 7 dinars.", answers[len(answers)-1])
	require.Equal(t, "a", b.Results[0].Session.ExternalID)
}

// A recorded stream may stand beside its request, whose results of tools are sources.
func TestStreamWithItsRequest(t *testing.T) {
	b, err := readAll([]byte(`{"request":{"model":"m","messages":[{"role":"user","content":"What is the toll?"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"tolls","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"The toll is 12 dinars."}]},
		"events":[{"choices":[{"delta":{"content":"The toll is "}}]},{"choices":[{"delta":{"content":"12 dinars."},"finish_reason":"stop"}]}]}`), Options{})
	require.NoError(t, err)
	s := &b.Results[0].Session
	require.Equal(t, "What is the toll?", s.Query)
	require.Equal(t, "The toll is 12 dinars.", s.Answer)
	require.Len(t, s.Documents, 1)
	require.Equal(t, "tolls {}", s.Documents[0].Title)
}

// Tables that tools write hold sessions: promptfoo's has one for each row and prompt, MLflow's frame a trace in each
// row, Phoenix's REST API spans of OTLP, and DeepEval's last run its test cases.
func TestTablesOfTools(t *testing.T) {
	const span = `"name":"qa","parent_span_id":null,"attributes":{"mlflow.spanType":"CHAIN","mlflow.spanInputs":{"question":"Toll?"},"mlflow.spanOutputs":"The toll is 12 dinars."}`
	for name, c := range map[string]struct {
		in, format string
		answers    []string
	}{
		"promptfoo": {"question,context,[hr] Ask {{question}},Status,Score,Named Scores,Grader Reason,Comment,[hr] Tell,Status,Score,Named Scores,Grader Reason,Comment\n" +
			"Toll?,The toll is 12 dinars.,The toll is 12 dinars.,PASS,1.00,,ok,,The toll is 13 dinars.,FAIL,0.00,,no,\n", "promptfoo",
			[]string{"The toll is 12 dinars.", "The toll is 13 dinars."}},
		"mlflow": {`{"trace_id":{"0":"t1"},"trace":{"0":"{}"},"trace_metadata":{"0":{}},"spans":{"0":[{"trace_id":"a","span_id":"b",` + span + `}]}}`,
			"mlflow.trace", []string{"The toll is 12 dinars."}},
		"phoenix": {`{"data":[{"trace_id":"t","span_id":"s","parent_span_id":null,"name":"c","attributes":[{"key":"output.value","value":
			{"int_value":null,"string_value":"The toll is 12 dinars."}},{"key":"openinference.span.kind","value":{"string_value":"CHAIN"}}]}]}`,
			"otlp.spans", []string{"The toll is 12 dinars."}},
		"deepeval": {`{"testRunData":{"testCases":[{"name":"t","input":"Toll?","actualOutput":"The toll is 12 dinars.","retrievalContext":["The toll is 12 dinars."]}]}}`,
			"deepeval", []string{"The toll is 12 dinars."}},
	} {
		b, err := readAll([]byte(c.in), Options{})
		require.NoError(t, err, name)
		var answers []string
		for i := range b.Results {
			require.Equal(t, c.format, b.Results[i].Format, name)
			answers = append(answers, b.Results[i].Session.Answer)
		}
		require.Equal(t, c.answers, answers, name)
	}
}
