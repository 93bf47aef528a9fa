// Package webtest is shared by the tests of pages and API: the app on a fresh store, users of every role, and a world
// with one object of every kind. In every test the answers of the API are checked against its description.
package webtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/handlers/web"
	"sanad/internal/keys"
	"sanad/internal/lake"
)

// Now is the time at which the tests begin.
var Now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// DiscardLog is a log that nobody reads.
var DiscardLog = slog.New(slog.NewTextHandler(io.Discard, nil))

// Clock is the time of a test's store and server.
type Clock struct{ offset atomic.Int64 }

func (c *Clock) Now() time.Time { return Now.Add(time.Duration(c.offset.Load())) }

func (c *Clock) Move(by time.Duration) { c.offset.Add(int64(by)) }

// Server is the app on a fresh store, with the user who sends the requests.
type Server struct {
	T             testing.TB
	Store         *db.Store
	Handler       http.Handler
	Keys          *keys.Box
	Clock         *Clock
	Tenant, Other db.Tenant
	people        *people
	Dir           string // the store's data folder
	Who           string // who sends requests, see Person; "" for nobody
}

// Endpoints makes endpoints of an app.
type Endpoints func(core *web.Server, o web.Options) []web.Endpoint

// given are the endpoints of a test binary's app: see Main.
var given Endpoints

// Main runs the tests of a package on an app with these endpoints.
func Main(m *testing.M, endpoints Endpoints) {
	given = endpoints
	os.Exit(m.Run())
}

// NewServer returns the app on a new store.
func NewServer(t *testing.T, change ...func(*web.Options)) *Server {
	t.Helper()
	return NewServerFor(t, change...)
}

// NewServerFor is NewServer for benchmarks too.
func NewServerFor(t testing.TB, change ...func(*web.Options)) *Server {
	t.Helper()
	ctx := context.Background()
	s := &Server{T: t, Clock: &Clock{}, Keys: masterKey(t), people: &people{known: map[string]func() *Person{}}, Who: "admin",
		Dir: dbtest.Dir(t)}
	var err error
	s.Store, err = db.Open(ctx, db.Options{Dir: s.Dir, Database: dbtest.Database(s.Dir), Now: s.Clock.Now, NewID: uuid.NewString, Keys: s.Keys,
		Mail: &notify.Schedule{Hour: 7}})
	require.NoError(t, err)
	store := s.Store
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	s.Tenant, err = s.Store.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
	s.Other, err = s.Store.EnsureTenant(ctx, "other", "Other")
	require.NoError(t, err)
	artifacts, err := lake.Open(ctx, "", s.Dir+"/lake")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, artifacts.Close()) })
	o := web.Options{
		Lake: artifacts, Store: s.Store, Log: DiscardLog, Now: s.Clock.Now, NewID: uuid.NewString,
		Keys: s.Keys, Hasher: auth.NewHasher(1), Authorizer: access.ByRole{},
	}
	for _, f := range change {
		f(&o)
	}
	core := web.NewServer(o)
	s.Handler = core.Handler(given(core, o))
	return s
}

func masterKey(t testing.TB) *keys.Box {
	t.Helper()
	box, err := keys.New([]byte(strings.Repeat("k", 32)))
	require.NoError(t, err)
	return box
}

// As returns the same app with another user who sends the requests.
func (s *Server) As(who string) *Server {
	other := *s
	other.Who = who
	return &other
}

// Do sends a request; headers are name, value pairs. The user authenticates with a token at the API and with a cookie
// at pages, unless the headers contain one.
func (s *Server) Do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	s.T.Helper()
	r := Request(method, path, body, headers...)
	if s.Who != "" && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
		if p := s.Person(s.Who); TakesTokens(path) {
			r.Header.Set("Authorization", "Bearer "+p.Token)
		} else {
			r.Header.Set("Cookie", "sanad="+p.Cookie)
		}
	}
	return s.Serve(r)
}

// TakesTokens reports whether an address takes tokens alone: the API, and the doors of agents and traces.
func TakesTokens(path string) bool {
	return strings.HasPrefix(path, "/api/") || path == "/mcp" || path == "/v1/traces"
}

// Serve answers a request. It fails the test if an answer of the API differs from its description.
func (s *Server) Serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	if !strings.HasPrefix(r.URL.Path, "/api/") || isBench(s.T) {
		s.Handler.ServeHTTP(w, r)
		return w
	}
	var sent bytes.Buffer
	r.Body = io.NopCloser(io.TeeReader(r.Body, &sent))
	s.Handler.ServeHTTP(w, r)
	if err := Described().Fault(r, sent.Bytes(), w); err != nil {
		s.T.Errorf("%s %s is not as described: %v", r.Method, r.URL, err)
	}
	return w
}

func isBench(t testing.TB) bool { _, is := t.(*testing.B); return is }

// Request returns a request; its body is JSON unless the headers say otherwise or it is for logging in or out.
func Request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), method, "http://127.0.0.1"+path,
		strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if strings.HasPrefix(path, "/login") || strings.HasPrefix(path, "/logout") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// Post sends a form.
func (s *Server) Post(path, form string, headers ...string) *httptest.ResponseRecorder {
	s.T.Helper()
	return s.Do("POST", path, form,
		append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

// Get decodes a JSON answer.
func Get[T any](t testing.TB, w *httptest.ResponseRecorder, status int) T {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	var v T
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v), w.Body.String())
	return v
}

type Problem struct {
	Status       int
	Detail, Path string
}

// LeavePolicy is a small session in our own format.
const LeavePolicy = `{"format":"sanad.session/v1",
 "session":{"external_id":"hr-42","title":"Leave","query":"How many days?","answer":"Employees are entitled to 15 days of annual leave [cite:b8b859ac]. Carryover is 5 days.","lang":"en"},
 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave.","page_number":12}]}],
 "claims":[
  {"claim_id":"clm_001","claim_text":"Employees are entitled to 15 days of annual leave","claim_type":"policy","importance":"critical","start_offset":0,"end_offset":49,
   "matches":[{"chunk":"c1","similarity":0.92,"support_level":"full","contradicts":false,"snippet":"15 days of paid annual leave"}]},
  {"claim_id":"clm_002","claim_text":"Carryover is 5 days","claim_type":"numeric","importance":"critical","matches":[]}]}`

type Created struct {
	SessionID string `json:"session_id"`
	LedgerURL string `json:"ledger_url"`
	Warnings  []struct{ Path, Message string }
}

// Create imports a session through the API.
func (s *Server) Create(body string) Created {
	s.T.Helper()
	return Get[Created](s.T, s.Do("POST", "/api/v1/sessions", body), http.StatusCreated)
}
