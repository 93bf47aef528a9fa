package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxBody bounds, in bytes, a message to the server.
const maxBody = 8 << 20

// callerKey is the context key of the request that calls a tool, an *outer.
type callerKey struct{}

// outer is the request that brought a message, and the address of the server as its client knows it.
type outer struct {
	r    *http.Request
	base string
}

func outerOf(ctx context.Context) *outer {
	o, _ := ctx.Value(callerKey{}).(*outer)
	return o
}

// Full is the error of a room that has none left: the status, words and header of the answer.
type Full struct {
	Status     int
	Says       string
	RetryAfter string // seconds
}

func (f *Full) Error() string { return f.Says }

// Handler answers messages over HTTP. Its tools call the API of the same process, app, on behalf of whoever sent the
// message. base returns the address of the server as a request names it; room, if any, reserves memory for the values
// of a message. It keeps no sessions.
func Handler(app http.Handler, base func(*http.Request) string, room func(context.Context, int) error,
	version string) http.Handler {
	s := New(Options{API: inside{app}, Version: version, Base: func(ctx context.Context) string {
		if o := outerOf(ctx); o != nil {
			return o.base
		}
		return ""
	}})
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the app has checked the host already, for its configured names
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := bufio.NewReader(r.Body)
		if isBatch(body) {
			// its calls would all run at once, within the memory of one
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`+
				`"message":"Send one message in a request; a list of messages is not taken."}}`)
			return
		}
		ctx := context.WithValue(r.Context(), callerKey{}, &outer{r, base(r)})
		r = r.Clone(ctx)
		message, values, all, err := readMessage(body)
		if err == nil && room != nil {
			err = room(ctx, values)
		}
		if err != nil {
			if says := manyValues(err); says != "" {
				answerFault(w, http.StatusRequestEntityTooLarge, nil, jsonrpc.CodeInvalidRequest, says)
				return
			}
			full := &Full{Status: http.StatusServiceUnavailable, Says: "The message could not be read."}
			if errors.As(err, &full) {
				w.Header().Set("Retry-After", full.RetryAfter)
			}
			answerFault(w, full.Status, nil, jsonrpc.CodeInternalError, full.Says)
			return
		}
		if r.Method == http.MethodPost && message != nil { // else it is longer than a message may be, which the SDK says
			if id, code, says := wrongMessage(message); code != 0 {
				status := http.StatusBadRequest
				if code == jsonrpc.CodeInvalidParams { // of a request, which is answered as others are
					status = http.StatusOK
				}
				answerFault(w, status, id, code, says)
				return
			}
			w = &methodFaults{ResponseWriter: w, message: message}
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{all, r.Body}
		r.Header.Set("Accept", "application/json, text/event-stream") // whoever asks gets JSON
		h.ServeHTTP(w, r)
	})
}

// isBatch reports whether a body is a list, without taking anything from it but white space.
func isBatch(body *bufio.Reader) bool {
	for {
		b, err := body.ReadByte()
		if err != nil {
			return false
		}
		switch b {
		case ' ', '\t', '\r', '\n':
		default:
			_ = body.UnreadByte()
			return b == '['
		}
	}
}

// inside sends requests to the app in the same process.
type inside struct{ app http.Handler }

// passed are the headers of the caller that its requests to the API have too: who asks, and for whom a proxy asks.
var passed = []string{"Authorization", "X-Forwarded-For", "X-Forwarded-Proto", "User-Agent", "Traceparent",
	"Tracestate"}

// RoundTrip runs the app as if the caller had sent the request itself. It ends with the caller's request, also where
// the SDK lets a tool go on.
func (t inside) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	from := outerOf(r.Context())
	if from == nil {
		return nil, errors.New("nobody asks")
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(from.r.Context(), cancel)()
	in := r.Clone(ctx)
	in.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	in.RequestURI, in.Host, in.RemoteAddr, in.TLS = in.URL.RequestURI(), from.r.Host, from.r.RemoteAddr, from.r.TLS
	if in.Body == nil {
		in.Body = http.NoBody
	}
	for _, name := range passed {
		if values := from.r.Header.Values(name); len(values) > 0 {
			in.Header[name] = values
		}
	}
	w := &answer{header: http.Header{}}
	defer func() {
		// the app has logged it; a tool runs beside its request, where nobody else would catch it
		if p := recover(); p != nil {
			resp, err = nil, errors.New("the answer was cut off")
		}
	}()
	t.app.ServeHTTP(w, in)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case w.tooLong:
		return nil, ErrTooLong
	}
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: in.Proto, ProtoMajor: in.ProtoMajor, ProtoMinor: in.ProtoMinor, Header: w.header, Request: r,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()),
	}, nil
}

// answer holds an answer of the app up to maxAnswer bytes.
type answer struct {
	header  http.Header
	status  int
	body    bytes.Buffer
	tooLong bool
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.tooLong = a.tooLong || a.body.Len()+len(data) > maxAnswer; a.tooLong {
		return 0, ErrTooLong
	}
	return a.body.Write(data)
}
