package importers_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/live"
	"sanad/internal/importers"
)

const liveTraceID = "4bf92f3577b34da6a3ce929d0e0e4736"

func text(s string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: s}}
}

func attrs(pairs ...string) (out []*common.KeyValue) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &common.KeyValue{Key: pairs[i], Value: text(pairs[i+1])})
	}
	return out
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func protoSpan(id, parent, name string, start uint64, a ...string) *trace.Span {
	return &trace.Span{TraceId: unhex(liveTraceID), SpanId: unhex(id), ParentSpanId: unhex(parent), Name: name,
		StartTimeUnixNano: start, EndTimeUnixNano: start + 10, Attributes: attrs(a...)}
}

func protoRequest(t *testing.T, spans ...*trace.Span) []byte {
	t.Helper()
	data, err := proto.Marshal(&collector.ExportTraceServiceRequest{ResourceSpans: []*trace.ResourceSpans{{
		Resource: &resource.Resource{Attributes: attrs("service.name", "help-desk")}, ScopeSpans: []*trace.ScopeSpans{{Spans: spans}},
	}}})
	require.NoError(t, err)
	return data
}

// readTrace reads spans that are sent as one trace.
func readTrace(t *testing.T, spans ...*trace.Span) *importers.LiveTrace {
	t.Helper()
	in, err := importers.ReadLiveProto(protoRequest(t, spans...))
	require.NoError(t, err)
	got, err := importers.ReadLiveTrace(liveTraceID, in.Spans)
	require.NoError(t, err)
	return got
}

// ragSpans are a question, a retrieval, a call of a tool and an answer, out of order.
func ragSpans() []*trace.Span {
	return []*trace.Span{
		protoSpan("00f067aa0ba902b9", "00f067aa0ba902b7", "llm", 1_700_000_000_000_000_030, "openinference.span.kind",
			"LLM", "llm.model_name", "m-1", "llm.output_messages.0.message.role", "assistant",
			"llm.output_messages.0.message.content", "Annual leave is 30 days. The balance is 12 days."),
		protoSpan("00f067aa0ba902b8", "00f067aa0ba902b7", "retrieve", 1_700_000_000_000_000_010,
			"openinference.span.kind", "RETRIEVER", "retrieval.documents.0.document.id", "policy",
			"retrieval.documents.0.document.content", "Annual leave is 30 days for each employee."),
		protoSpan("00f067aa0ba902ba", "00f067aa0ba902b7", "execute_tool balance", 1_700_000_000_000_000_020,
			"gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "balance", "gen_ai.tool.call.id", "call_1",
			"gen_ai.tool.call.arguments", `{"employee":7}`, "gen_ai.tool.call.result", `{"days": 12, "says": "The balance `+
				`is 12 days."}`),
		protoSpan("00f067aa0ba902b7", "", "chat", 1_700_000_000_000_000_000, "openinference.span.kind",
			"CHAIN", "input.value", "How much leave is there?"),
	}
}

func TestLiveSpansBecomeASession(t *testing.T) {
	in, err := importers.ReadLiveProto(protoRequest(t, ragSpans()...))
	require.NoError(t, err)
	require.Zero(t, in.Refused.Total())
	require.Len(t, in.Spans, 4)
	require.True(t, in.Spans[3].Root)
	require.False(t, in.Spans[0].Root)
	got, err := importers.ReadLiveTrace(liveTraceID, in.Spans)
	require.NoError(t, err)
	require.Equal(t, live.Facts{TraceID: liveTraceID, Services: []string{"help-desk"}, Retrieval: true, Answered: true}, got.Facts)
	r, err := got.Session(importers.Options{}, nil)
	require.NoError(t, err)
	s := &r.Session
	require.Equal(t, "Annual leave is 30 days. The balance is 12 days.", s.Answer)
	require.Equal(t, "How much leave is there?", s.Query)
	require.Equal(t, "m-1", s.Model)
	require.Equal(t, liveTraceID, s.TraceID)
	require.Len(t, s.Documents, 2)
	require.Equal(t, `balance {"employee":7}`, s.Documents[1].Title)
	require.Contains(t, s.Documents[1].Chunks[0].Text, "The balance is 12 days.")

	d, err := got.Decision()
	require.NoError(t, err)
	require.Equal(t, "trace-"+liveTraceID, d.DecisionID)
	require.Equal(t, "How much leave is there?", d.Title)
	require.Equal(t, s.Answer, d.Statement)
	require.Equal(t, "2023-11-14T22:13:20.00000001Z", d.DecidedAt)
	require.Len(t, d.Evidence, 1)
	require.Equal(t, "Annual leave is 30 days for each employee.", d.Evidence[0].Excerpt)
	require.Len(t, d.ToolCalls, 1)
	require.Equal(t, "balance", d.ToolCalls[0].ToolName)
	require.JSONEq(t, `{"employee":7}`, string(d.ToolCalls[0].Inputs))
}

// A file of the same spans becomes the same session.
func TestLiveAndFileAreReadAlike(t *testing.T) {
	in, err := importers.ReadLiveProto(protoRequest(t, ragSpans()...))
	require.NoError(t, err)
	file := `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"help-desk"}}]},` +
		`"scopeSpans":[{"spans":[` + spansAsJSON(t, ragSpans()...) + `]}]}]}`
	fromFile, err := importers.Read([]byte(file), importers.Options{})
	require.NoError(t, err)
	again, err := importers.ReadLiveJSON([]byte(strings.Replace(file, liveTraceID, strings.ToUpper(liveTraceID), 1)))
	require.NoError(t, err)
	require.Equal(t, in.Spans[1:], again.Spans[1:])
	got, err := importers.ReadLiveTrace(liveTraceID, again.Spans)
	require.NoError(t, err)
	fromLive, err := got.Session(importers.Options{}, nil)
	require.NoError(t, err)
	require.Equal(t, fromFile.Session.Digest, fromLive.Session.Digest)
}

func TestBadSpansAreRefusedAlone(t *testing.T) {
	deep := text("x")
	for range 20 {
		deep = &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: []*common.AnyValue{deep}}}}
	}
	bad := protoSpan("00f067aa0ba902b1", "", "deep", 1)
	bad.Attributes = []*common.KeyValue{{Key: "a", Value: deep}}
	in, err := importers.ReadLiveProto(protoRequest(t, append(ragSpans(), bad, protoSpan("0000000000000000", "", "zero", 1),
		protoSpan("00f067aa0ba9", "", "short", 1), protoSpan("00f067aa0ba902b2", "", "big", 1, "a", strings.Repeat("x", 1<<20)))...))
	require.NoError(t, err)
	require.Len(t, in.Spans, 4)
	require.Equal(t, 2, in.Refused.N(live.BadID))
	require.Equal(t, 1, in.Refused.N(live.BadContent))
	require.Equal(t, 1, in.Refused.N(live.TooLarge))
	require.Contains(t, in.Refused.Said(), "resourceSpans[0].scopeSpans[0].spans[5]")

	in, err = importers.ReadLiveJSON([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[
		{"traceId":"` + liveTraceID + `","spanId":"00F067AA0BA902B7","name":"ok","endTimeUnixNano":5,"flags":1,"later":{}},
		{"traceId":"S/kvNXezTaajzpKdDg5HNg==","spanId":"00f067aa0ba902b7"},
		{"traceId":7},
		{"traceId":"` + liveTraceID + `","spanId":"00f067aa0ba902b8","attributes":[{"key":"a","value":` +
		strings.Repeat(`{"arrayValue":{"values":[`, 17) + strings.Repeat(`]}}`, 17) + `}]}]}]}]}`))
	require.NoError(t, err)
	require.Len(t, in.Spans, 1)
	require.True(t, in.Spans[0].Root)
	require.Equal(t, "00f067aa0ba902b7", in.Spans[0].SpanID)
	require.Contains(t, in.Spans[0].Body, `"00f067aa0ba902b7"`)
	require.Equal(t, 1, in.Refused.N(live.BadID))
	require.Equal(t, 2, in.Refused.N(live.BadContent))
}

func TestBadRequestsAreRefused(t *testing.T) {
	many := make([]*trace.Span, live.MaxSpans+1)
	for i := range many {
		many[i] = &trace.Span{}
	}
	_, err := importers.ReadLiveProto(protoRequest(t, many...))
	require.ErrorContains(t, err, "Send smaller batches")
	_, err = importers.ReadLiveJSON([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` +
		strings.Repeat("{},", live.MaxSpans) + `{}]}]}]}`))
	require.ErrorContains(t, err, "Send smaller batches")
	_, err = importers.ReadLiveProto([]byte("{}"))
	require.Error(t, err)
	for _, body := range []string{"", "[]", "{", `{"resourceSpans":7}`, "{\"a\":\"\xff\"}"} {
		_, err = importers.ReadLiveJSON([]byte(body))
		require.Error(t, err, body)
	}
	whole := protoRequest(t, ragSpans()...)
	_, err = importers.ReadLiveProto(whole[:len(whole)-1])
	require.ErrorContains(t, err, "cut off")
}

// One span that nobody can read, however deeply it is nested, costs the request no other, and its trace is told of it.
func TestOneUnreadableSpanIsRefusedAlone(t *testing.T) {
	list := func(v *common.AnyValue) *common.AnyValue {
		return &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: []*common.AnyValue{v}}}}
	}
	for _, levels := range []int{13, 31, 100, 5000} {
		deep := text("x")
		for range levels {
			deep = list(deep)
		}
		bad := protoSpan("00f067aa0ba902b1", "", "deep", 1)
		bad.Attributes = []*common.KeyValue{{Key: "a", Value: deep}}
		in, err := importers.ReadLiveProto(protoRequest(t, append([]*trace.Span{bad}, ragSpans()...)...))
		require.NoError(t, err, levels)
		refusedAlone(t, in, "resourceSpans[0].scopeSpans[0].spans[0]")
	}
	torn := protoRequest(t, append([]*trace.Span{protoSpan("00f067aa0ba902b1", "", "torn text", 1)}, ragSpans()...)...)
	in, err := importers.ReadLiveProto(bytes.Replace(torn, []byte("torn"), []byte("to\xffn"), 1))
	require.NoError(t, err)
	refusedAlone(t, in, "spans[0]")

	good := spansAsJSON(t, ragSpans()...)
	one := func(attribute string) string {
		return `{"traceId":"` + liveTraceID + `","spanId":"00F067AA0BA902B1","attributes":[{"key":"a",` +
			`"value":` + attribute + `}]}`
	}
	first := func(member string) string { // what is at fault stands before the ids
		return `{` + member + `,"traceId":"` + liveTraceID + `","spanId":"00f067aa0ba902b1"}`
	}
	kv := func(levels int) string {
		return strings.Repeat(`{"kvlistValue":{"values":[{"key":"k","value":`, levels) + `{"intValue":"1"}` +
			strings.Repeat(`}]}}`, levels)
	}
	for _, c := range []struct{ span, told string }{
		{one(kv(13)), "spans[0])"},
		{one(kv(14)), "spans[0])"},
		{one(kv(32)), "spans[0])"},
		{one(kv(50_000)), "spans[0])"},
		{one(`{"stringValue":"half of an emoji: \ud83d"}`), "is half of a surrogate pair"},
		{one(`{"stringValue":"x","stringValue":"y"}`), `The key "stringValue" appears twice`},
		{one(`{"stringValue":7}`), "spans[0].attributes[0].value.stringValue: This is a number; give a text in double " +
			"quotes)"},
		{first(`"name":"\ud83d"`), "is half of a surrogate pair"},
		{first(`"kind":"\ud83d"`), "is half of a surrogate pair"},
		{first(`"name":7`), "spans[0].name: This is a number; give a text in double quotes)"},
		{first(`"status":` + strings.Repeat("[", 100) + strings.Repeat("]", 100)), "spans[0])"},
	} {
		in, err := importers.ReadLiveJSON([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + c.span + "," + good + `]}]}]}`))
		require.NoError(t, err, c.told)
		refusedAlone(t, in, c.told)
	}
	in, err = importers.ReadLiveJSON([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + one(kv(12)) + `,` +
		one(`{"intValue":9007199254740993}`) + `,` + first(`"startTimeUnixNano":1767225600000000001`) + `]}]}]}`))
	require.NoError(t, err)
	require.Contains(t, in.Spans[1].Body, "9007199254740993", "OTLP takes 64 bits as a number too")
	require.Zero(t, in.Refused.Total(), "12 values within the attribute's own are taken")

	in, err = importers.ReadLiveJSON([]byte(`{"resourceSpans":[{"resource":{"attributes":[{"key":"deep",` +
		`"value":` + kv(100) +
		`},{"key":"torn","value":{"stringValue":"\ud83d"}},{"key":7},null,{"key":"service.name",` +
		`"value":{"stringValue":"help-desk"}}],` +
		`"entityRefs":` + kv(100) + `},"schemaUrl":"\ud83d","scopeSpans":[{"schemaUrl":"\ud83d",` +
		`"scope":{"attributes":[{"key":"a","value":` + kv(100) +
		`}]},"spans":[` + good + `]}]}]}`))
	require.NoError(t, err, "what is not kept may be nested as it likes")
	require.Len(t, in.Spans, 4)
	require.Equal(t, "help-desk", in.Spans[0].Service)

	_, err = importers.ReadLiveJSON([]byte("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[\n" + one(kv(20)+"}") + `]}]}]}`))
	require.ErrorContains(t, err, "Line 2, column", "what is no JSON is refused as a whole, with its place")
}

// However many spans cannot be read, a request is read a fixed number of times: read once for each of these spans, this
// one would take an hour.
func TestManyUnreadableSpans(t *testing.T) {
	n := live.MaxSpans
	body := `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Repeat(" ", 12<<20) +
		strings.Repeat(`{"a":1,"a":2},`, n-1) + `{"a":1,"a":2}]}]}]}`
	in, err := importers.ReadLiveJSON([]byte(body))
	require.NoError(t, err)
	require.Equal(t, n, in.Refused.N(live.BadContent))
	require.Contains(t, in.Refused.Said(), `spans[0].a: Line 1, column 12582966: The key "a" appears twice`)
}

// A span whose time, or that of an event, is not a number is refused, with the place. A missing time is taken, and so
// is a number, quoted or not.
func TestTimesOfSpansAreNumbers(t *testing.T) {
	good := spansAsJSON(t, ragSpans()...)
	read := func(member, value string) *importers.LiveSpans {
		written := `"` + member + `":` + value
		if member == "events[1].timeUnixNano" {
			written = `"events":[{"name":"a","timeUnixNano":"1"},{"timeUnixNano":` + value + `}]`
		}
		in, err := importers.ReadLiveJSON([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + good + `,{"traceId":"` + liveTraceID +
			`","spanId":"00f067aa0ba902b1",` + written + `}]}]}]}`))
		require.NoError(t, err)
		return in
	}
	for _, member := range []string{"startTimeUnixNano", "endTimeUnixNano", "events[1].timeUnixNano"} {
		for _, value := range []string{`"abc"`, `""`, `"2026-01-01T00:00:00Z"`, `"-5"`, `-5`, `1.5`, `true`, `{}`, `["1"]`,
			`"18446744073709551616"`, `"١٢"`} {
			refusedAlone(t, read(member, value),
				"spans[4]."+member+": This is not a time; give nanoseconds since 1970 in digits, as a text)")
		}
		for _, value := range []string{`"1767225600000000000"`, `5`, `"0"`, `null`} {
			require.Len(t, read(member, value).Spans, 5, value)
		}
	}
}

// refusedAlone requires that one span of the usual trace was refused, and the spans of ragSpans were taken.
func refusedAlone(t *testing.T, in *importers.LiveSpans, told string) {
	t.Helper()
	require.Len(t, in.Spans, 4)
	require.Equal(t, 1, in.Refused.N(live.BadContent))
	require.Equal(t, 1, in.Refused.Total())
	require.Contains(t, in.Refused.Said(), told)
	require.Equal(t, live.Losses{{Cause: live.BadContent, N: 1, Spans: []string{"00f067aa0ba902b1"}}}, in.Lost[liveTraceID])
}

// spansAsJSON returns spans as OTLP/JSON, separated by commas.
func spansAsJSON(t *testing.T, spans ...*trace.Span) string {
	t.Helper()
	in, err := importers.ReadLiveProto(protoRequest(t, spans...))
	require.NoError(t, err)
	bodies := make([]string, len(in.Spans))
	for i, s := range in.Spans {
		bodies[i] = s.Body
	}
	return strings.Join(bodies, ",")
}

// Spans as the AI SDK of Vercel and OpenLLMetry send them.
func TestOtherConventionsOfSpans(t *testing.T) {
	for name, spans := range map[string][]*trace.Span{
		"ai sdk": {
			protoSpan("00f067aa0ba902b1", "", "ai.generateText", 1, "ai.operationId", "ai.generateText",
				"ai.prompt", `{"messages":[{"role":"user","content":[{"type":"text","text":"How many days?"}]}]}`,
				"ai.response.text", "Annual leave is 30 days."),
			protoSpan("00f067aa0ba902b2", "00f067aa0ba902b1", "ai.toolCall", 2, "ai.operationId", "ai.toolCall",
				"ai.toolCall.name", "find", "ai.toolCall.id", "c1", "ai.toolCall.args", `{"q":"leave"}`,
				"ai.toolCall.result", `"Annual leave is 30 days."`),
		},
		"openllmetry": {
			protoSpan("00f067aa0ba902b1", "", "openai.chat", 1, "gen_ai.prompt.0.role", "user",
				"gen_ai.prompt.0.content", "How many days?", "gen_ai.completion.0.role", "assistant",
				"gen_ai.completion.0.content", "Annual leave is 30 days."),
			protoSpan("00f067aa0ba902b2", "00f067aa0ba902b1", "find", 2, "openinference.span.kind", "TOOL",
				"tool.name", "find", "input.value", `{"q":"leave"}`, "output.value", "Annual leave is 30 days."),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := readTrace(t, spans...)
			r, err := got.Session(importers.Options{}, nil)
			require.NoError(t, err)
			require.Equal(t, "Annual leave is 30 days.", r.Session.Answer)
			require.Equal(t, "How many days?", r.Session.Query)
			require.Len(t, r.Session.Documents, 1)
			require.Equal(t, `find {"q":"leave"}`, r.Session.Documents[0].Title)
			require.Equal(t, "Annual leave is 30 days.", r.Session.Documents[0].Chunks[0].Text)
			require.False(t, got.Facts.Retrieval)
		})
	}
}

// What a tool returned that retrieved documents is not read twice.
func TestRetrievalWithinATool(t *testing.T) {
	spans := ragSpans()
	tool := protoSpan("00f067aa0ba902c1", "00f067aa0ba902b7", "search", 1_700_000_000_000_000_005, "openinference.span.kind",
		"TOOL", "output.value", "Annual leave is 30 days for each employee.")
	spans[1].ParentSpanId = tool.SpanId
	r, err := readTrace(t, append(spans, tool)...).Session(importers.Options{}, nil)
	require.NoError(t, err)
	require.Len(t, r.Session.Documents, 2, "the passage, and what the other tool returned")
}

// What a tool returned as JSON can be searched, although its letters were escaped; quotation marks and other escapes
// stay.
func TestEscapedLettersOfATool(t *testing.T) {
	for sent, want := range map[string]string{
		`{"\u0646\u0635": "\u064a\u0648\u0645 \ud83d\ude00 \u0022 \\u0646 \n \u200f \ud83d"}`: `{"نص": "يوم 😀 \u0022 ` +
			`\\u0646 \n \u200f \ud83d"}`,
		`no JSON \u0646`: `no JSON \u0646`,
	} {
		spans := ragSpans()
		tool := protoSpan("00f067aa0ba902c1", "00f067aa0ba902b7", "search", 1_700_000_000_000_000_005, "openinference.span.kind",
			"TOOL", "output.value", sent)
		r, err := readTrace(t, append(spans, tool)...).Session(importers.Options{}, nil)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(r.Session.Documents, func(d ledger.Document) bool { return d.Chunks[0].Text == want }), want)
	}
}

// Messages that cannot be read are named, with what is expected, in place of an answer and beside one.
func TestUnreadableMessagesAreNamed(t *testing.T) {
	says := "The attribute gen_ai.output.messages of span 00f067aa0ba902b1 could not be read; give a list of messages " +
		"as JSON: " +
		`[{"role":"assistant","parts":[{"type":"text","content":"…"}]}].`
	span := func(value string) *trace.Span {
		return protoSpan("00f067aa0ba902b1", "00f067aa0ba902b7", "chat", 1, "gen_ai.output.messages", value)
	}
	for _, value := range []string{"{not json", "plain words", `{"role":"assistant"}`, `[7]`,
		`[{"role":"assistant","content":"Yes."}]`, `[{"role":"assistant","parts":[{"type":"text","content":"cut o`} {
		got := readTrace(t, span(value))
		require.False(t, got.Facts.Answered)
		require.Equal(t, says, got.Unread.String(), value)
		_, err := got.Session(importers.Options{}, nil)
		require.ErrorContains(t, err, says, "a file says it too")

		r, err := readTrace(t, append(ragSpans(), span(value))...).Session(importers.Options{}, nil)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(r.Warnings, func(w domain.Warning) bool {
			return w.Msg == says && strings.HasSuffix(w.Path, `.attributes["gen_ai.output.messages"]`)
		}), "%v", r.Warnings)
	}
	for _, value := range []string{"", " ", "[]", `[{"role":"assistant","parts":[]}]`,
		`[{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"n","arguments":{"a":1}}]}]`,
		`[{"role":"assistant","parts":[{"type":"other","content":{"a":1}}]}]`} {
		require.Empty(t, readTrace(t, span(value)).Unread, value)
	}
	got := readTrace(t, span(` [{"role":"assistant","parts":[{"type":"other","content":{"a":1}},{"type":"text",`+
		`"content":"Yes, it is."}]}] `))
	require.True(t, got.Facts.Answered, "white space, and parts of other kinds, are no fault")
	var many []*trace.Span
	for i := range 7 {
		many = append(many, protoSpan(fmt.Sprintf("00f067aa0ba902b%d", i+1), "", "chat", 1, "gen_ai.output.messages", "x"))
	}
	require.Contains(t, readTrace(t, many...).Unread.String(), "00f067aa0ba902b5, … could not be read")
}

func FuzzLive(f *testing.F) {
	data, err := proto.Marshal(&collector.ExportTraceServiceRequest{ResourceSpans: []*trace.ResourceSpans{{
		ScopeSpans: []*trace.ScopeSpans{{Spans: ragSpans()}}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, true)
	f.Add([]byte(fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":%q,`+
		`"spanId":"00f067aa0ba902b7"}]}]}]}`, liveTraceID)), false)
	f.Fuzz(func(t *testing.T, data []byte, inProto bool) {
		read := importers.ReadLiveJSON
		if inProto {
			read = importers.ReadLiveProto
		}
		in, err := read(data)
		if err != nil {
			return
		}
		byTrace := map[string][]live.Span{}
		for _, s := range in.Spans {
			byTrace[s.TraceID] = append(byTrace[s.TraceID], s)
		}
		for id, list := range byTrace {
			got, err := importers.ReadLiveTrace(id, list)
			require.NoError(t, err, "what was taken can be read")
			_, _ = got.Session(importers.Options{}, nil)
			_, _ = got.Decision()
		}
	})
}
