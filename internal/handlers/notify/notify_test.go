package notify_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// A mention is in the list of who was mentioned and of nobody else, by name and place; it is read one by one or all at
// once, without scripts.
func TestNotifications(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Create(webtest.ManyClaims(3)).SessionID
	comment := func(n, text string) {
		t.Helper()
		res := s.As("reviewer").Do("POST", "/api/v1/sessions/"+id+"/claims/"+n+"/reviews",
			`{"action":"comment","reason":"`+text+`"}`, "If-Match", "*")
		require.Equal(t, 201, res.Code, res.Body.String())
	}
	approver := s.Person("approver")
	comment("2", "@"+approver.Login+" secret words")
	require.Contains(t, s.As("reviewer").Do("GET", "/sessions/"+id+"/claims/3", "").Body.String(), `<select id="r-m" name="mention"`)
	require.Equal(t, 303, s.As("reviewer").Post("/sessions/"+id+"/claims/3/reviews",
		webtest.Form("action", "comment", "reason", "Look.", "mention", approver.Name, "seen", "0")).Code)
	page := s.As("approver").Do("GET", "/notifications?lang=en", "").Body.String()
	require.Contains(t, page, "Notifications: 2 unread")
	require.Contains(t, page, "/sessions/"+id+"?claim=2#claim-2")
	require.NotContains(t, page, "secret words", "it says where, not what")
	require.NotContains(t, s.As("viewer").Do("GET", "/notifications", "").Body.String(), id)

	read := regexp.MustCompile(`/notifications/([0-9]+)/read`).FindStringSubmatch(page)
	require.NotNil(t, read)
	require.Equal(t, 404, s.As("viewer").Post(read[0], "").Code)
	require.Equal(t, 303, s.As("approver").Post(read[0], "").Code)
	page = s.As("approver").Do("GET", "/notifications?unread=1&lang=en", "").Body.String()
	require.Contains(t, page, "Notifications: 1 unread")
	require.NotContains(t, page, read[0])
	require.Equal(t, 400, s.As("approver").Post("/notifications/read", "last=x").Code)
	require.Equal(t, 303, s.As("approver").Post("/notifications/read",
		webtest.Form("last", webtest.FindGroup(t, `name="last" value="([0-9]+)"`, page))).Code)
	n, err := s.Store.UnreadNotices(context.Background(), access.Actor{Tenant: s.Tenant.ID, ID: approver.ID}, 9)
	require.NoError(t, err)
	require.Zero(t, n)
}

// TestDeputiesAreTold: who is named as a deputy reads of whom, in both languages, and where it leads.
func TestDeputiesAreTold(t *testing.T) {
	s := webtest.NewServer(t)
	lina, sara := s.AddPerson("lina", s.Tenant.ID, access.Approver), s.Person("approver").User
	away := access.Actor{Tenant: s.Tenant.ID, ID: sara.ID, User: sara.Name, Role: access.Approver, Human: true}
	d, err := s.Store.SetDeputy(t.Context(), away, db.DeputyDays{For: sara.ID, By: lina.User.ID,
		Until: s.Clock.Now().AddDate(0, 0, 5).Format(time.DateOnly)})
	require.NoError(t, err)
	page := s.As("lina").Do("GET", "/notifications?lang=en", "").Body.String()
	require.Contains(t, page, "You are now the deputy of \u2068The approver\u2069 for approvals")
	require.Contains(t, page, `href="/account#deputy"`)
	require.Contains(t, s.As("lina").Do("GET", "/notifications?lang=ar", "").Body.String(), "أنت الآن نائب عن")
	_, err = s.Store.EndDeputy(t.Context(), away, d.ID)
	require.NoError(t, err)
	require.Contains(t, s.As("lina").Do("GET", "/notifications?lang=en", "").Body.String(), "You are no longer the deputy of")
}
