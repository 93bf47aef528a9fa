package traces_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"sanad/internal/domain/access"
	"sanad/internal/domain/live"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/handlers/webtest"
)

const traceID = "4bf92f3577b34da6a3ce929d0e0e4736"

// spanOf returns a span in OTLP/JSON; more are further members.
func spanOf(trace, id, parent, name string, start int, attributes string) string {
	return fmt.Sprintf(`{"traceId":%q,"spanId":%q,"parentSpanId":%q,"name":%q,"kind":1,"startTimeUnixNano":"17000000000000000%02d",`+
		`"endTimeUnixNano":"17000000000000000%02d","attributes":[%s]}`, trace, id, parent, name, start, start+1, attributes)
}

func attr(key, value string) string {
	words, _ := json.Marshal(value)
	return fmt.Sprintf(`{"key":%q,"value":{"stringValue":%s}}`, key, words)
}

func request(service string, spans ...string) string {
	return `{"resourceSpans":[{"resource":{"attributes":[` + attr("service.name", service) + `]},"scopeSpans":[{"spans":[` +
		strings.Join(spans, ",") + `]}]}]}`
}

const answered = "Annual leave is 30 days for each employee."

func root(trace string) string {
	return spanOf(trace, "00f067aa0ba902b7", "", "chat", 1, attr("input.value", "How much leave is there?"))
}

func retrieval(trace string) string {
	return spanOf(trace, "00f067aa0ba902b8", "00f067aa0ba902b7", "retrieve", 2, attr("openinference.span.kind", "RETRIEVER")+","+
		attr("retrieval.documents.0.document.id", "policy")+","+
		attr("retrieval.documents.0.document.content", answered))
}

func model(trace string) string {
	return spanOf(trace, "00f067aa0ba902b9", "00f067aa0ba902b7", "llm", 3, attr("openinference.span.kind", "LLM")+","+
		attr("llm.output_messages.0.message.role", "assistant")+","+
		attr("llm.output_messages.0.message.content", answered))
}

// listening is the app on a real port.
type listening struct {
	*webtest.Server
	url string
}

func listen(t *testing.T, change ...func(*web.Options)) *listening {
	t.Helper()
	s := webtest.NewServer(t, change...)
	h := httptest.NewServer(s.Handler)
	t.Cleanup(h.Close)
	return &listening{Server: s, url: h.URL}
}

// send sends a body as somebody, and returns the answer with its body.
func (s *listening) send(t *testing.T, who, contentType string, body []byte, headers ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "POST", s.url+"/v1/traces", bytes.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", contentType)
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+s.Person(who).Token)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	got, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, got
}

// sendJSON sends OTLP/JSON that must be taken, and returns what the answer says of spans that were not.
func (s *listening) sendJSON(t *testing.T, who, body string) (out struct {
	PartialSuccess struct{ RejectedSpans, ErrorMessage string }
}) {
	t.Helper()
	res, got := s.send(t, who, "application/json", []byte(body))
	require.Equal(t, 200, res.StatusCode, string(got))
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	require.NoError(t, json.Unmarshal(got, &out))
	return out
}

// done waits until the only trace of a tenant is done with.
func (s *listening) done(t *testing.T, tenant string) (out live.Trace) {
	t.Helper()
	require.Eventually(t, func() bool {
		list, err := s.Store.Traces(context.Background(), tenant, 10)
		require.NoError(t, err)
		require.Len(t, list, 1)
		out = list[0]
		return out.State != live.Gathering
	}, time.Minute, 5*time.Millisecond)
	return out
}

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// Spans out of order and in several requests become one session, once the root has ended and it has been quiet since.
// Two tenants that send the same trace id have a trace each.
func TestTraceBecomesASession(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	require.Empty(t, s.sendJSON(t, "foreign", request("theirs", root(traceID), retrieval(traceID),
		strings.ReplaceAll(model(traceID), "30 days", "31 days"))))
	require.Empty(t, s.sendJSON(t, "reviewer", request("rag", model(traceID))))
	require.Empty(t, s.sendJSON(t, "reviewer", request("rag", root(traceID))))
	s.Clock.Move(live.Settling - time.Second)
	require.Empty(t, s.sendJSON(t, "reviewer", request("rag", retrieval(traceID), root(traceID))), "one of them again")
	s.Clock.Move(live.Settling - time.Second)
	theirs := s.done(t, s.Other.ID)
	require.Equal(t, live.Session, theirs.State, "a trace as old, to which nothing was added")
	require.Equal(t, "theirs", theirs.Service)
	list, err := s.Store.Traces(context.Background(), s.Tenant.ID, 10)
	require.NoError(t, err)
	require.Equal(t, live.Gathering, list[0].State, "a span came in meanwhile")
	s.Clock.Move(2 * time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State, got.Note)
	require.Equal(t, 3, got.Spans)
	require.Equal(t, "rag", got.Service)
	require.Equal(t, "chat", got.Name)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, got.ObjectID)
	require.NoError(t, err)
	require.Equal(t, answered, session.Answer)
	require.Equal(t, "How much leave is there?", session.Query)
	require.Equal(t, traceID, session.TraceID)
	require.Len(t, session.Documents, 1)
	require.Equal(t, answered, session.Documents[0].Chunks[0].Text)
	session, err = s.Store.Session(context.Background(), s.Other.ID, theirs.ObjectID)
	require.NoError(t, err)
	require.Contains(t, session.Answer, "31 days")

	late := spanOf(traceID, "00f067aa0ba902ff", "00f067aa0ba902b7", "late", 4, attr("a", "b"))
	require.Empty(t, s.sendJSON(t, "reviewer", request("rag", late, model(traceID))))
	require.Empty(t, s.sendJSON(t, "reviewer", request("rag", late)), "late, and twice")
	got = s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State)
	require.Equal(t, 1, got.Late)
	require.Equal(t, 4, got.Spans)
	counts, err := s.Store.LiveCounts(context.Background(), s.Tenant.ID, s.Clock.Now().Add(-48*time.Hour))
	require.NoError(t, err)
	require.Equal(t, map[string]int{live.SpansKept: 3, live.SpansAgain: 3, live.SpansLate: 1, "session": 1}, counts)
}

// A trace without an answer says which attribute may hold it and could not be read, until further spans have one.
func TestUnreadableAnswerIsNamed(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	s.sendJSON(t, "reviewer", request("rag", root(traceID), spanOf(traceID, "00f067aa0ba902b9", "00f067aa0ba902b7", "llm", 3,
		attr("gen_ai.output.messages", "{not json"))))
	s.Clock.Move(live.Settling + time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.NoAnswer, got.Cause)
	require.Contains(t, got.Note, "The attribute gen_ai.output.messages of span 00f067aa0ba902b9 could not be read; give a list")
	s.sendJSON(t, "reviewer", request("rag", spanOf(traceID, "00f067aa0ba902ba", "00f067aa0ba902b7", "llm", 4,
		attr("ai.response.text", answered))))
	s.Clock.Move(live.Settling + time.Second)
	got = s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State)
	require.Empty(t, got.Note)
}

// A trace whose root never ends is made after a time; one without an answer waits for further spans.
func TestTraceWithoutRoot(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	s.sendJSON(t, "reviewer", request("rag", retrieval(traceID)))
	s.Clock.Move(live.Longest + time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.NoAnswer, got.Cause)
	s.sendJSON(t, "reviewer", request("rag", model(traceID)))
	s.sendJSON(t, "reviewer", request("rag", root(traceID)))
	s.Clock.Move(live.Settling + time.Second)
	got = s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State)
	require.Zero(t, got.Late)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, got.ObjectID)
	require.NoError(t, err)
	require.Len(t, session.Documents, 1, "what came first is in it too")
}

// A session whose trace lacks spans that were refused says so, wherever it is read: the retrieval was too large, in the
// first request, before anything of the trace was there.
func TestSessionSaysWhichSpansWereRefused(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	large := strings.Replace(retrieval(traceID), answered, answered+strings.Repeat(" x", 1<<19), 1)
	require.Equal(t, "1", s.sendJSON(t, "reviewer", request("rag", large)).PartialSuccess.RejectedSpans)
	s.sendJSON(t, "reviewer", request("rag", large)) // again
	deep := spanOf(traceID, "00f067aa0ba902ee", "", "deep", 2, `{"key":"a","value":`+strings.Repeat(`{"arrayValue":{"values":[`, 17)+
		strings.Repeat("]}}", 17)+"}")
	s.sendJSON(t, "reviewer", request("rag", root(traceID), model(traceID), deep))
	s.Clock.Move(live.Settling + time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State, got.Note)
	require.Empty(t, got.Note)
	lost := `[{"cause":"bad_content","count":1,"spans":["00f067aa0ba902ee"]},{"cause":"too_large","count":1,"spans":["00f067aa0ba902b8"]}]`
	api := s.As("viewer").Do("GET", "/api/v1/sessions/"+got.ObjectID+"/ledger", "").Body.String()
	require.Contains(t, api, `"refused_spans":`+lost)
	require.Contains(t, api, `"trace_id":"`+traceID+`"`)
	require.Contains(t, s.As("admin").Do("GET", "/api/v1/traces", "").Body.String(), `"refused_spans":`+lost)
	page := s.As("viewer").Do("GET", "/sessions/"+got.ObjectID, "").Body.String()
	require.Contains(t, page, "00f067aa0ba902b8")
	require.Contains(t, page, "may be missing")
	require.Contains(t, s.As("admin").Do("GET", "/admin/traces", "").Body.String(), "00f067aa0ba902b8")
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, got.ObjectID)
	require.NoError(t, err)
	require.Len(t, session.RefusedSpans(), 2)
}

// What was noticed when a trace was imported, and spans that came after its session was made, kept or refused, are said
// where the session is read, also to who has read it before.
func TestSessionSaysWarningsAndLateSpans(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	empty := strings.Replace(retrieval(traceID), `"stringValue":"`+answered, `"stringValue":" `, 1)
	s.sendJSON(t, "reviewer", request("rag", root(traceID), model(traceID), empty))
	s.Clock.Move(live.Settling + time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State, got.Note)
	const warned = "This document has no text"
	read := func(etag string) *httptest.ResponseRecorder {
		return s.As("viewer").Do("GET", "/api/v1/sessions/"+got.ObjectID+"/ledger", "", "If-None-Match", etag)
	}
	page := func() string { return s.As("viewer").Do("GET", "/sessions/"+got.ObjectID, "").Body.String() }
	before := read("")
	require.Contains(t, before.Body.String(), `"trace":{"late_spans":0,"warnings":[{"path":`)
	require.Contains(t, before.Body.String(), warned)
	require.Contains(t, page(), warned)
	require.NotContains(t, page(), "after this session was created")
	require.Contains(t, s.As("admin").Do("GET", "/api/v1/traces", "").Body.String(), warned)
	require.Contains(t, s.As("admin").Do("GET", "/admin/traces", "").Body.String(), "1 remark.")

	late := spanOf(traceID, "00f067aa0ba902ff", "00f067aa0ba902b7", "late", 4, attr("a", "b"))
	large := strings.Replace(late, `"b"`, `"`+strings.Repeat("x", 1<<20)+`"`, 1)
	s.sendJSON(t, "reviewer", request("rag", late, strings.Replace(large, "02ff", "02fe", 1)))
	after := read(before.Header().Get("ETag"))
	require.Equal(t, http.StatusOK, after.Code, "the revision is the same, what is said is not")
	require.Contains(t, after.Body.String(), `"trace":{"late_spans":2,"warnings":[{`)
	require.Contains(t, page(), "2 spans of the trace arrived after this session was created")
	require.Contains(t, page(), warned)

	file := s.As("reviewer").Do("POST", "/api/v1/sessions", request("rag", root(traceID), model(traceID), empty))
	require.Equal(t, http.StatusOK, file.Code, "the same spans as a file are the same session")
	require.Contains(t, file.Body.String(), warned)
}

// A trace of which every span was refused becomes nothing, and says why.
func TestTraceOfRefusedSpansOnly(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	s.sendJSON(t, "reviewer", request("rag", strings.Replace(model(traceID), answered, strings.Repeat("x", 1<<20), 1)))
	s.Clock.Move(live.Longest + time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.NoAnswer, got.Cause)
	require.Equal(t, 1, got.Lost.Total())
	s.sendJSON(t, "reviewer", request("rag", root(traceID), model(traceID)))
	s.Clock.Move(live.Settling + time.Second)
	got = s.done(t, s.Tenant.ID)
	require.Equal(t, live.Session, got.State)
	require.Zero(t, got.Lost.Total(), "the span came in a form that was taken")
	require.Equal(t, "rag", got.Service)
}

// TestRulesAreNotTakenAwayByMistake refuses a body without a list; an empty list says so itself.
func TestRulesAreNotTakenAwayByMistake(t *testing.T) {
	s := listen(t)
	put := func(body string) int {
		return s.As("admin").Do("PUT", "/api/v1/trace-rules", body, "If-Match", "*").Code
	}
	require.Equal(t, []int{422, 422, 200}, []int{put(`{}`), put(`{"rules":null}`), put(`{"rules":[]}`)})
}

func TestRulesDecide(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	ctx := context.Background()
	admin := access.Actor{Tenant: s.Tenant.ID, ID: s.Person("admin").ID, Role: access.Admin, Human: true}
	_, err := s.Store.SetLiveRules(ctx, admin, 0, []live.Rule{{Service: "agent", Share: 100, Becomes: live.Decision},
		{Service: "*", Retrieval: true, Share: 100, Becomes: live.Session}})
	require.NoError(t, err)
	decided := strings.Repeat("a", 32)
	tool := spanOf(decided, "00f067aa0ba902ba", "00f067aa0ba902b7", "pay", 2, attr("gen_ai.operation.name", "execute_tool")+","+
		attr("gen_ai.tool.name", "pay")+","+attr("gen_ai.tool.call.arguments", `{"to":"x"}`)+","+
		attr("gen_ai.tool.call.result", "done")+","+attr("sanad.approval_class", "A2"))
	s.sendJSON(t, "reviewer", request("agent", root(decided), tool, model(decided), retrieval(decided)))
	s.sendJSON(t, "reviewer", request("rag", root(traceID), model(traceID)))
	s.Clock.Move(live.Settling + time.Second)
	byID := map[string]live.Trace{}
	require.Eventually(t, func() bool {
		list, err := s.Store.Traces(ctx, s.Tenant.ID, 10)
		require.NoError(t, err)
		for _, x := range list {
			byID[x.ID] = x
		}
		return byID[decided].State != live.Gathering && byID[traceID].State != live.Gathering
	}, time.Minute, 5*time.Millisecond)
	require.Equal(t, live.NoRule, byID[traceID].Cause)
	require.Equal(t, live.Decision, byID[decided].State, byID[decided].Note)
	d, err := s.Store.Decision(ctx, s.Tenant.ID, byID[decided].ObjectID)
	require.NoError(t, err)
	require.Equal(t, "A2", d.Decision.ApprovalClass)
	require.Equal(t, answered, d.Decision.Statement)
	require.Equal(t, "pay", d.Decision.ToolCalls[0].ToolName)
	require.Len(t, d.Decision.Evidence, 1)

	_, err = s.Store.SetLiveRules(ctx, admin, 1, nil)
	require.NoError(t, err)
	got := s.sendJSON(t, "reviewer", request("rag", root(strings.Repeat("b", 32))))
	require.Empty(t, got.PartialSuccess.RejectedSpans)
	require.Contains(t, got.PartialSuccess.ErrorMessage, "/admin/traces")
}

func TestPartialSuccess(t *testing.T) {
	s := listen(t)
	bad := `{"traceId":"x","spanId":"00f067aa0ba902b7"}`
	big := spanOf(traceID, "00f067aa0ba902bb", "", "big", 1, attr("a", strings.Repeat("x", 1<<20)))
	got := s.sendJSON(t, "reviewer", request("rag", bad, root(traceID), big))
	require.Equal(t, "2", got.PartialSuccess.RejectedSpans)
	require.Contains(t, got.PartialSuccess.ErrorMessage, "resourceSpans[0].scopeSpans[0].spans[0]")
	require.Contains(t, got.PartialSuccess.ErrorMessage, "larger than 1 MiB")
	list, err := s.Store.Traces(context.Background(), s.Tenant.ID, 10)
	require.NoError(t, err)
	require.Equal(t, 1, list[0].Spans)

	data, err := proto.Marshal(&collector.ExportTraceServiceRequest{})
	require.NoError(t, err)
	res, body := s.send(t, "reviewer", "application/x-protobuf", packed(t, data), "Content-Encoding", "gzip")
	require.Equal(t, 200, res.StatusCode, string(body))
	require.Equal(t, "application/x-protobuf", res.Header.Get("Content-Type"))
	require.NoError(t, proto.Unmarshal(body, &collector.ExportTraceServiceResponse{}))

	var spans []string
	for i := range live.MaxTraceSpans + 5 {
		spans = append(spans, spanOf(traceID, fmt.Sprintf("%016x", i+1), "", "n", 1, ""))
	}
	got = s.sendJSON(t, "reviewer", request("rag", spans...))
	require.Equal(t, "6", got.PartialSuccess.RejectedSpans)
	require.Contains(t, got.PartialSuccess.ErrorMessage, "5,000 spans")
}

// What cannot be taken is refused with google.rpc.Status in the encoding of the request.
func TestRefusals(t *testing.T) {
	s := listen(t)
	good := []byte(request("rag", root(traceID)))
	zeros := make([]byte, 300<<20)
	for name, c := range map[string]struct {
		who, contentType string
		body             []byte
		headers          []string
		status           int
		code             codes.Code
	}{
		"nobody": {who: "", contentType: "application/json", body: good,
			status: 401, code: codes.Unauthenticated},
		"nobody, proto": {who: "", contentType: "application/x-protobuf",
			status: 401, code: codes.Unauthenticated},
		"viewer": {who: "viewer", contentType: "application/json", body: good,
			status: 403, code: codes.PermissionDenied},
		"viewer, proto": {who: "viewer", contentType: "application/x-protobuf", body: good,
			status: 403, code: codes.PermissionDenied},
		"plain text": {who: "reviewer", contentType: "text/plain", body: good,
			status: 415, code: codes.InvalidArgument},
		"no type": {who: "reviewer", contentType: "", body: good,
			status: 415, code: codes.InvalidArgument},
		"zstd": {who: "reviewer", contentType: "application/json", body: good, headers: []string{"Content-Encoding", "zstd"},
			status: 415, code: codes.InvalidArgument},
		"no gzip": {who: "reviewer", contentType: "application/json", body: good, headers: []string{"Content-Encoding", "gzip"},
			status: 400, code: codes.InvalidArgument},
		"gzip, cut off": {who: "reviewer", contentType: "application/json", body: packed(t, good)[:60], headers: []string{"Content-Encoding", "gzip"},
			status: 400, code: codes.InvalidArgument},
		"bomb": {who: "reviewer", contentType: "application/json", body: packed(t, zeros), headers: []string{"Content-Encoding", "gzip"},
			status: 413, code: codes.InvalidArgument},
		"bomb, proto": {who: "reviewer", contentType: "application/x-protobuf", body: packed(t, zeros), headers: []string{"Content-Encoding", "gzip"},
			status: 413, code: codes.InvalidArgument},
		"too large": {who: "reviewer", contentType: "application/json", body: zeros[:live.MaxBody+1],
			status: 413, code: codes.InvalidArgument},
		"no JSON": {who: "reviewer", contentType: "application/json", body: []byte(`{"resourceSpans":`),
			status: 400, code: codes.InvalidArgument},
		"JSON as proto": {who: "reviewer", contentType: "application/x-protobuf", body: good,
			status: 400, code: codes.InvalidArgument},
		"proto as JSON": {who: "reviewer", contentType: "application/json", body: []byte{10, 2, 18, 0},
			status: 400, code: codes.InvalidArgument},
		"no list": {who: "reviewer", contentType: "application/json", body: []byte(`{"resourceSpans":{}}`),
			status: 400, code: codes.InvalidArgument},
		"deep": {who: "reviewer", contentType: "application/json", body: []byte(`{"a":` + strings.Repeat("[", 100_000)),
			status: 400, code: codes.InvalidArgument},
		"too many spans": {who: "reviewer", contentType: "application/json", body: []byte(request("rag", "{}"+strings.Repeat(",{}", live.MaxSpans))),
			status: 413, code: codes.InvalidArgument},
	} {
		t.Run(name, func(t *testing.T) {
			res, body := s.send(t, c.who, c.contentType, c.body, c.headers...)
			require.Equal(t, c.status, res.StatusCode, string(body))
			var got status.Status
			if c.contentType == "application/x-protobuf" {
				require.Equal(t, c.contentType, res.Header.Get("Content-Type"))
				require.NoError(t, proto.Unmarshal(body, &got))
			} else {
				require.Equal(t, "application/json", res.Header.Get("Content-Type"))
				require.NoError(t, json.Unmarshal(body, &got))
			}
			require.Equal(t, int32(c.code), got.GetCode())
			require.NotEmpty(t, got.GetMessage())
		})
	}
	list, err := s.Store.Traces(context.Background(), s.Tenant.ID, 10)
	require.NoError(t, err)
	require.Empty(t, list)
}

// A request of 10 MB is taken.
func TestLargeRequest(t *testing.T) {
	s := listen(t)
	var spans []string
	for i := range 1000 {
		spans = append(spans, spanOf(fmt.Sprintf("%032x", i/10+1), fmt.Sprintf("%016x", i+1), "", "n", 1, attr("a", strings.Repeat("x", 10_000))))
	}
	body := request("rag", spans...)
	require.Greater(t, len(body), 10_000_000)
	require.Empty(t, s.sendJSON(t, "reviewer", body))
	res, got := s.send(t, "reviewer", "application/json", packed(t, []byte(body)), "Content-Encoding", "gzip")
	require.Equal(t, 200, res.StatusCode, string(got))
	counts, err := s.Store.LiveCounts(context.Background(), s.Tenant.ID, s.Clock.Now())
	require.NoError(t, err)
	require.Equal(t, map[string]int{live.SpansKept: 1000, live.SpansAgain: 1000}, counts)
}

// An account that sends too often is asked to come back.
func TestTooOften(t *testing.T) {
	s := listen(t, func(o *web.Options) { o.Rate = limits.Rate{PerSecond: 0.1, Burst: 1} })
	s.sendJSON(t, "reviewer", "{}")
	res, body := s.send(t, "reviewer", "application/json", []byte("{}"))
	require.Equal(t, 429, res.StatusCode)
	require.NotEmpty(t, res.Header.Get("Retry-After"))
	require.JSONEq(t, `8`, fmt.Sprint(int(codes.ResourceExhausted)))
	require.Contains(t, string(body), `"code":8`)
}

// TestMisspeltSpansAreTold: a body in which no span is found says so; an empty one is taken.
func TestMisspeltSpansAreTold(t *testing.T) {
	s := listen(t)
	for body, told := range map[string]bool{
		strings.Replace(request("rag", root(traceID)), "resourceSpans", "resource_spans", 1): true,
		strings.Replace(request("rag", root(traceID)), "scopeSpans", "scope_spans", 1):       true,
		strings.Replace(request("rag", root(traceID)), `"spans"`, `"span"`, 1):               true,
		`{}`: false, `{"resourceSpans":[]}`: false,
	} {
		got := s.sendJSON(t, "reviewer", body).PartialSuccess
		require.Empty(t, got.RejectedSpans, body)
		require.Equal(t, told, strings.Contains(got.ErrorMessage, "no span was found"), body)
	}
}

// TestARuleWithoutAShareTakesAll traces that it fits, as one of the form does.
func TestARuleWithoutAShareTakesAll(t *testing.T) {
	s := listen(t)
	put := func(body string) string {
		return s.As("admin").Do("PUT", "/api/v1/trace-rules", body, "If-Match", "*").Body.String()
	}
	require.Contains(t, put(`{"rules":[{"service":"*","becomes":"session"}]}`), `"share_percent":100`)
	require.Contains(t, put(`{"rules":[{"service":"*","becomes":"session","share_percent":0}]}`), `"share_percent":0`)
	require.Contains(t, put(`{"rules":[{"service":"*"}]}`), "becomes")
}

// TestATraceThatMakesNoDecision says which of its attributes are wrong, all of them, as its spans have them.
func TestATraceThatMakesNoDecision(t *testing.T) {
	s := listen(t)
	defer s.Work()()
	admin := access.Actor{Tenant: s.Tenant.ID, ID: s.Person("admin").ID, Role: access.Admin}
	_, err := s.Store.SetLiveRules(context.Background(), admin, 0, []live.Rule{{Service: "*", Share: 100, Becomes: live.Decision}})
	require.NoError(t, err)
	wrong := spanOf(traceID, "00f067aa0ba902ba", "00f067aa0ba902b7", "n", 2, attr("sanad.approval_class", "A9")+","+
		attr("sanad.reversibility_class", "R9")+","+attr("sanad.confidence", "high"))
	require.Empty(t, s.sendJSON(t, "reviewer", request("rag", root(traceID), model(traceID), wrong)))
	s.Clock.Move(live.Settling + time.Second)
	got := s.done(t, s.Tenant.ID)
	require.Equal(t, live.Failed, got.State)
	for _, attribute := range []string{"sanad.approval_class: ", "sanad.reversibility_class: ", "sanad.confidence: "} {
		require.Contains(t, got.Note, attribute)
	}
	require.NotContains(t, got.Note, "below")
}
