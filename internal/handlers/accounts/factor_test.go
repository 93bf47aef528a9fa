package accounts_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// enrolled sets up one-time codes of the signed-in person on the pages, and returns the secret.
func enrolled(t *testing.T, s *webtest.Server) (secret string) {
	t.Helper()
	pending, secret := enrol(t, s)
	require.Equal(t, 200, s.Post("/account/totp", webtest.Form("pending", pending, "code", s.Code(secret))).Code)
	return secret
}

const secondStep = "/account#second-step"

// Where a tenant requires a second factor, an approver or administrator without one is led to set it up before any
// other page opens. Their token acts as a reviewer's at most. Who switches it on must have it.
func TestSecondFactorIsRequired(t *testing.T) {
	s := webtest.NewServer(t)
	admin, approver, reviewer := s.As("admin"), s.As("approver"), s.As("reviewer")
	require.Equal(t, 200, approver.Do("GET", "/sessions", "").Code)
	w := admin.Post("/admin/tenant/second-factor", "required=1")
	require.Equal(t, 409, w.Code)
	require.Contains(t, w.Body.String(), "Set up two-step login for your own account first")
	require.Equal(t, 200, approver.Do("GET", "/sessions", "").Code)

	enrolled(t, admin)
	require.Equal(t, "/admin/tenant?done=saved",
		admin.Post("/admin/tenant/second-factor", "required=1").Header().Get("Location"))
	require.Contains(t, admin.Do("GET", "/admin/tenant", "").Body.String(), "Required for approvers and administrators")
	require.Equal(t, 200, reviewer.Do("GET", "/sessions", "").Code)
	for _, path := range []string{"/sessions", "/packs", "/sessions/new", "/search"} {
		w := approver.Do("GET", path, "")
		require.Equal(t, 303, w.Code, path)
		require.Equal(t, secondStep, w.Header().Get("Location"), path)
	}
	w = approver.Do("POST", "/sessions", webtest.LeavePolicy)
	require.Equal(t, 303, w.Code)
	require.Equal(t, secondStep, w.Header().Get("Location"), "nothing is done, either")
	page := approver.Do("GET", "/account", "").Body.String()
	require.Contains(t, page, "Your organisation requires two-step login for your role.")
	require.Contains(t, page, `id="second-step"`)
	require.NotContains(t, reviewer.Do("GET", "/account", "").Body.String(), "Your organisation requires two-step login")

	approve := "/api/v1/packs/pack_0123456789abcdef/approve"
	require.Equal(t, 200, approver.Do("GET", "/api/v1/sessions", "").Code, "what a reviewer may do")
	w = approver.Do("POST", approve, webtest.Approval)
	require.Equal(t, 403, w.Code)
	require.Contains(t, w.Body.String(), "requires two-step login for this role")
	secret := auth.NewToken()
	_, err := s.Store.AddToken(context.Background(), access.AtCommandLine(s.Tenant.ID), access.Token{Name: "machine",
		Role: access.Admin, Hash: db.HashToken(secret), ExpiresAt: s.Clock.Now().Add(time.Hour)})
	require.NoError(t, err)
	require.Equal(t, 200, s.As("").Do("GET", "/api/v1/webhooks", "", "Authorization", "Bearer "+secret).Code,
		"a machine has no second factor")

	enrolled(t, approver)
	require.Equal(t, 200, approver.Do("GET", "/sessions", "").Code)
	require.Equal(t, 404, approver.Do("POST", approve, webtest.Approval).Code)
	require.Equal(t, 303, approver.Post("/account/totp/off", webtest.Form("password", webtest.Password)).Code)
	require.Equal(t, secondStep, approver.Do("GET", "/sessions", "").Header().Get("Location"), "turned off again")

	require.Equal(t, 303, admin.Post("/admin/tenant/second-factor", "required=0").Code)
	require.Equal(t, 200, approver.Do("GET", "/sessions", "").Code)
}

// Somebody who signs in at the provider is taken to have a second factor if the provider says so by a value that the
// operator named; else they are asked for the one-time code that they set up here.
func TestProvidersSecondFactor(t *testing.T) {
	for name, c := range map[string]struct {
		more map[string]any
		to   string
	}{
		"amr":             {map[string]any{"amr": []string{"pwd", "mfa"}}, "/sessions"},
		"amr as a text":   {map[string]any{"amr": "mfa"}, "/sessions"},
		"acr":             {map[string]any{"acr": "urn:gold"}, "/sessions"},
		"a password only": {map[string]any{"amr": []string{"pwd"}, "acr": "urn:tin"}, "/login/code"},
		"nothing said":    {nil, "/login/code"},
		"another type":    {map[string]any{"amr": 7, "acr": true}, "/login/code"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t)
			s := webtest.NewServer(t, func(o *web.Options) {
				o.OIDC = auth.NewOIDC(auth.OIDCConfig{Issuer: p.URL, ClientID: "sanad", ClientSecret: "s",
					RedirectURL: "http://127.0.0.1/login/oidc/callback", SecondFactor: []string{"mfa", "urn:gold"}})
			})
			admin := s.As("admin")
			enrolled(t, admin)
			require.Equal(t, 303, admin.Post("/admin/tenant/second-factor", "required=1").Code)
			u, err := s.Store.AddUser(context.Background(), access.AtCommandLine(s.Tenant.ID),
				db.User{Login: "sara", Name: "S", Email: "viewer@example.com"}, access.Approver)
			require.NoError(t, err)
			s = s.As("")
			p.More = c.more
			signIn := func() *httptest.ResponseRecorder {
				flow, state := s.StartProviderLogin(p, "/login/oidc?next=/sessions", "x=y")
				return s.FinishProviderLogin(state, flow)
			}
			cookie := func(w *httptest.ResponseRecorder) string { return "sanad=" + webtest.SetCookie(w, "sanad").Value }
			w := signIn()
			require.Equal(t, "/sessions", w.Header().Get("Location"), "there are no codes yet")
			page := s.Do("GET", "/sessions", "", "Cookie", cookie(w))
			if c.to == "/sessions" {
				require.Equal(t, 200, page.Code)
			} else {
				require.Equal(t, secondStep, page.Header().Get("Location"))
			}

			secret := auth.NewTOTP()
			sealed, err := s.Keys.Seal("totp/"+u.ID, secret)
			require.NoError(t, err)
			require.NoError(t, s.Store.SetTOTP(context.Background(), access.Actor{ID: u.ID, Human: true}, u.ID, sealed, nil))
			p.AuthTime = webtest.Now.Add(-time.Hour)
			w = signIn()
			require.Equal(t, c.to, w.Header().Get("Location"))
			if c.to == "/sessions" {
				return
			}
			require.Nil(t, webtest.SetCookie(w, "sanad"), "no login before the code")
			w = s.GiveCode("sanad-step="+webtest.SetCookie(w, "sanad-step").Value, s.CurrentCode(secret))
			require.Equal(t, "/sessions", w.Header().Get("Location"))
			require.Equal(t, 200, s.Do("GET", "/sessions", "", "Cookie", cookie(w)).Code)
			w = s.As("").Do("POST", "/account/totp/off", "", "Cookie", cookie(w), "Content-Type",
				"application/x-www-form-urlencoded")
			require.Contains(t, w.Header().Get("Location"), "/confirm", "the code does not make an old sign-in fresh")
		})
	}
}
