package openfga

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

const (
	storeA = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	modelA = "01BX5ZZKBKACTAV9WEVGEMMVRZ"
)

var (
	noura = access.Actor{
		Tenant: "3f1c0000-0000-4000-8000-000000000001", ID: "8a2b0000-0000-4000-8000-000000000002",
		Role: access.Reviewer,
	}
	session = access.Object{Kind: "session", ID: "77aa0000-0000-4000-8000-000000000003"}
)

func newAuthorizer(t *testing.T, h http.HandlerFunc) *Authorizer {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	a, err := New(Config{URL: srv.URL, Store: storeA, Model: modelA, Token: "hush"})
	require.NoError(t, err)
	return a
}

// says returns a handler that answers everything with one status and body.
func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Any answer but an explicit yes denies the action.
func TestOnlyExplicitYesAllows(t *testing.T) {
	for _, c := range []struct {
		name      string
		answer    http.HandlerFunc
		may, fail bool
	}{
		{name: "yes", answer: says(200, `{"allowed":true,"resolution":""}`), may: true},
		{name: "no", answer: says(200, `{"allowed":false}`)},
		{name: "nothing said", answer: says(200, `{}`)},
		{name: "null", answer: says(200, `{"allowed":null}`)},
		{name: "a word", answer: says(200, `{"allowed":"true"}`), fail: true},
		{name: "a list", answer: says(200, `[true]`), fail: true},
		{name: "no JSON", answer: says(200, `<html>allowed: true</html>`), fail: true},
		{name: "half an answer", answer: says(200, `{"allowed":true`), fail: true},
		{name: "more after it", answer: says(200, `{"allowed":true}{"allowed":true}`), fail: true},
		{name: "empty", answer: says(200, ``), fail: true},
		{
			name:   "too large",
			answer: says(200, `{"allowed":true,"resolution":"`+strings.Repeat("x", maxAnswer)+`"}`),
			fail:   true,
		},
		{name: "no content", answer: says(204, ``), fail: true},
		{name: "accepted", answer: says(202, `{"allowed":true}`), fail: true},
		{name: "bad request", answer: says(400, `{"code":"validation_error","allowed":true}`), fail: true},
		{name: "wrong token", answer: says(401, `{"code":"bearer_token_missing","allowed":true}`), fail: true},
		{name: "fault", answer: says(500, `{"allowed":true}`), fail: true},
		{name: "unavailable", answer: says(503, ``), fail: true},
		{
			name: "hangs up", answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			fail: true,
		},
		{name: "too late", answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, fail: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newAuthorizer(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // only while reading does a server notice that the client left
				c.answer(w, r)
			})
			may, err := a.Allowed(context.Background(), noura, access.ReadLedger, session)
			require.Equal(t, c.may, may)
			require.Equal(t, c.fail, err != nil, "%v", err)
			if err != nil {
				require.NotContains(t, err.Error(), "hush")
				require.NotContains(t, err.Error(), noura.ID)
			}
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var reached atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = io.WriteString(w, `{"allowed":true}`)
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		a := newAuthorizer(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, status) })
		may, err := a.Allowed(context.Background(), noura, access.ReadLedger, session)
		require.Error(t, err)
		require.False(t, may)
	}
	require.Zero(t, reached.Load())
}

func TestUnreachableServerDenies(t *testing.T) {
	srv := httptest.NewServer(says(200, `{"allowed":true}`))
	a, err := New(Config{URL: srv.URL, Store: storeA})
	require.NoError(t, err)
	srv.Close()
	may, err := a.Allowed(context.Background(), noura, access.ReadLedger, session)
	require.Error(t, err)
	require.False(t, may)
	var e *domain.Error
	require.ErrorAs(t, a.Ready(context.Background()), &e)
	require.Equal(t, "OpenFGA does not answer, so everything is denied", e.Safe())
}

// The whole request is checked: path, key, relation, object and its parent.
func TestCheckRequest(t *testing.T) {
	tenant := "tenant:" + noura.Tenant
	parent := func(object string) *tuples { return &tuples{Keys: []tuple{{tenant, "tenant", object}}} }
	for _, c := range []struct {
		name       string
		what       access.Action
		on         access.Object
		relation   string
		object     string
		contextual *tuples
	}{
		{
			name: "session", what: access.ReviewClaim, on: session, relation: "can_review_claim",
			object: "session:" + session.ID, contextual: parent("session:" + session.ID),
		},
		{
			name: "document", what: access.ReadLedger, on: access.Object{Kind: "document", ID: "d-1"},
			relation: "can_read_ledger", object: "document:d-1", contextual: parent("document:d-1"),
		},
		{name: "evidence pack", what: access.ReadPack, on: access.Object{
			Kind: "evidence_pack", ID: "pack_0123456789abcdef",
		}, relation: "can_view_evidence_pack",
			object: "evidence_pack:pack_0123456789abcdef", contextual: parent("evidence_pack:pack_0123456789abcdef")},
		{
			name: "decisions, which have no type", what: access.ImportDecision,
			on: access.Object{Kind: "tenant", ID: "t"}, relation: "can_import_decision", object: tenant,
		},
		{
			name: "tenant", what: access.ReadLedger, on: access.Object{Kind: "tenant", ID: "another"},
			relation: "can_read_ledger", object: tenant,
		},
		{
			name: "no object", what: access.UseAccount, on: access.Object{}, relation: "can_use_account",
			object: tenant,
		},
		{
			name: "a kind without rules", what: access.ReadLedger, on: access.Object{Kind: "user", ID: "u"},
			relation: "can_read_ledger", object: tenant,
		},
		{
			name: "an action without a rule there", what: access.UseAccount, on: session,
			relation: "can_use_account", object: tenant,
		},
		{
			name: "no id", what: access.ReadLedger, on: access.Object{Kind: "session"},
			relation: "can_read_ledger", object: tenant,
		},
		{
			name: "an id with a relation", what: access.ReadLedger,
			on: access.Object{Kind: "session", ID: "x#tenant"}, relation: "can_read_ledger", object: tenant,
		},
		{
			name: "an id with a type", what: access.ReadLedger, on: access.Object{Kind: "session", ID: "x:y"},
			relation: "can_read_ledger", object: tenant,
		},
		{
			name: "a wildcard", what: access.ReadLedger, on: access.Object{Kind: "session", ID: "*"},
			relation: "can_read_ledger", object: tenant,
		},
		{
			name: "an endless id", what: access.ReadLedger,
			on: access.Object{Kind: "session", ID: strings.Repeat("x", 129)}, relation: "can_read_ledger",
			object: tenant,
		},
		{
			name: "a line break", what: access.ReadLedger, on: access.Object{Kind: "session", ID: "x\n"},
			relation: "can_read_ledger", object: tenant,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := question{
				Tuple: tuple{"user:" + noura.ID, c.relation, c.object}, Contextual: c.contextual,
				Model: modelA, Consistency: "HIGHER_CONSISTENCY",
			}
			asked := false
			a := newAuthorizer(t, func(w http.ResponseWriter, r *http.Request) {
				asked = true
				var got question
				if json.NewDecoder(r.Body).Decode(&got) == nil && r.URL.Path == "/stores/"+storeA+"/check" &&
					r.Header.Get("Authorization") == "Bearer hush" && r.Header.Get("Idempotency-Key") == "" {
					_ = json.NewEncoder(w).Encode(map[string]any{"allowed": same(want, got)})
				}
			})
			may, err := a.Allowed(context.Background(), noura, c.what, c.on)
			require.NoError(t, err)
			require.True(t, asked)
			require.True(t, may, "the question was not %+v", want)
		})
	}
}

func same(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// If the role does not allow the action, OpenFGA is not asked: it can only restrict further.
func TestServerIsNotAskedIfTheRoleDenies(t *testing.T) {
	var asked atomic.Int64
	a := newAuthorizer(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = io.WriteString(w, `{"allowed":true}`)
	})
	for _, c := range []struct {
		who  access.Actor
		what access.Action
	}{
		{access.Actor{Tenant: noura.Tenant, ID: noura.ID, Role: access.Viewer}, access.ReviewClaim},
		{access.Actor{Tenant: noura.Tenant, ID: noura.ID, Role: access.Reviewer, Token: "t"}, access.ManageKeys},
		{access.Actor{Tenant: noura.Tenant, ID: noura.ID}, access.ReadLedger},
		{access.Actor{ID: noura.ID, Role: access.Admin}, access.ReadLedger},
		{access.Actor{Tenant: noura.Tenant, Role: access.Admin}, access.ReadLedger},
		{access.Actor{Tenant: noura.Tenant, ID: "*", Role: access.Admin}, access.ReadLedger},
		{access.Actor{Tenant: noura.Tenant, ID: "a#viewer", Role: access.Admin}, access.ReadLedger},
		{access.Actor{Tenant: "x:y", ID: noura.ID, Role: access.Admin}, access.ReadLedger},
		{access.Actor{Tenant: noura.Tenant, ID: noura.ID, Role: access.Admin}, access.Public},
		{access.Actor{Tenant: noura.Tenant, ID: noura.ID, Role: access.Admin}, "new_action"},
	} {
		may, err := a.Allowed(context.Background(), c.who, c.what, session)
		require.NoError(t, err)
		require.False(t, may, "%+v %s", c.who, c.what)
	}
	require.Zero(t, asked.Load())
}

func TestConfig(t *testing.T) {
	good := Config{URL: "http://127.0.0.1:8080", Store: storeA}
	_, err := New(good)
	require.NoError(t, err)
	for name, spoil := range map[string]func(*Config){
		"no address":    func(c *Config) { c.URL = "" },
		"no scheme":     func(c *Config) { c.URL = "127.0.0.1:8080" },
		"a file":        func(c *Config) { c.URL = "file:///etc/passwd" },
		"a user name":   func(c *Config) { c.URL = "http://me:secret@127.0.0.1" },
		"a query":       func(c *Config) { c.URL = "http://127.0.0.1/?x=1" },
		"no store":      func(c *Config) { c.Store = "" },
		"a path":        func(c *Config) { c.Store = "../stores" },
		"a bad model":   func(c *Config) { c.Model = "newest" },
		"a split token": func(c *Config) { c.Token = "a\r\nX: y" },
	} {
		c := good
		spoil(&c)
		_, err := New(c)
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
		require.NotContains(t, err.Error(), "secret", name)
	}
}

func TestReady(t *testing.T) {
	whole := `{"authorization_model":` + strings.Replace(string(modelJSON), "{", `{"id":"`+modelA+`",`, 1) + `}`
	a := newAuthorizer(t, says(200, whole))
	var e *domain.Error
	require.ErrorAs(t, a.Ready(context.Background()), &e)
	require.Contains(t, e.Safe(), "not been written")
	a.setBehind("")
	require.NoError(t, a.Ready(context.Background()))
	for body, why := range map[string]string{
		`{}`: "no authorization model",
		`{"authorization_model":{"type_definitions":[{"type":"user"}]}}`: "lacks document#can_copy_file",
	} {
		a := newAuthorizer(t, says(200, body))
		a.setBehind("")
		require.ErrorAs(t, a.Ready(context.Background()), &e)
		require.Contains(t, e.Safe(), why)
	}
}
