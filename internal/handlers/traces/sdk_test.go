package traces_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"sanad/internal/domain/live"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/handlers/webtest"
	"sanad/internal/otlp"
)

// byGRPC has the app listen for gRPC too, and returns its address.
func (s *listening) byGRPC(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- otlp.Serve(ctx, l, otlp.Options{App: s.Handler, MaxBody: live.MaxBody, Log: webtest.DiscardLog})
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return l.Addr().String()
}

// exported runs what a traced program does with the Go SDK: a question, a retrieval, a call of a tool and an answer.
func exported(t *testing.T, to sdktrace.SpanExporter) string {
	t.Helper()
	ctx := context.Background()
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(to),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "go-rag"))))
	tracer := provider.Tracer("test")
	ctx, chat := tracer.Start(ctx, "chat")
	chat.SetAttributes(attribute.String("input.value", "How much leave is there?"))
	_, find := tracer.Start(ctx, "retrieve")
	find.SetAttributes(attribute.String("openinference.span.kind", "RETRIEVER"),
		attribute.String("retrieval.documents.0.document.id", "policy"),
		attribute.String("retrieval.documents.0.document.content", answered))
	find.End()
	_, tool := tracer.Start(ctx, "execute_tool balance")
	tool.SetAttributes(attribute.String("gen_ai.operation.name", "execute_tool"), attribute.String("gen_ai.tool.name", "balance"),
		attribute.String("gen_ai.tool.call.id", "call_1"), attribute.String("gen_ai.tool.call.arguments", `{"employee":7}`),
		attribute.String("gen_ai.tool.call.result", "The balance is 12 days."))
	tool.End()
	_, llm := tracer.Start(ctx, "chat m-1")
	llm.SetAttributes(attribute.String("gen_ai.request.model", "m-1"), attribute.String("gen_ai.output.messages",
		`[{"role":"assistant","parts":[{"type":"text","content":"`+answered+` The balance is 12 days."}]}]`))
	llm.End()
	chat.End()
	require.NoError(t, provider.Shutdown(context.Background()))
	return chat.SpanContext().TraceID().String()
}

// The exporters of the Go SDK send a trace, whose session has the right answer, documents and calls.
func TestGoSDK(t *testing.T) {
	ctx := context.Background()
	for name, exporter := range map[string]func(s *listening, headers map[string]string) (sdktrace.SpanExporter, error){
		"http": func(s *listening, headers map[string]string) (sdktrace.SpanExporter, error) {
			return otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(s.url+"/v1/traces"), otlptracehttp.WithHeaders(headers),
				otlptracehttp.WithCompression(otlptracehttp.GzipCompression))
		},
		"grpc": func(s *listening, headers map[string]string) (sdktrace.SpanExporter, error) {
			return otlptracegrpc.New(ctx, otlptracegrpc.WithEndpoint(s.byGRPC(t)), otlptracegrpc.WithInsecure(),
				otlptracegrpc.WithHeaders(headers), otlptracegrpc.WithCompressor("gzip"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := listen(t)
			defer s.Work()()
			to, err := exporter(s, map[string]string{"authorization": "Bearer " + s.Person("reviewer").Token})
			require.NoError(t, err)
			id := exported(t, to)
			s.Clock.Move(live.Settling + time.Second)
			got := s.done(t, s.Tenant.ID)
			require.Equal(t, live.Session, got.State, got.Note)
			require.Equal(t, id, got.ID)
			require.Equal(t, "go-rag", got.Service)
			session, err := s.Store.Session(ctx, s.Tenant.ID, got.ObjectID)
			require.NoError(t, err)
			require.Equal(t, answered+" The balance is 12 days.", session.Answer)
			require.Equal(t, "How much leave is there?", session.Query)
			require.Equal(t, "m-1", session.Model)
			require.Len(t, session.Documents, 2)
			require.Equal(t, answered, session.Documents[0].Chunks[0].Text)
			require.Equal(t, `balance {"employee":7}`, session.Documents[1].Title)
			require.Equal(t, "The balance is 12 days.", session.Documents[1].Chunks[0].Text)
		})
	}
}

// What HTTP refuses, gRPC refuses with the code of the protocol, before a message is received if its sender may not
// send.
func TestRefusalsByGRPC(t *testing.T) {
	s := listen(t)
	conn, err := grpc.NewClient(s.byGRPC(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	client := collector.NewTraceServiceClient(conn)
	large := &collector.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{
		Spans: []*tracepb.Span{{Attributes: []*common.KeyValue{{Key: strings.Repeat("x", 60<<20)}}}}}}}}}
	as := func(who string) context.Context {
		ctx := context.Background()
		if who != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+s.Person(who).Token)
		}
		return ctx
	}
	_, err = client.Export(as(""), &collector.ExportTraceServiceRequest{})
	require.Equal(t, codes.Unauthenticated, status.Code(err), fmt.Sprint(err))
	_, err = client.Export(as("viewer"), large)
	require.Equal(t, codes.PermissionDenied, status.Code(err), fmt.Sprint(err))
	_, err = client.Export(as("reviewer"), large)
	require.Equal(t, codes.ResourceExhausted, status.Code(err), fmt.Sprint(err))
	_, err = client.Export(as("reviewer"), large, grpc.UseCompressor(gzip.Name))
	require.Equal(t, codes.ResourceExhausted, status.Code(err), fmt.Sprint(err))
	err = conn.Invoke(as("reviewer"), "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
		&collector.ExportTraceServiceRequest{}, &collector.ExportTraceServiceResponse{})
	require.Equal(t, codes.Unimplemented, status.Code(err), fmt.Sprint(err))
	got, err := client.Export(as("reviewer"), &collector.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{Name: "no id"}}}}}}})
	require.NoError(t, err)
	require.EqualValues(t, 1, got.GetPartialSuccess().GetRejectedSpans())
	require.Contains(t, got.GetPartialSuccess().GetErrorMessage(), "resourceSpans[0].scopeSpans[0].spans[0]")
}

func TestTooOftenByGRPC(t *testing.T) {
	s := listen(t, func(o *web.Options) { o.Rate = limits.Rate{PerSecond: 0.1, Burst: 2} }) // a call is two requests
	conn, err := grpc.NewClient(s.byGRPC(t), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	ctx := metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+s.Person("reviewer").Token)
	client := collector.NewTraceServiceClient(conn)
	_, err = client.Export(ctx, &collector.ExportTraceServiceRequest{})
	require.NoError(t, err)
	_, err = client.Export(ctx, &collector.ExportTraceServiceRequest{})
	require.Equal(t, codes.ResourceExhausted, status.Code(err), fmt.Sprint(err))
	var retry *errdetails.RetryInfo
	for _, d := range status.Convert(err).Details() {
		retry, _ = d.(*errdetails.RetryInfo)
	}
	require.NotNil(t, retry)
	require.Positive(t, retry.GetRetryDelay().AsDuration())
}
