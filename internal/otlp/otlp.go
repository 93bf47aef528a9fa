// Package otlp takes traces by OTLP over gRPC. Each call becomes a request to POST /v1/traces of the same process, with
// the same token: who may send, what is bounded, and what is answered is said there and nowhere else.
package otlp

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	statuspb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip" // clients may pack their messages
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

const (
	service   = "opentelemetry.proto.collector.trace.v1.TraceService"
	path      = "/v1/traces"
	mediaType = "application/x-protobuf"

	// maxStreams is how many calls of one connection run at a time.
	maxStreams = 16
	// admitTime is how long it may take to look up who calls.
	admitTime = 5 * time.Second
	// stopGrace is how long calls may still take when the server stops.
	stopGrace = 5 * time.Second
)

// Options is what the server is made of.
type Options struct {
	App     http.Handler // that answers POST /v1/traces
	TLS     *tls.Config  // nil for none: behind a proxy, or on the same machine
	MaxBody int          // of a message, in bytes, unpacked too
	Log     *slog.Logger
}

// Serve answers calls until ctx ends.
func Serve(ctx context.Context, l net.Listener, o Options) error {
	d := &door{app: o.App, log: o.Log}
	opts := []grpc.ServerOption{
		grpc.ForceServerCodec(asItIs{}), grpc.MaxRecvMsgSize(o.MaxBody), grpc.MaxConcurrentStreams(maxStreams),
		grpc.InTapHandle(d.admit), grpc.ConnectionTimeout(10 * time.Second), grpc.MaxHeaderListSize(64 << 10),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: 5 * time.Minute}),
	}
	if o.TLS != nil {
		opts = append(opts, grpc.Creds(credentials.NewTLS(o.TLS)))
	}
	s := grpc.NewServer(opts...)
	s.RegisterService(&grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Export", Handler: export}}}, d)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	stopped := make(chan struct{})
	go func() { defer close(stopped); s.GracefulStop() }()
	select {
	case <-stopped:
	case <-time.After(stopGrace):
		s.Stop()
	}
	return <-done
}

// door passes calls to the app.
type door struct {
	app http.Handler
	log *slog.Logger
}

// admit refuses a call before its message is received, unless its sender may send: it asks the app with an empty
// request.
func (d *door) admit(ctx context.Context, info *tap.Info) (context.Context, error) {
	if info.FullMethodName != "/"+service+"/Export" {
		return ctx, status.Error(codes.Unimplemented, "Traces alone are taken here: "+service+".")
	}
	within, cancel := context.WithTimeout(ctx, admitTime)
	defer cancel()
	if _, err := d.ask(within, info.Header, nil); err != nil {
		return ctx, err
	}
	return ctx, nil
}

func export(srv any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) { //nolint:revive // grpc's order
	var body []byte
	if err := decode(&body); err != nil {
		return nil, err
	}
	d, ok := srv.(*door)
	if !ok {
		return nil, status.Error(codes.Internal, "This is not the service.")
	}
	from, _ := metadata.FromIncomingContext(ctx)
	return d.ask(ctx, from, body)
}

// passed are the metadata of a call that its request has as headers.
var passed = map[string]string{"authorization": "Authorization", "x-forwarded-for": "X-Forwarded-For",
	"x-forwarded-proto": "X-Forwarded-Proto", "user-agent": "User-Agent"}

// ask sends a message to the app and returns its answer, or its fault as an error of gRPC.
func (d *door) ask(ctx context.Context, from metadata.MD, body []byte) (answer []byte, err error) {
	r := (&http.Request{Method: http.MethodPost, URL: &url.URL{Path: path}, RequestURI: path, Proto: "HTTP/2.0", ProtoMajor: 2,
		Header: http.Header{"Content-Type": {mediaType}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(bytes.NewReader(body))}).WithContext(ctx)
	for name, header := range passed {
		if values := from.Get(name); len(values) > 0 {
			r.Header[header] = values
		}
	}
	if host := from.Get(":authority"); len(host) > 0 {
		r.Host = host[0]
	}
	if p, ok := peer.FromContext(ctx); ok {
		r.RemoteAddr = p.Addr.String()
		if t, ok := p.AuthInfo.(credentials.TLSInfo); ok {
			r.TLS = &t.State
		}
	}
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	defer func() {
		if v := recover(); v != nil {
			if e, ok := v.(error); !ok || !errors.Is(e, http.ErrAbortHandler) {
				d.log.Error("a call of OTLP over gRPC failed", "err", fmt.Sprint(v))
			}
			answer, err = nil, status.Error(codes.Internal, "Something went wrong here; send it again.")
		}
	}()
	d.app.ServeHTTP(w, r)
	if w.status == http.StatusOK {
		return w.body.Bytes(), nil
	}
	return nil, w.fault()
}

// recorder keeps an answer of the app.
type recorder struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(code int) {
	if !w.begun {
		w.status, w.begun = code, true
	}
}

func (w *recorder) Write(p []byte) (int, error) {
	w.begun = true
	return w.body.Write(p)
}

// fault returns the app's google.rpc.Status as an error. With Retry-After it says when to come back, as the protocol
// asks of codes that do not say so by themselves.
func (w *recorder) fault() error {
	var s statuspb.Status
	if w.header.Get("Content-Type") != mediaType || proto.Unmarshal(w.body.Bytes(), &s) != nil || s.GetCode() == 0 {
		return status.Error(codes.Internal, http.StatusText(w.status))
	}
	out := status.FromProto(&s)
	if seconds, err := strconv.Atoi(w.header.Get("Retry-After")); err == nil {
		if with, err := out.WithDetails(&errdetails.RetryInfo{
			RetryDelay: durationpb.New(time.Duration(seconds) * time.Second)}); err == nil {
			out = with
		}
	}
	return out.Err()
}

// asItIs passes messages on without reading them.
type asItIs struct{}

// Marshal implements encoding.Codec.
func (asItIs) Marshal(v any) ([]byte, error) {
	data, ok := v.([]byte)
	if !ok {
		return nil, fmt.Errorf("a message of type %T", v)
	}
	return data, nil
}

// Unmarshal implements encoding.Codec.
func (asItIs) Unmarshal(data []byte, v any) error {
	to, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("a message of type %T", v)
	}
	*to = bytes.Clone(data)
	return nil
}

// Name implements encoding.Codec.
func (asItIs) Name() string { return "proto" }
