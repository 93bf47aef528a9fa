package accounts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// An administrator asks on the pages, another one confirms there: the whole way, with the words kept where the reason
// is missing.
func TestSecondAdministratorOnPages(t *testing.T) {
	s := webtest.NewServer(t)
	reviewer := s.Person("reviewer").ID
	require.Contains(t, s.Do("GET", "/admin/changes", "").Body.String(), "There is one administrator")
	s.AddPerson("second", s.Tenant.ID, access.Admin)
	require.Contains(t, s.Do("GET", "/admin/changes", "").Body.String(), "A second administrator is required.")

	roleOf := func() access.Role {
		m, err := s.Store.Member(context.Background(), s.Tenant.ID, reviewer)
		require.NoError(t, err)
		return m.Role
	}
	refused := s.Post("/admin/users/"+reviewer+"/role", webtest.Form("role", "approver", "reason", " "))
	require.Equal(t, 422, refused.Code)
	require.Contains(t, refused.Body.String(), "it is what the other administrator decides on")
	require.Contains(t, refused.Body.String(), `<option value="approver" selected`, "the choice is kept")
	done := s.Post("/admin/users/"+reviewer+"/role", webtest.Form("role", "approver", "reason", "Takes over from Ali"))
	require.Equal(t, "/admin/changes?done=asked", done.Header().Get("Location"))
	require.Equal(t, access.Reviewer, roleOf(), "nothing is changed yet")

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
	require.Equal(t, access.Approver, roleOf())
	require.Equal(t, 409, second.Post(confirm, "").Code)
	require.Contains(t, s.As("reviewer").Do("GET", "/account", "").Body.String(), ">The admin</bdi>",
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

	// one administrator is left: for 30 days nobody confirms, then changes take effect at once
	require.NoError(t, s.Store.SetUserDisabled(context.Background(), access.AtCommandLine(s.Tenant.ID),
		s.Person("second").ID, true))
	require.Contains(t, s.Do("GET", "/admin/changes", "").Body.String(), "You are the only administrator who can sign in")
}

// A new approver, a new administrator and an invited one wait on the page of the accounts, where another administrator
// confirms them without a script; nobody of the asker's making is offered to, nor may they.
func TestNewApproversAreConfirmedOnTheAccountsPage(t *testing.T) {
	s := webtest.NewServer(t)
	s.AddPerson("second", s.Tenant.ID, access.Admin)
	second := s.As("second")
	find := func(page string) string {
		return webtest.FindGroup(t, `action="(/admin/changes/[0-9a-f-]+/confirm)"`, page)
	}
	for _, role := range []string{"admin", "approver"} {
		require.Equal(t, 200, s.Post("/admin/users", webtest.Form("login", "new-"+role, "name", "New "+role, "role", role,
			"reason", "A colleague")).Code)
		own := s.Do("GET", "/admin/users", "").Body.String()
		require.Contains(t, own, "Waiting for a second administrator")
		require.NotContains(t, own, "/confirm\"", "not by who asked")
		page := second.Do("GET", "/admin/users", "").Body.String()
		require.Contains(t, page, "A colleague")
		require.NotContains(t, page, "/admin/users/new-", "there is no such account yet")
		require.Equal(t, 303, second.Post(find(page), "").Code)
		require.NotContains(t, second.Do("GET", "/admin/users", "").Body.String(), "Waiting for a second administrator")
	}
	u, err := s.Store.UserByLogin(context.Background(), "new-admin@"+s.Tenant.Slug)
	require.NoError(t, err)
	require.NotEmpty(t, u.ID)
}
