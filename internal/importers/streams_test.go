package importers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/strictjson"
)

// A file may hold several streamed answers; each is a session whose place is that of its first event.
func TestStreamsOfSeveralAnswers(t *testing.T) {
	const (
		fee  = `data: {"id":"x","choices":[{"delta":{"role":"assistant","content":"The fee is 5 dinars."}}]}` + "\n\n"
		toll = `data: {"id":"x","choices":[{"delta":{"role":"assistant","content":"The toll is 12 dinars."}}]}` + "\n\n"
		stop = `data: {"id":"x","choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n"
		over = `data: {"id":"x","choices":[],"usage":{"total_tokens":9}}` + "\n\ndata: [DONE]\n\n"
	)
	message := func(words string) string {
		return `data: {"type":"message_start","message":{"content":[]}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + words + `"}}` + "\n\n" +
			`data: {"type":"message_stop"}` + "\n\n"
	}
	for name, c := range map[string]struct {
		src     string
		answers []string
		places  []string
	}{
		"one id after the end": {fee + stop + over + toll + stop + over, []string{"The fee is 5 dinars.", "The toll " +
			"is 12 dinars."}, []string{"events[0]", "events[4]"}},
		"no ids": {message("The fee is 5 dinars.") + message("The toll is 12 dinars."), []string{"The " +
			"fee is 5 dinars.", "The toll is 12 dinars."}, []string{"events[0]", "events[3]"}},
		"one answer": {fee + stop + over, []string{"The fee is 5 dinars."}, []string{""}},
		"a role in every chunk": {fee + toll + stop + over, []string{"The fee is 5 dinars.The toll is 12 " +
			"dinars."}, []string{""}},
		"lines without a [DONE]": {strings.ReplaceAll(fee+stop, "data: ", ""), []string{"The fee is 5 " +
			"dinars."}, []string{""}},
		"cut within its last one": {fee + `data: {"id":"x","choi`, []string{"The fee is 5 dinars."}, []string{""}},
		"an id for each chunk": {`data: {"id":"a","choices":[{"delta":{"content":"The fee "}}]}` + "\n\n" +
			`data: {"id":"b","choices":[{"delta":{"content":"is 5 dinars."},"finish_reason":"stop"}]}` + "\n\n",
			[]string{"The fee is 5 dinars."}, []string{""}},
	} {
		b, err := readAll([]byte(c.src), Options{})
		require.NoError(t, err, name)
		var answers, places []string
		for _, r := range b.Results {
			answers, places = append(answers, r.Session.Answer), append(places, r.Row)
		}
		require.Equal(t, c.answers, answers, name)
		require.Equal(t, c.places, places, name)
	}
}

// What gives each event of one response an id of its own does not make several answers of it, nor its words twice.
func TestResponsesWithRotatingIDs(t *testing.T) {
	b, err := readAll([]byte(`{"events":[{"type":"response.created","response":{"id":"a","output":[]}},
		{"type":"response.in_progress","response":{"id":"b","output":[]}},
		{"type":"response.output_text.delta","item_id":"c","output_index":0,"content_index":0,"delta":"The fee is "},
		{"type":"response.output_text.delta","item_id":"d","output_index":0,"content_index":0,"delta":"5 dinars."},
		{"type":"response.output_item.done","output_index":0,"item":{"id":"e","type":"message","role":"assistant",
			"content":[{"type":"output_text","text":"The fee is 5 dinars."}]}},
		{"type":"response.completed","response":{"id":"f","output":[]}}]}`), Options{})
	require.NoError(t, err)
	require.Len(t, b.Results, 1)
	require.Equal(t, "The fee is 5 dinars.", b.Results[0].Session.Answer)
}

// Chunks of Mistral's models that think, of the older Completions and of the old Assistants.
func TestOtherChunks(t *testing.T) {
	for name, events := range map[string][]string{
		"openai.chat": {`{"id":"m","choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text",
			"text":"Hm."}]}]}}]}`,
			`{"id":"m","choices":[{"delta":{"content":[{"type":"text","text":"The fee is 5 dinars."}]}}]}`,
			`{"id":"m","choices":[{"delta":{"content":""},"finish_reason":"stop"}]}`},
		"openai.chat ": {`{"id":"c","object":"text_completion","choices":[{"index":0,"text":"The fee "}]}`,
			`{"id":"c","object":"text_completion","choices":[{"index":0,"text":"is 5 dinars.","finish_reason":"stop"}]}`},
		"openai.assistants": {`{"id":"run","object":"thread.run","status":"queued"}`,
			`{"id":"msg","object":"thread.message","status":"in_progress","content":[]}`,
			`{"id":"msg","object":"thread.message.delta","delta":{"content":[{"index":0,
				"text":{"value":"The fee is 5 dinars."}}]}}`,
			`{"id":"run","object":"thread.run","status":"completed"}`},
	} {
		b, err := readAll([]byte(strings.Join(events, "\n")), Options{})
		require.NoError(t, err, name)
		require.Len(t, b.Results, 1, name)
		require.Equal(t, strings.TrimSpace(name), b.Results[0].Format)
		require.Equal(t, "The fee is 5 dinars.", b.Results[0].Session.Answer, name)
	}
}

// A stream without an answer is refused with what an event says went wrong.
func TestStreamThatFailed(t *testing.T) {
	for _, events := range []string{
		`{"type":"response.created","response":{"id":"r","output":[]}},{"type":"response.failed",
			"response":{"error":{"message":"No credit left."}}}`,
		`{"type":"message_start","message":{"id":"m"}},{"type":"error","error":{"type":"overloaded_error",
			"message":"No credit left."}}`,
		`{"id":"c","choices":[{"delta":{"role":"assistant"}}]},{"error":{"message":"No credit left."}}`,
		`{"type":"start","messageId":"m"},{"type":"text-delta","id":"1","delta":""},{"type":"error",
			"errorText":"No credit left."}`,
	} {
		_, err := Read([]byte(`{"events":[`+events+`]}`), Options{})
		require.ErrorContains(t, err, "No credit left.", events)
	}
}

// A stream may have more events than a list that is decoded may have items.
func TestManyEvents(t *testing.T) {
	events := strings.Repeat(`{"choices":[{"delta":{}}]},`, strictjson.MaxItems)
	r, err := Read([]byte(`{"events":[`+events+`{"choices":[{"delta":{"content":"The fee is 5 dinars."},
		"finish_reason":"stop"}]}]}`), Options{})
	require.NoError(t, err)
	require.Equal(t, "The fee is 5 dinars.", r.Session.Answer)
}
