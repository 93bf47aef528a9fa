package handlers_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
)

// Lists are filtered by state, and take status as the filter was called before: with the same rows, and links that say
// state. If both are given, state counts.
func TestStatusIsAnotherNameForState(t *testing.T) {
	w := newWorld(t)
	for path, states := range map[string][2]string{
		"/api/v1/sessions": {"new", "closed"}, "/api/v1/packs": {"signed_off", "returned"},
		"/api/v1/jobs": {"cancelled", "running"}, "/sessions": {"new", "closed"},
	} {
		t.Run(path, func(t *testing.T) {
			get := func(query string) string {
				res := w.as("reviewer").do("GET", path+"?"+query, "")
				require.Equal(t, 200, res.Code, res.Body.String())
				return answer(res)
			}
			some, none := get("state="+states[0]), get("state="+states[1])
			require.NotEqual(t, some, none)
			require.Equal(t, some, get("status="+states[0]))
			require.Equal(t, none, get("status="+states[1]))
			require.Equal(t, some, get("state="+states[0]+"&status="+states[1]))
		})
	}
	next := w.as("reviewer").do("GET", "/api/v1/sessions?status=new&limit=1", "").Header().Get("Link")
	require.Contains(t, next, "state=new")
	require.NotContains(t, next, "status=")
}

// A view that was saved before the filter was called state leads to the same sessions, and is named by the same words.
func TestSavedViewWithStatus(t *testing.T) {
	s := newServer(t)
	s.create(leave)
	who := domain.Actor{Tenant: s.tenant.ID, ID: s.person("reviewer").ID, Role: domain.Reviewer, Human: true}
	old := db.SavedView{ID: uuid.NewString(), Page: db.SavedSessions, Name: "Old", Query: "q=leave&status=open"}
	require.NoError(t, s.store.SaveView(context.Background(), who, old))
	for _, path := range []string{"/views", "/sessions"} {
		page := s.as("reviewer").do("GET", path, "").Body.String()
		require.Contains(t, page, `href="/sessions?q=leave&amp;state=open"`, path)
		require.NotContains(t, page, "status=", path)
	}
}
