package handlers_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

func TestAuthorizerDecides(t *testing.T) {
	a := &webtest.FakeAuthorizer{Ok: true}
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Authorizer = a })
	id := s.Create(webtest.LeavePolicy).SessionID
	a.Calls = nil
	require.Equal(t, 200, s.Do("GET", "/sessions/"+id, "").Code)
	require.Equal(t, []access.Object{{Kind: "session", ID: id}}, a.Calls, "asked once, about the session")
	a.Calls = nil
	for _, malformed := range []string{"none", "a%20b%23c", strings.ToUpper(id), "{" + id + "}", "urn:uuid:" + id} {
		require.Equal(t, 404, s.Do("GET", "/sessions/"+malformed, "").Code)
	}
	for _, on := range a.Calls {
		require.Equal(t, access.Object{Kind: "session", ID: uuid.Nil.String()}, on, "no text of a request reaches it")
	}
	a.Calls = nil
	require.Equal(t, 200, s.Do("GET", "/sessions", "").Code)
	require.Equal(t, []access.Object{{Kind: "tenant", ID: s.Tenant.ID}}, a.Calls)
	a.Calls = nil
	require.Equal(t, 303, s.As("").Do("GET", "/sessions", "").Code)
	require.Empty(t, a.Calls, "nobody is nobody whoever decides")

	a.Ok = false // the role suffices, so the object is refused
	refused := s.Do("GET", "/sessions/"+id, "")
	require.Equal(t, 404, refused.Code)
	require.Equal(t, webtest.Answer(s.Do("GET", "/sessions/"+uuid.NewString(), "")), webtest.Answer(refused))
	require.Equal(t, 403, s.As("viewer").Post("/sessions/"+id+"/claims/1/reviews", "action=comment").Code)
	require.Equal(t, 403, s.Do("GET", "/sessions", "").Code)
}

func TestSilentAuthorizerDenies(t *testing.T) {
	a := &webtest.FakeAuthorizer{Ok: true, Err: errors.New("dial tcp 10.1.2.3:8080: refused")}
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Authorizer = a })
	page := s.Do("GET", "/sessions", "")
	require.Equal(t, 503, page.Code)
	require.NotContains(t, page.Body.String(), "10.1.2.3")
	api := s.Do("GET", "/api/v1/sessions", "")
	require.Equal(t, 503, api.Code)
	require.NotContains(t, api.Body.String(), "10.1.2.3")
	ready := s.Do("GET", "/readyz", "")
	require.Equal(t, 503, ready.Code)
	require.NotContains(t, ready.Body.String(), "10.1.2.3")
	require.Equal(t, 200, s.As("").Do("GET", "/login", "").Code, "what is public needs no answer")
}

// While the store is read-only, people can sign in and read, and pages say so; nothing is changed.
func TestFrozenStore(t *testing.T) {
	s := webtest.NewServer(t)
	s.Person("viewer")
	old := filepath.Join(t.TempDir(), "old")
	dbtest.Copy(t, s.Dir, old)
	id := s.Create(webtest.LeavePolicy).SessionID
	store, err := db.Open(context.Background(),
		db.Options{Dir: old, Database: dbtest.Database(old), Checkpoints: s.Dir + "-checkpoints", Now: s.Clock.Now, NewID: uuid.NewString,
			Keys: s.Keys})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	require.NotEmpty(t, store.Frozen(), "a database older than its log's checkpoint")
	s.Store = store
	s.Handler = handlers.New(handlers.Options{
		Store: store, Log: webtest.DiscardLog, Now: s.Clock.Now, NewID: uuid.NewString, Keys: s.Keys,
		Hasher: auth.NewHasher(1), Authorizer: access.ByRole{},
	})
	require.Equal(t, 503, s.As("").Do("GET", "/readyz", "").Code)
	w := s.SignIn("viewer", webtest.Password)
	require.Equal(t, 303, w.Code, w.Body.String())
	cookie := "sanad=" + webtest.SetCookie(w, "sanad").Value
	s.Clock.Move(2 * time.Minute) // so that it is noted as seen
	page := s.As("").Do("GET", "/sessions", "", "Cookie", cookie)
	require.Equal(t, 200, page.Code)
	require.Contains(t, page.Body.String(), "is read-only at the moment")
	require.NotContains(t, page.Body.String(), id)
	require.Equal(t, 422, s.SignIn("viewer", "wrong").Code)
	require.Equal(t, 303, s.As("").Post("/logout", "", "Cookie", cookie).Code)
}
