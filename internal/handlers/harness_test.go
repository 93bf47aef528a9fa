package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
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
	"sanad/internal/handlers"
	"sanad/internal/keys"
	"sanad/internal/lake"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// clock is the time of a test's store and server.
type clock struct{ offset atomic.Int64 }

func (c *clock) now() time.Time        { return now.Add(time.Duration(c.offset.Load())) }
func (c *clock) move(by time.Duration) { c.offset.Add(int64(by)) }

// server is the app on a fresh store, as somebody who asks.
type server struct {
	t             testing.TB
	store         *db.Store
	handler       http.Handler
	keys          *keys.Box
	clock         *clock
	tenant, other db.Tenant
	people        map[string]*person
	dir           string // of the store
	who           string // who asks: see person; "" for nobody
}

func newServer(t *testing.T, change ...func(*handlers.Options)) *server {
	t.Helper()
	return newServerFor(t, change...)
}

func newServerFor(t testing.TB, change ...func(*handlers.Options)) *server {
	t.Helper()
	ctx := context.Background()
	s := &server{t: t, clock: &clock{}, keys: masterKey(t), people: map[string]*person{}, who: "admin", dir: dbtest.Dir(t)}
	var err error
	s.store, err = db.Open(ctx, db.Options{Dir: s.dir, Now: s.clock.now, NewID: uuid.NewString, Keys: s.keys})
	require.NoError(t, err)
	store := s.store
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	s.tenant, err = s.store.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
	s.other, err = s.store.EnsureTenant(ctx, "other", "Other")
	require.NoError(t, err)
	artifacts, err := lake.Open(ctx, "", s.dir+"/lake")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, artifacts.Close()) })
	o := handlers.Options{
		Lake: artifacts, Store: s.store, Log: quiet, Now: s.clock.now, NewID: uuid.NewString,
		Keys: s.keys, Hasher: auth.NewHasher(1), Authorizer: access.ByRole{},
	}
	for _, f := range change {
		f(&o)
	}
	s.handler = handlers.New(o)
	return s
}

func masterKey(t testing.TB) *keys.Box {
	t.Helper()
	box, err := keys.New([]byte(strings.Repeat("k", 32)))
	require.NoError(t, err)
	return box
}

// as gives the same app with somebody else who asks.
func (s *server) as(who string) *server {
	other := *s
	other.who = who
	return &other
}

// do sends a request; headers are name, value pairs. Who asks shows a token to the API and a cookie to pages, unless
// the headers bring one.
func (s *server) do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := request(method, path, body, headers...)
	if s.who != "" && r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == "" {
		if p := s.person(s.who); strings.HasPrefix(path, "/api/") {
			r.Header.Set("Authorization", "Bearer "+p.token)
		} else {
			r.Header.Set("Cookie", "sanad="+p.cookie)
		}
	}
	return s.serve(r)
}

// serve answers a request. What the API answers is as its description says, in every test.
func (s *server) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	if !strings.HasPrefix(r.URL.Path, "/api/") || isBench(s.t) {
		s.handler.ServeHTTP(w, r)
		return w
	}
	var sent bytes.Buffer
	r.Body = io.NopCloser(io.TeeReader(r.Body, &sent))
	s.handler.ServeHTTP(w, r)
	if err := described().fault(r, sent.Bytes(), w); err != nil {
		s.t.Errorf("%s %s is not as described: %v", r.Method, r.URL, err)
	}
	return w
}

func isBench(t testing.TB) bool { _, is := t.(*testing.B); return is }

// request makes a request; its body is JSON unless the headers say otherwise, or it is a login's.
func request(method, path, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
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

// post sends a form.
func (s *server) post(path, form string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.do("POST", path, form, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

// get decodes a JSON answer.
func get[T any](t testing.TB, w *httptest.ResponseRecorder, status int) T {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	var v T
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v), w.Body.String())
	return v
}

type problem struct {
	Status       int
	Detail, Path string
}

// leave is a small session in our own format.
const leave = `{"format":"sanad.session/v1",
 "session":{"external_id":"hr-42","title":"Leave","query":"How many days?","answer":"Employees are entitled to 15 days of annual leave [cite:b8b859ac]. Carryover is 5 days.","lang":"en"},
 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[{"id":"c1","text":"All permanent employees shall receive 15 days of paid annual leave.","page_number":12}]}],
 "claims":[
  {"claim_id":"clm_001","claim_text":"Employees are entitled to 15 days of annual leave","claim_type":"policy","importance":"critical","start_offset":0,"end_offset":49,
   "matches":[{"chunk":"c1","similarity":0.92,"support_level":"full","contradicts":false,"snippet":"15 days of paid annual leave"}]},
  {"claim_id":"clm_002","claim_text":"Carryover is 5 days","claim_type":"numeric","importance":"critical","matches":[]}]}`

type created struct {
	SessionID string `json:"session_id"`
	LedgerURL string `json:"ledger_url"`
	Warnings  []struct{ Path, Message string }
}

func (s *server) create(body string) created {
	s.t.Helper()
	return get[created](s.t, s.do("POST", "/api/v1/sessions", body), http.StatusCreated)
}
