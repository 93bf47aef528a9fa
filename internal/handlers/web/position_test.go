package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// node is another process on the same store, with its replicas.
type node struct {
	*webtest.Server
}

func (n *node) reads() (sum uint64) {
	for _, r := range n.Store.Replicas() {
		sum += r.Reads
	}
	return sum
}

// list asks for the list of sessions, and returns how many it has and whether a replica answered.
func (n *node) list(t *testing.T, path string, headers ...string) (sessions int, replica bool) {
	t.Helper()
	before := n.reads()
	res := n.Do("GET", path, "", headers...)
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	return strings.Count(res.Body.String(), "Leave policy"), n.reads() > before
}

// TestReplicaShowsOwnWritesAtEveryNode checks that who has written finds it at any node while the replica is behind, by the
// cookie of a browser and by the header of a program, and that others are answered by the replica.
func TestReplicaShowsOwnWritesAtEveryNode(t *testing.T) {
	var o handlers.Options
	s := webtest.NewServer(t, func(given *handlers.Options) { o = *given })
	at := dbtest.Replicas(t, s.Dir)[0]
	open := func() *node {
		store, err := db.Open(context.Background(), db.Options{Dir: s.Dir, Database: dbtest.Database(s.Dir),
			Replicas: []string{at}, Now: s.Clock.Now, NewID: uuid.NewString, Keys: s.Keys})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		other, options := *s, o
		options.Store, options.MetricsToken = store, "0123456789abcdef"
		other.Handler, other.Store, other.Who = handlers.New(options), store, "admin"
		require.Eventually(t, func() bool { return store.Replicas()[0].InUse }, time.Minute, 20*time.Millisecond)
		return &node{&other}
	}
	a, b := open(), open()
	titled := func(i int) string {
		return strings.NewReplacer(`"hr-42"`, fmt.Sprintf(`"hr-%d"`, i),
			`"title":"Leave"`, fmt.Sprintf(`"title":"Leave policy %d"`, i)).Replace(webtest.LeavePolicy)
	}
	who := s.Person("admin")
	cookie := func(position string) []string {
		return []string{"Cookie", "sanad=" + who.Cookie + "; " + web.PositionCookie + "=" + position}
	}
	given := func(res *httptest.ResponseRecorder) string {
		if c := webtest.SetCookie(res, web.PositionCookie); c != nil {
			return c.Value
		}
		return ""
	}

	created := a.Do("POST", "/api/v1/sessions", titled(1))
	require.Equal(t, http.StatusCreated, created.Code, created.Body.String())
	program := created.Header().Get(web.PositionHeader)
	require.NotEmpty(t, program)
	page := a.Do("GET", "/sessions", "")
	old := given(page)
	require.NotEmpty(t, old, "a login without a position gets one")
	for _, n := range []*node{a, b} {
		require.Eventually(t, func() bool {
			sessions, replica := n.list(t, "/sessions", cookie(old)...)
			require.Equal(t, 1, min(sessions, 1))
			return replica
		}, time.Minute, 20*time.Millisecond, "no replica has answered")
		require.Empty(t, given(n.Do("GET", "/sessions", "", cookie(old)...)), "who has not written keeps the position")
		_, replica := n.list(t, "/api/v1/sessions", web.PositionHeader, program)
		require.True(t, replica)
		_, replica = n.list(t, "/api/v1/sessions")
		require.False(t, replica, "a program without the header")
	}

	resume := dbtest.PauseReplica(t, at)
	all := func() int {
		rows, _, err := s.Store.Sessions(context.Background(), s.Tenant.ID, ledger.SessionQuery{Limit: 10})
		require.NoError(t, err)
		return len(rows)
	}
	created = a.Do("POST", "/api/v1/sessions", titled(2))
	require.Equal(t, http.StatusCreated, created.Code)
	require.Equal(t, 2, all())
	newer := created.Header().Get(web.PositionHeader)
	require.NotEqual(t, program, newer)
	view := a.Post("/views", webtest.Form("page", "sessions", "name", "mine", "query", "state=open"), cookie(old)...)
	require.Equal(t, http.StatusSeeOther, view.Code, view.Body.String())
	fresh := given(view)
	require.NotEmpty(t, fresh, "who has written gets a new position")
	keyed := a.Do("POST", "/api/v1/sessions", titled(3), "Idempotency-Key", "once")
	require.Equal(t, http.StatusCreated, keyed.Code)
	again := b.Do("POST", "/api/v1/sessions", titled(3), "Idempotency-Key", "once")
	require.Equal(t, http.StatusCreated, again.Code)
	require.Equal(t, 3, all())
	sessions, replica := a.list(t, "/api/v1/sessions", web.PositionHeader, again.Header().Get(web.PositionHeader))
	require.Equal(t, 3, sessions, "who repeats a change finds it")
	require.False(t, replica)
	for _, n := range []*node{b, a} {
		sessions, replica := n.list(t, "/api/v1/sessions", web.PositionHeader, newer)
		require.False(t, replica)
		require.Equal(t, 3, sessions)
		_, replica = n.list(t, "/api/v1/sessions", web.PositionHeader, newer+"x")
		require.False(t, replica, "a position that was changed")
		sessions, replica = n.list(t, "/api/v1/sessions", web.PositionHeader, program)
		require.True(t, replica)
		require.Equal(t, 1, sessions)
		_, replica = n.list(t, "/sessions", cookie(fresh)...)
		require.False(t, replica)
		_, replica = n.list(t, "/sessions", cookie(old)...)
		require.True(t, replica)
	}

	s.AddPerson("second.admin", s.Tenant.ID, domain.Admin)
	require.NoError(t, s.Store.SetMemberDisabled(context.Background(), domain.AtCommandLine(s.Tenant.ID), who.ID, true))
	require.Equal(t, http.StatusUnauthorized, b.Do("GET", "/api/v1/sessions", "", web.PositionHeader, program).Code,
		"who may ask is looked up at the primary")
	require.NoError(t, s.Store.SetMemberDisabled(context.Background(), domain.AtCommandLine(s.Tenant.ID), who.ID, false))

	metrics := b.Do("GET", "/metrics", "", "Authorization", "Bearer 0123456789abcdef").Body.String()
	require.Contains(t, metrics, `sanad_db_replica_reads_total{replica="`)
	require.Eventually(t, func() bool {
		metrics = b.Do("GET", "/metrics", "", "Authorization", "Bearer 0123456789abcdef").Body.String()
		return strings.Contains(metrics, "sanad_db_replica_in_use{") &&
			strings.Contains(b.Do("GET", "/readyz", "").Body.String(), "is not in use: it is")
	}, 2*time.Minute, 100*time.Millisecond, "a replica that lags is shown")
	require.Equal(t, http.StatusOK, b.Do("GET", "/readyz", "").Code, "the server can do without it")
	require.Contains(t, b.Do("GET", "/readyz", "", "Accept", "application/json").Body.String(), `"in_use":false`)
	resume()
}
