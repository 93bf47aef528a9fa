package handlers_test

import (
	"context"
	"database/sql"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
)

// asked is an Authorizer that answers as it is told and remembers what it was asked.
type asked struct {
	ok    bool
	err   error
	calls []access.Object
}

func (a *asked) Allowed(_ context.Context, _ domain.Actor, _ access.Action, on access.Object) (bool, error) {
	a.calls = append(a.calls, on)
	return a.ok, a.err
}

func (a *asked) Ready(context.Context) error { return a.err }

func TestTheAuthorizerDecides(t *testing.T) {
	a := &asked{ok: true}
	s := newServer(t, func(o *handlers.Options) { o.Authorizer = a })
	id := s.create(leave).SessionID
	a.calls = nil
	require.Equal(t, 200, s.do("GET", "/sessions/"+id, "").Code)
	require.Equal(t, []access.Object{{Kind: "session", ID: id}}, a.calls, "asked once, about the session")
	a.calls = nil
	for _, malformed := range []string{"none", "a%20b%23c", strings.ToUpper(id), "{" + id + "}", "urn:uuid:" + id} {
		require.Equal(t, 404, s.do("GET", "/sessions/"+malformed, "").Code)
	}
	for _, on := range a.calls {
		require.Equal(t, access.Object{Kind: "session", ID: uuid.Nil.String()}, on, "no text of a request reaches it")
	}
	a.calls = nil
	require.Equal(t, 200, s.do("GET", "/sessions", "").Code)
	require.Equal(t, []access.Object{{Kind: "tenant", ID: s.tenant.ID}}, a.calls)
	a.calls = nil
	require.Equal(t, 303, s.as("").do("GET", "/sessions", "").Code)
	require.Empty(t, a.calls, "nobody is nobody whoever decides")

	a.ok = false // the role would reach, so it is the object that is not theirs
	refused := s.do("GET", "/sessions/"+id, "")
	require.Equal(t, 404, refused.Code)
	require.Equal(t, answer(s.do("GET", "/sessions/"+uuid.NewString(), "")), answer(refused))
	require.Equal(t, 403, s.as("viewer").post("/sessions/"+id+"/claims/1/reviews", "action=comment").Code)
	require.Equal(t, 403, s.do("GET", "/sessions", "").Code)
}

func TestNoAnswerIsNo(t *testing.T) {
	a := &asked{ok: true, err: errors.New("dial tcp 10.1.2.3:8080: refused")}
	s := newServer(t, func(o *handlers.Options) { o.Authorizer = a })
	page := s.do("GET", "/sessions", "")
	require.Equal(t, 503, page.Code)
	require.NotContains(t, page.Body.String(), "10.1.2.3")
	api := s.do("GET", "/api/v1/sessions", "")
	require.Equal(t, 503, api.Code)
	require.NotContains(t, api.Body.String(), "10.1.2.3")
	ready := s.do("GET", "/readyz", "")
	require.Equal(t, 503, ready.Code)
	require.NotContains(t, ready.Body.String(), "10.1.2.3")
	require.Equal(t, 200, s.as("").do("GET", "/login", "").Code, "what is public needs no answer")
}

// A fault of the store is no wrong password and no missing login.
func TestAStoreThatDoesNotAnswer(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	raw, err := sql.Open("sqlite", "file:"+filepath.Join(s.dir, "sanad.db"))
	require.NoError(t, err)
	_, err = raw.Exec("ALTER TABLE users RENAME TO lost")
	require.NoError(t, err)
	require.NoError(t, raw.Close())
	for _, w := range []*httptest.ResponseRecorder{
		s.as("viewer").do("GET", "/sessions", ""), s.as("viewer").do("GET", "/api/v1/sessions", ""), s.as("viewer").post("/logout", ""),
		s.signIn("viewer", "wrong"),
	} {
		require.Equal(t, 500, w.Code)
		require.NotContains(t, w.Body.String(), "no such table")
	}
}

// Where the store only reads, people come in and read, and are told; nothing is changed.
func TestFrozenStore(t *testing.T) {
	s := newServer(t)
	s.person("viewer")
	old := filepath.Join(t.TempDir(), "old")
	require.NoError(t, os.CopyFS(old, os.DirFS(s.dir)))
	id := s.create(leave).SessionID
	store, err := db.Open(context.Background(), db.Options{Dir: old, Checkpoints: s.dir + "-checkpoints", Now: s.clock.now, NewID: uuid.NewString, Keys: s.keys})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	require.NotEmpty(t, store.Frozen(), "a database older than its log's checkpoint")
	s.store = store
	s.handler = handlers.New(handlers.Options{
		Store: store, Log: quiet, Now: s.clock.now, NewID: uuid.NewString, Keys: s.keys, Hasher: auth.NewHasher(1), Authorizer: access.ByRole{},
	})
	require.Equal(t, 503, s.as("").do("GET", "/readyz", "").Code)
	w := s.signIn("viewer", password)
	require.Equal(t, 303, w.Code, w.Body.String())
	cookie := "sanad=" + setCookie(w, "sanad").Value
	s.clock.move(2 * time.Minute) // so that it is noted as seen
	page := s.as("").do("GET", "/sessions", "", "Cookie", cookie)
	require.Equal(t, 200, page.Code)
	require.Contains(t, page.Body.String(), "only reads at the moment")
	require.NotContains(t, page.Body.String(), id)
	require.Equal(t, 422, s.signIn("viewer", "wrong").Code)
	require.Equal(t, 303, s.as("").post("/logout", "", "Cookie", cookie).Code)
}
