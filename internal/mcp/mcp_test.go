package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/importers"
)

// over connects a client in memory to a server over an API.
func over(t *testing.T, o Options) *sdk.ClientSession {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	_, err := New(o).Connect(t.Context(), near, nil)
	require.NoError(t, err)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), far, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// remote connects a client to a server over an API at an address.
func remote(t *testing.T, api http.HandlerFunc, wait time.Duration) *sdk.ClientSession {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	o, err := Remote(server.URL, "the-secret-token")
	require.NoError(t, err)
	o.Wait = wait
	return over(t, o)
}

func call(t *testing.T, s *sdk.ClientSession, tool string, arguments any) (text string, failed bool) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	require.NoError(t, err)
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       []string
	}{
		"problem":      {status: 422, kind: "application/problem+json", body: `{"detail":"Too long.","path":"documents[2].text"}`, want: []string{"Too long. (at documents[2].text)"}},
		"several":      {status: 422, kind: "application/problem+json", body: `{"detail":"No.","errors":[{"path":"a","detail":"b"}]}`, want: []string{"No.\n- a: b"}},
		"token":        {status: 401, kind: "application/problem+json", body: `{"detail":"Send a valid token."}`, want: []string{"has expired or was revoked"}},
		"a proxy":      {status: 502, kind: "text/html", body: `<h1>secret of the proxy</h1>`, want: []string{"answered 502 Bad Gateway"}},
		"another site": {status: 200, kind: "text/html", body: `<h1>Welcome</h1>`, want: []string{"is this address a Sanad server"}},
		"redirect":     {status: 302, kind: "text/html", body: ``, want: []string{"answered 302"}},
	} {
		s := remote(t, func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, "/api/v1/sessions/a%2Fb/ledger", r.URL.EscapedPath(), "an id is one segment")
			w.Header().Set("Content-Type", c.kind)
			w.Header().Set("Location", "/login")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}, 0)
		text, failed := call(t, s, "get_ledger", map[string]any{"session_id": "a/b"})
		require.True(t, failed, name)
		for _, want := range c.want {
			require.Contains(t, text, want, name)
		}
		require.NotContains(t, text, "secret", name)
	}
}

// A refusal names only what the caller of verify_answer can give. The words are those of the import itself.
func TestVerifyNamesItsOwnArguments(t *testing.T) {
	_, err := importers.Read([]byte(`{"format":"sanad.session/v1","session":{"answer":"?"},"documents":[]}`), importers.Options{})
	var fault *domain.Error
	require.ErrorAs(t, err, &fault)
	require.Contains(t, fault.Text(), `"claims"`)
	s := remote(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_ = json.NewEncoder(w).Encode(map[string]string{"detail": fault.Text(), "path": fault.Path})
	}, 0)
	text, failed := call(t, s, "verify_answer", map[string]any{"answer": "?", "documents": []any{}})
	require.True(t, failed)
	require.Equal(t, "No checkable statement was found in the answer; give one that states something. (at answer)", text)
}

func TestAnswersAreBounded(t *testing.T) {
	s := remote(t, func(w http.ResponseWriter, r *http.Request) {
		size := 2 << 20
		if strings.Contains(r.URL.Path, "huge") {
			size = maxAnswer + 1
		}
		_ = json.NewEncoder(w).Encode(strings.Repeat("x", size))
	}, 0)
	text, failed := call(t, s, "resolve_citation", map[string]any{"citation": "aa"})
	require.True(t, failed)
	require.Equal(t, "the answer has 2048 KiB, more than the 64 that are told here; ask for less", text)
	text, failed = call(t, s, "resolve_citation", map[string]any{"citation": "huge"})
	require.True(t, failed)
	require.Contains(t, text, "more than 32 MiB")
}

func TestCut(t *testing.T) {
	require.Equal(t, "سند", cut("سند", 3))
	require.Equal(t, "سن…", cut("سندات", 3))
	require.Equal(t, 2, fitting([]string{"ab", "cd", "ef"}, 10))
	require.Equal(t, 0, fitting([]string{"ab"}, 4))
}

// An import that becomes a job is waited for, but not for ever.
func TestJobs(t *testing.T) {
	for name, c := range map[string]struct {
		last   string
		wait   time.Duration
		failed bool
		want   string
	}{
		"done":       {last: `{"job_id":"j","status":"done","session_id":"s"}`, wait: time.Minute, failed: false, want: `"session_id":"s"`},
		"failed":     {last: `{"job_id":"j","status":"failed","error":{"path":"session.answer","detail":"Bad."}}`, wait: time.Minute, failed: true, want: "Bad. (at answer)"},
		"cancelled":  {last: `{"job_id":"j","status":"cancelled"}`, wait: time.Minute, failed: true, want: "somebody has cancelled"},
		"still runs": {last: `{"job_id":"j","status":"running","percent":7}`, wait: time.Millisecond, failed: false, want: `"job_id":"j"`},
	} {
		s := remote(t, func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, "Bearer the-secret-token", r.Header.Get("Authorization"))
			switch r.URL.Path {
			case "/api/v1/sessions":
				w.WriteHeader(http.StatusAccepted)
				_, _ = io.WriteString(w, `{"job_id":"j","status":"queued","session_id":null}`)
			case "/api/v1/jobs/j":
				_, _ = io.WriteString(w, c.last)
			default:
				_, _ = io.WriteString(w, `{"ledger":{"session_id":"s"}}`)
			}
		}, c.wait)
		text, failed := call(t, s, "verify_answer", map[string]any{"answer": "x", "documents": []any{}})
		require.Equal(t, c.failed, failed, "%s: %s", name, text)
		require.Contains(t, text, c.want, name)
	}
}

// A call that is cancelled ends its request to the API.
func TestCancel(t *testing.T) {
	begun, ended := make(chan bool), make(chan bool)
	s := remote(t, func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(ended)
	}, 0)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "search_evidence", Arguments: map[string]any{"query": "x"}})
	require.ErrorIs(t, err, context.Canceled)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the request goes on")
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://sanad.example": "https://sanad.example", "https://sanad.example:8443/": "https://sanad.example:8443",
		"http://127.0.0.1:8080": "http://127.0.0.1:8080", "http://[::1]:1": "http://[::1]:1", "http://localhost": "http://localhost",
		"http://sanad.example": "", "http://localhost.example": "", "ftp://localhost": "", "localhost:8080": "", "": "",
		"https://me:pw@sanad.example": "", "https://sanad.example/api": "", "https://sanad.example?x=1": "",
	} {
		got, err := checkAddress(address)
		require.Equal(t, want, got, address)
		require.Equal(t, want == "", err != nil, address)
	}
}

// message is a call of a tool over HTTP.
const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resolve_citation","arguments":{"citation":"aa"}}}`

func posted(ctx context.Context, app http.HandlerFunc) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, "POST", "https://sanad.example/mcp", strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	for name, v := range map[string]string{"Authorization": "Bearer t", "Cookie": "sanad=x", "X-Forwarded-For": "198.51.100.7"} {
		r.Header.Set(name, v)
	}
	w := httptest.NewRecorder()
	Handler(app, func(r *http.Request) string { return "https://" + r.Host }, nil, "1").ServeHTTP(w, r)
	return w
}

// A tool's request to the same process is its caller's, without the caller's cookies.
func TestInside(t *testing.T) {
	w := posted(t.Context(), func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"path": r.URL.Path, "uri": r.RequestURI, "host": r.Host, "from": r.RemoteAddr,
			"tls": r.TLS != nil, "cookie": r.Header.Get("Cookie"), "token": r.Header.Get("Authorization"), "for": r.Header.Get("X-Forwarded-For")})
	})
	require.Equal(t, 200, w.Code)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var got struct {
		Result struct {
			StructuredContent map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got), w.Body.String())
	require.Equal(t, map[string]any{"path": "/api/v1/citations/aa", "uri": "/api/v1/citations/aa", "host": "sanad.example",
		"from": "192.0.2.1:1234", "tls": true, "cookie": "", "token": "Bearer t", "for": "198.51.100.7"}, got.Result.StructuredContent)
}

// What goes wrong within a tool's request is an error of the tool, and never of the process.
func TestInsideFaults(t *testing.T) {
	for name, c := range map[string]struct {
		app  http.HandlerFunc
		want string
	}{
		"aborted": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the answer was cut off"},
		"too long": {func(w http.ResponseWriter, _ *http.Request) {
			for range maxAnswer>>20 + 1 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		}, "more than 32 MiB"},
	} {
		require.Contains(t, posted(t.Context(), c.app).Body.String(), c.want, name)
	}
}

// A tool's request ends when the client of its caller goes away.
func TestInsideCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go posted(ctx, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		select {
		case <-r.Context().Done():
			ended <- nil
		case <-time.After(10 * time.Second):
			ended <- fmt.Errorf("the request goes on")
		}
	})
	require.NoError(t, <-ended)
}
