package accounts_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// Each way in which a person's account or credentials change is told to that person, on their page and by the API, with
// who did it. There is no way to change the e-mail address of an account, or to remove a person.
func TestPeopleAreToldOfEachChange(t *testing.T) {
	ctx := context.Background()
	by := func(path string, form ...string) func(*testing.T, *webtest.Server, string) {
		return func(t *testing.T, s *webtest.Server, id string) {
			t.Helper()
			require.Less(t, s.Post(strings.ReplaceAll(path, "{id}", id), webtest.Form(form...)).Code, 400)
		}
	}
	operator := func(do func(s *webtest.Server, a access.Actor, id string) error) func(*testing.T, *webtest.Server, string) {
		return func(t *testing.T, s *webtest.Server, id string) {
			t.Helper()
			require.NoError(t, do(s, access.AtCommandLine(s.Tenant.ID), id))
		}
	}
	own := func(do func(t *testing.T, s *webtest.Server)) func(*testing.T, *webtest.Server, string) {
		return func(t *testing.T, s *webtest.Server, _ string) { t.Helper(); do(t, s.As("reviewer")) }
	}
	const admin, self, operated = "The admin", "The reviewer", ""
	for name, c := range map[string]struct {
		do          func(*testing.T, *webtest.Server, string)
		action, who string
	}{
		"account made": {operator(func(*webtest.Server, access.Actor, string) error { return nil }), "user.added", operated},
		"role":         {by("/admin/users/{id}/role", "role", "approver"), "user.role_changed", admin},
		"role by the operator": {operator(func(s *webtest.Server, a access.Actor, id string) error {
			return s.Store.SetRole(ctx, a, id, access.Viewer)
		}), "user.role_changed", operated},
		"job title": {by("/admin/users/{id}/title", "title", "Auditor"), "user.title_changed", admin},
		"own job title": {own(func(t *testing.T, s *webtest.Server) {
			t.Helper()
			require.Equal(t, 303, s.Post("/account/title", webtest.Form("title", "Auditor")).Code)
		}), "user.title_changed", self},
		"password reset": {by("/admin/users/{id}/password"), "user.password_changed", admin},
		"own password": {own(func(t *testing.T, s *webtest.Server) {
			t.Helper()
			require.Equal(t, 303, s.Post("/account/password", webtest.Form("current", webtest.Password, "new",
				"three odd words", "again", "three odd words")).Code)
		}), "user.password_changed", self},
		"password by the operator": {operator(func(s *webtest.Server, a access.Actor, id string) error {
			return s.Store.SetPassword(ctx, a, id, db.NewPassword{PHC: webtest.Phc()})
		}), "user.password_changed", operated},
		"one-time codes removed": {by("/admin/users/{id}/totp-off"), "user.totp_changed", admin},
		"own one-time codes": {own(func(t *testing.T, s *webtest.Server) {
			t.Helper()
			id := s.Person("reviewer").ID
			require.NoError(t, s.Store.SetTOTP(ctx, access.Actor{Tenant: s.Tenant.ID, ID: id, Human: true}, id,
				[]byte("sealed"), nil))
		}), "user.totp_changed", self},
		"recovery code used": {own(func(t *testing.T, s *webtest.Server) {
			t.Helper()
			id := s.Person("reviewer").ID
			me := access.Actor{Tenant: s.Tenant.ID, ID: id, Human: true}
			require.NoError(t, s.Store.SetTOTP(ctx, me, id, []byte("sealed"), []string{"hash"}))
			used, err := s.Store.UseRecoveryCode(ctx, me, id, "hash")
			require.NoError(t, err)
			require.True(t, used)
		}), "login.recovery_used", self},
		"login of the organisation linked": {own(func(t *testing.T, s *webtest.Server) {
			t.Helper()
			u, err := s.Store.AddUser(ctx, access.AtCommandLine(s.Tenant.ID), db.User{Login: "linked", Name: "The reviewer",
				Email: "linked@example.org", Password: webtest.Phc()}, access.Reviewer)
			require.NoError(t, err)
			_, err = s.Store.UserByIdentity(ctx, "https://login.example", "subject", "linked@example.org")
			require.NoError(t, err)
			s.SetPerson("reviewer", &webtest.Person{User: u, Cookie: s.NewLogin(u.ID, s.Tenant.ID),
				Token: s.NewToken(u.ID, s.Tenant.ID, access.Reviewer)})
		}), "identity.linked", self},
		"access disabled": {func(t *testing.T, s *webtest.Server, id string) {
			t.Helper()
			by("/admin/users/{id}/disable")(t, s, id)
			by("/admin/users/{id}/enable")(t, s, id)
		}, "user.disabled", admin},
		"access enabled": {func(t *testing.T, s *webtest.Server, id string) {
			t.Helper()
			by("/admin/users/{id}/disable")(t, s, id)
			by("/admin/users/{id}/enable")(t, s, id)
		}, "user.enabled", admin},
		"disabled everywhere": {operator(func(s *webtest.Server, a access.Actor, id string) error {
			if err := s.Store.SetUserDisabled(ctx, a, id, true); err != nil {
				return err
			}
			return s.Store.SetUserDisabled(ctx, a, id, false)
		}), "user.disabled", operated},
		"vouched for": {operator(func(s *webtest.Server, a access.Actor, id string) error {
			return s.Store.Vouch(ctx, a, id, "Met in person.")
		}), "user.vouched", operated},
		"own token": {own(func(t *testing.T, s *webtest.Server) {
			t.Helper()
			require.Equal(t, 200, s.Post("/account/tokens", webtest.Form("name", "Nightly", "days", "7")).Code)
		}), "token.added", self},
		"token by the operator": {operator(func(s *webtest.Server, a access.Actor, id string) error {
			_, err := s.Store.AddToken(ctx, a, access.Token{UserID: id, Name: "Given", Role: access.Viewer,
				Hash: db.HashToken("given"), ExpiresAt: s.Clock.Now().Add(time.Hour)})
			return err
		}), "token.added", operated},
		"token revoked": {func(t *testing.T, s *webtest.Server, id string) {
			t.Helper()
			found, err := s.Store.OwnTokens(ctx, s.Tenant.ID, id)
			require.NoError(t, err)
			require.Equal(t, 303, s.Post("/admin/tokens/"+found[0].ID+"/revoke", "").Code)
		}, "token.revoked", admin},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := webtest.NewServer(t)
			id := s.Person("reviewer").ID
			c.do(t, s, id)
			me := s.As("reviewer")
			p := *me.Person("reviewer")
			p.Cookie, p.Token = me.NewLogin(p.ID, s.Tenant.ID), me.NewToken(p.ID, s.Tenant.ID, access.Reviewer)
			s.SetPerson("reviewer", &p)

			type change struct {
				Action    string `json:"action"`
				ActorName string `json:"actor_name"`
				Own       bool   `json:"own"`
			}
			told := webtest.Get[struct{ Changes []change }](t, me.Do("GET", "/api/v1/account/changes", ""), 200)
			require.Contains(t, told.Changes, change{c.action, c.who, c.who == self})
			page := me.Do("GET", "/account", "").Body.String()
			require.Contains(t, page, map[string]string{
				"user.added": "Person added", "user.role_changed": "Role changed", "user.title_changed": "Job title changed",
				"user.password_changed": "Password changed",
				"user.totp_changed":     "Two-step login changed", "login.recovery_used": "Recovery code used",
				"identity.linked": "login linked", "user.disabled": "Access disabled", "user.enabled": "Access enabled",
				"user.vouched": "Vouched for", "token.added": "Token created", "token.revoked": "Token revoked",
			}[c.action])
		})
	}
}

// People make tokens for themselves only, see when each was used, and revoke them: on their page and by the API.
func TestOwnTokens(t *testing.T) {
	s := webtest.NewServer(t)
	reviewer, own := s.Person("reviewer"), s.As("reviewer")
	require.Equal(t, 422, s.Post("/admin/tokens", webtest.Form("name", "x", "role", "reviewer", "days", "7", "person",
		reviewer.ID)).Code, "nobody makes a token in another's name")

	refused := own.Post("/account/tokens", webtest.Form("name", "Nightly", "days", "0"))
	require.Equal(t, 422, refused.Code)
	require.Contains(t, refused.Body.String(), `value="Nightly"`, "what was typed is kept")
	made := own.Post("/account/tokens", webtest.Form("name", "Nightly", "days", "7"))
	require.Equal(t, 200, made.Code)
	secret := webtest.FindGroup(t, `<code id="token"[^>]*>([^<]+)</code>`, made.Body.String())

	page := own.Do("GET", "/account", "").Body.String()
	require.Contains(t, page, ">Nightly</bdi></b>")
	require.Contains(t, page, "Never")
	bearer := []string{"Authorization", "Bearer " + secret}
	require.Equal(t, 200, own.Do("GET", "/api/v1/sessions", "", bearer...).Code)
	type token struct {
		ID, Name   string
		LastUsedAt *string `json:"last_used_at"`
		Current    bool
		Secret     string
	}
	listed := webtest.Get[struct{ Tokens []token }](t, own.Do("GET", "/api/v1/account/tokens", "", bearer...), 200).Tokens
	require.Equal(t, "Nightly", listed[0].Name)
	require.NotNil(t, listed[0].LastUsedAt)
	require.True(t, listed[0].Current)
	for _, k := range listed {
		require.Empty(t, k.Secret)
	}
	revoke := "/account/tokens/" + listed[0].ID + "/revoke"
	require.Contains(t, page, `action="`+revoke+`"`)
	require.Equal(t, 404, s.As("viewer").Post(revoke, "").Code, "another person's")
	require.Equal(t, 404, s.Post(revoke, "").Code, "an administrator's page for it is another")
	require.Equal(t, 404, s.As("viewer").Do("DELETE", "/api/v1/account/tokens/"+listed[0].ID, "").Code)
	require.Equal(t, 303, own.Post(revoke, "").Code)
	require.Equal(t, 401, own.Do("GET", "/api/v1/sessions", "", bearer...).Code)

	body := func(password string) string { return `{"name":"By API","days":7,"password":"` + password + `"}` }
	require.Equal(t, 403, own.Do("POST", "/api/v1/account/tokens", body("wrong password")).Code)
	require.Equal(t, 422, own.Do("POST", "/api/v1/account/tokens",
		strings.Replace(body(webtest.Password), ":7", ":366", 1)).Code)
	minted := webtest.Get[token](t, own.Do("POST", "/api/v1/account/tokens", body(webtest.Password)), 201)
	bearer[1] = "Bearer " + minted.Secret
	require.Equal(t, 200, own.Do("GET", "/api/v1/sessions", "", bearer...).Code)
	require.Equal(t, 204, own.Do("DELETE", "/api/v1/account/tokens/"+minted.ID, "", bearer...).Code)
	require.Equal(t, 401, own.Do("GET", "/api/v1/sessions", "", bearer...).Code)

	machine := []string{"Authorization", s.Machine(access.Reviewer)}
	for _, path := range []string{"/api/v1/account/tokens", "/api/v1/account/changes"} {
		require.Equal(t, 403, own.Do("GET", path, "", machine...).Code, "a machine has no account")
	}
}

// TestJobTitleForms: people set their own job title and administrators that of others; what is refused stays in the field.
func TestJobTitleForms(t *testing.T) {
	s := webtest.NewServer(t)
	me, id := s.As("reviewer"), s.Person("reviewer").ID
	require.Equal(t, "/account?done=title",
		me.Post("/account/title", webtest.Form("title", " مدققة داخلية ")).Header().Get("Location"))
	page := me.Do("GET", "/account?done=title", "").Body.String()
	require.Contains(t, page, `value="مدققة داخلية"`)
	require.Contains(t, page, "Your job title is saved.")
	require.Contains(t, s.As("admin").Do("GET", "/admin/users/"+id, "").Body.String(), `value="مدققة داخلية"`)
	require.Equal(t, 303, s.As("admin").Post("/admin/users/"+id+"/title", webtest.Form("title", "Auditor")).Code)
	m, err := s.Store.Member(t.Context(), s.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, "Auditor", m.Title)

	long := strings.Repeat("x", 101)
	for path, as := range map[string]*webtest.Server{"/account/title": me, "/admin/users/" + id + "/title": s.As("admin")} {
		refused := as.Post(path, webtest.Form("title", long))
		require.Equal(t, 422, refused.Code, path)
		require.Contains(t, refused.Body.String(), "at most 100 characters", path)
		require.Contains(t, refused.Body.String(), `value="`+long+`"`, path)
	}
}
