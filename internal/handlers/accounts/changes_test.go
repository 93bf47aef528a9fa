package accounts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/handlers/webtest"
)

// An administrator asks on the pages, another one confirms there: the whole way, with the words kept where the reason
// is missing.
func TestSecondAdministratorOnPages(t *testing.T) {
	s := webtest.NewServer(t)
	reviewer := s.Person("reviewer").ID
	require.Equal(t, 409, s.Post("/admin/tenant/second-admin", webtest.Form("demanded", "1")).Code, "there is no other")
	s.People["second"] = s.AddPerson("second", s.Tenant.ID, domain.Admin)
	require.Equal(t, 303, s.Post("/admin/tenant/second-admin", webtest.Form("demanded", "1")).Code)

	roleOf := func() domain.Role {
		m, err := s.Store.Member(context.Background(), s.Tenant.ID, reviewer)
		require.NoError(t, err)
		return m.Role
	}
	refused := s.Post("/admin/users/"+reviewer+"/role", webtest.Form("role", "approver", "reason", " "))
	require.Equal(t, 422, refused.Code)
	require.Contains(t, refused.Body.String(), "another administrator decides by it")
	require.Contains(t, refused.Body.String(), `<option value="approver" selected`, "the choice is kept")
	done := s.Post("/admin/users/"+reviewer+"/role", webtest.Form("role", "approver", "reason", "Takes over from Ali"))
	require.Equal(t, "/admin/changes?done=asked", done.Header().Get("Location"))
	require.Equal(t, domain.Reviewer, roleOf(), "nothing is changed yet")

	own := s.Do("GET", "/admin/changes", "").Body.String()
	require.Contains(t, own, "Takes over from Ali")
	require.Contains(t, own, "This is your request")
	require.NotContains(t, own, "/confirm\"")
	second := s.As("second")
	page := second.Do("GET", "/admin/changes", "").Body.String()
	confirm := webtest.FindGroup(t, `action="(/admin/changes/[0-9a-f-]+/confirm)"`, page)
	require.Equal(t, 403, s.Post(confirm, "").Code, "by who asked")
	s.Clock.Move(10 * time.Minute)
	again := second.Post(confirm, "")
	require.Equal(t, 303, again.Code)
	require.Contains(t, again.Header().Get("Location"), "/confirm?next=", "the password is asked for again")
	s.Clock.Move(-10 * time.Minute)
	require.Equal(t, "/admin/changes?done=confirmed", second.Post(confirm, "").Header().Get("Location"))
	require.Equal(t, domain.Approver, roleOf())
	require.Equal(t, 409, second.Post(confirm, "").Code)
	require.Contains(t, s.As("reviewer").Do("GET", "/account", "").Body.String(), "<bdi>The admin</bdi>",
		"the person is told who asked for it")

	// a new password is shown to who asked, and is valid once it is confirmed
	shown := s.Post("/admin/users/"+reviewer+"/password", webtest.Form("reason", "Lost"))
	require.Equal(t, 200, shown.Code)
	require.Contains(t, shown.Body.String(), "valid only after another administrator")
	password := webtest.FindGroup(t, `<code id="new-password"[^>]*>([^<]+)</code>`, shown.Body.String())
	signIn := func() int {
		return s.Post("/login", webtest.Form("login", "reviewer", "password", password), "Cookie", "x=y").Code
	}
	require.Equal(t, 422, signIn())
	page = second.Do("GET", "/admin/changes", "").Body.String()
	require.Equal(t, 303, second.Post(webtest.FindGroup(t, `action="(/admin/changes/[0-9a-f-]+/confirm)"`, page), "").Code)
	require.Equal(t, 303, signIn())

	// the setting itself, refused; then one administrator is left
	require.Equal(t, 422, s.Post("/admin/tenant/second-admin", webtest.Form("demanded", "0")).Code)
	require.Equal(t, 303, s.Post("/admin/tenant/second-admin", webtest.Form("demanded", "0", "reason", "Too slow")).Code)
	page = second.Do("GET", "/admin/changes", "").Body.String()
	require.Equal(t, 303, second.Post(webtest.FindGroup(t, `action="(/admin/changes/[0-9a-f-]+/refuse)"`, page), "").Code)
	require.NoError(t, s.Store.SetUserDisabled(context.Background(), domain.AtCommandLine(s.Tenant.ID),
		s.Person("second").ID, true))
	require.Contains(t, s.Do("GET", "/admin/tenant", "").Body.String(), "You are the only administrator who can sign in")
}
