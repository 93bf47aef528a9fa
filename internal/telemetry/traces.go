package telemetry

import (
	"context"
	"net/http"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Traces sends one span per request to an OTLP endpoint. A nil *Traces sends nothing.
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// TracesFromEnvironment reads the standard variables of OpenTelemetry (OTEL_EXPORTER_OTLP_ENDPOINT,
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and related ones). Without an endpoint it returns nil, and nothing is sent. Later
// errors, such as an unreachable collector, are passed to trouble.
func TracesFromEnvironment(ctx context.Context, trouble func(error)) (*Traces, error) {
	if !wanted() {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(trouble)) // the library has one handler for the whole program
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	res, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "sanad")),
		resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(res))
	return &Traces{provider: p, tracer: p.Tracer("sanad")}, nil
}

func wanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Start begins the span of a request, as a child of the caller's span if its traceparent header names one. The returned
// function ends the span; route is the pattern of the address.
func (t *Traces) Start(r *http.Request) (ctx context.Context, end func(route string, status int)) {
	if t == nil {
		return r.Context(), func(string, int) {}
	}
	ctx = propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(route string, status int) {
		if route != "" {
			span.SetName(r.Method + " " + route)
		}
		span.SetAttributes(attribute.String("http.request.method", r.Method), attribute.String("http.route", route),
			attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// ID returns the trace id of ctx in hex, or "" if none.
func ID(ctx context.Context) string {
	if id := trace.SpanContextFromContext(ctx).TraceID(); id.IsValid() {
		return id.String()
	}
	return ""
}

// Close sends the remaining spans.
func (t *Traces) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
