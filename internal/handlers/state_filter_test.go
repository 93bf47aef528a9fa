package handlers_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/webtest"
)

// Lists are filtered by state, and accept the filter's former name status: with the same rows, and links that use
// state. If both are given, state counts.
func TestStatusIsAnAliasOfState(t *testing.T) {
	w := webtest.NewWorld(t)
	for path, states := range map[string][2]string{
		"/api/v1/sessions": {"new", "closed"}, "/api/v1/packs": {"signed_off", "returned"},
		"/api/v1/jobs": {"cancelled", "running"}, "/sessions": {"new", "closed"},
	} {
		t.Run(path, func(t *testing.T) {
			get := func(query string) string {
				res := w.As("reviewer").Do("GET", path+"?"+query, "")
				require.Equal(t, 200, res.Code, res.Body.String())
				return webtest.Answer(res)
			}
			some, none := get("state="+states[0]), get("state="+states[1])
			require.NotEqual(t, some, none)
			require.Equal(t, some, get("status="+states[0]))
			require.Equal(t, none, get("status="+states[1]))
			require.Equal(t, some, get("state="+states[0]+"&status="+states[1]))
		})
	}
	next := w.As("reviewer").Do("GET", "/api/v1/sessions?status=new&limit=1", "").Header().Get("Link")
	require.Contains(t, next, "state=new")
	require.NotContains(t, next, "status=")
}

// A view that was saved when the filter was called status leads to the same sessions, and is described by the same
// words.
func TestSavedViewWithStatus(t *testing.T) {
	s := webtest.NewServer(t)
	s.Create(webtest.LeavePolicy)
	who := domain.Actor{Tenant: s.Tenant.ID, ID: s.Person("reviewer").ID, Role: domain.Reviewer, Human: true}
	old := ledger.SavedView{ID: uuid.NewString(), Page: ledger.SavedSessions, Name: "Old", Query: "q=leave&status=open"}
	require.NoError(t, s.Store.SaveView(context.Background(), who, old))
	for _, path := range []string{"/views", "/sessions"} {
		page := s.As("reviewer").Do("GET", path, "").Body.String()
		require.Contains(t, page, `href="/sessions?q=leave&amp;state=open"`, path)
		require.NotContains(t, page, "status=", path)
	}
}
