package accounts_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
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

func newProvider(t *testing.T) *webtest.Provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p := &webtest.Provider{Key: key, Subject: "s-1", Email: "viewer@example.com", AuthTime: webtest.Now}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

// withProvider returns a server with a viewer who can sign in at a provider.
func withProvider(t *testing.T) (*webtest.Server, *webtest.Provider) {
	t.Helper()
	p := newProvider(t)
	s := webtest.NewServer(t, func(o *web.Options) {
		o.OIDC = auth.NewOIDC(auth.OIDCConfig{Issuer: p.URL, ClientID: "sanad", ClientSecret: "s",
			RedirectURL: "http://127.0.0.1/login/oidc/callback", Name: "Ministry ID"})
	}).As("")
	u, err := s.Store.AddUser(context.Background(), access.AtCommandLine(s.Tenant.ID),
		db.User{Login: "viewer", Name: "V", Email: "viewer@example.com"}, access.Viewer)
	require.NoError(t, err)
	s.SetPerson("viewer", &webtest.Person{User: u})
	return s, p
}

func TestSignInAtAProvider(t *testing.T) {
	s, p := withProvider(t)
	require.Contains(t, s.Do("GET", "/login?next=/sessions", "").Body.String(), "Ministry ID")
	flow, state := s.StartProviderLogin(p, "/login/oidc?next=/sessions", "x=y")
	w := s.FinishProviderLogin(state, flow)
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Equal(t, "/sessions", w.Header().Get("Location"))
	require.Negative(t, webtest.SetCookie(w, "sanad-oidc").MaxAge)
	require.Equal(t, 200, s.Do("GET", "/sessions", "", "Cookie", "sanad="+webtest.SetCookie(w, "sanad").Value).Code)
}

// A link, or another site, cannot begin a login at the provider, who may remember the person and ask nothing. A link
// leads to a page with the button.
func TestLinksBeginNoLogin(t *testing.T) {
	s, p := withProvider(t)
	w := s.Do("GET", "/login/oidc?next=/sessions&confirm=1", "")
	require.Equal(t, 200, w.Code)
	require.Empty(t, w.Result().Cookies())
	require.Empty(t, w.Header().Get("Refresh"))
	require.NotContains(t, w.Body.String(), p.URL)
	require.Contains(t, w.Body.String(), `<form method="post" action="/login/oidc?next=%2Fsessions&amp;confirm=1">`)
	w = s.Post("/login/oidc", "", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, w.Code)
	require.Empty(t, w.Header().Get("Refresh"))
	w = s.Post("/login/oidc?next=/sessions", "", "Sec-Fetch-Site", "same-origin")
	require.Contains(t, w.Header().Get("Refresh"), "0; url="+p.URL+"/auth?")
	require.Contains(t, w.Body.String(), `href="`+p.URL+`/auth?`, "for browsers that do not go on by themselves")
}

func TestRefusedProviderLogins(t *testing.T) {
	s, p := withProvider(t)
	flow, state := s.StartProviderLogin(p, "/login/oidc?next=//evil.example", "x=y")
	other, _ := s.StartProviderLogin(p, "/login/oidc", "x=y")
	for name, w := range map[string]*httptest.ResponseRecorder{
		"another browser": s.FinishProviderLogin(state, "x=y"), "another flow": s.FinishProviderLogin(state, other),
		"no state":                s.FinishProviderLogin("", flow),
		"a changed cookie":        s.FinishProviderLogin(state, flow[:len(flow)-4]+"AAAA"),
		"a nonce of another flow": s.FinishProviderLogin(state, flow),
	} {
		require.Nil(t, webtest.SetCookie(w, "sanad"), name)
		require.Contains(t, []int{303, 422}, w.Code, name)
	}
	flow, state = s.StartProviderLogin(p, "/login/oidc", "x=y")
	p.Subject, p.Email = "stranger", "stranger@example.com"
	w := s.FinishProviderLogin(state, flow)
	require.Equal(t, 403, w.Code)
	require.Contains(t, w.Body.String(), "no account here")

	flow, state = s.StartProviderLogin(p, "/login/oidc", "x=y")
	s.Clock.Move(11 * time.Minute)
	require.Equal(t, "/login", s.FinishProviderLogin(state, flow).Header().Get("Location"), "too late")

	p.Subject, p.Email = "s-1", "viewer@example.com"
	require.NoError(t, s.Store.SetUserDisabled(context.Background(), access.AtCommandLine(s.Tenant.ID),
		s.Person("viewer").ID, true))
	flow, state = s.StartProviderLogin(p, "/login/oidc", "x=y")
	require.Equal(t, 403, s.FinishProviderLogin(state, flow).Code)
	p.Close()
	require.NotEqual(t, 500, s.Post("/login/oidc", "").Code,
		"the provider's description is cached, or the failure is shown")
}

// A provider that remembers the user asks for nothing. Such a login must not count as a fresh password: otherwise
// anybody at an unlocked browser could sign out and in again. The time that the provider states shows whether it asked
// just now.
func TestAgeOfProviderLogins(t *testing.T) {
	s, p := withProvider(t)
	for name, c := range map[string]struct {
		asked time.Time
		to    string
	}{
		"a moment ago": {webtest.Now.Add(-time.Minute), "200"}, "an hour ago": {webtest.Now.Add(-time.Hour), "303"},
		"it does not say": {time.Unix(0, 0), "303"},
		// the provider's clock is wrong: the login counts as given now, not later
		"in the future": {webtest.Now.Add(time.Hour), "200"},
	} {
		flow, state := s.StartProviderLogin(p, "/login/oidc", "x=y")
		p.AuthTime = c.asked
		ck := webtest.SetCookie(s.FinishProviderLogin(state, flow), "sanad")
		require.NotNil(t, ck, name)
		w := s.Post("/account/totp/new", "", "Cookie", "sanad="+ck.Value)
		require.Equal(t, c.to, fmt.Sprint(w.Code), name)
		l, err := s.Store.SignedIn(context.Background(), db.HashToken(ck.Value))
		require.NoError(t, err)
		require.False(t, l.FreshAt.After(s.Clock.Now()), name)
	}
}

func TestConfirmAtAProvider(t *testing.T) {
	s, p := withProvider(t)
	flow, state := s.StartProviderLogin(p, "/login/oidc", "x=y")
	old := "sanad=" + webtest.SetCookie(s.FinishProviderLogin(state, flow), "sanad").Value
	page := s.Do("GET", "/confirm", "", "Cookie", old).Body.String()
	require.NotContains(t, page, `type="password"`, "this user has no password here")
	require.Contains(t, page, "/login/oidc?confirm=1")

	flow, state = s.StartProviderLogin(p, "/login/oidc?confirm=1&next=/sessions", old)
	p.AuthTime = webtest.Now.Add(-time.Hour)
	require.Equal(t, 422, s.FinishProviderLogin(state, flow+"; "+old).Code, "the provider asked for no password")

	flow, state = s.StartProviderLogin(p, "/login/oidc?confirm=1&next=/sessions", old)
	p.AuthTime, p.Subject, p.Email = webtest.Now, "s-2", "admin@example.com"
	_, err := s.Store.AddUser(context.Background(), access.AtCommandLine(s.Tenant.ID),
		db.User{Login: "admin", Name: "A", Email: p.Email}, access.Admin)
	require.NoError(t, err)
	require.Equal(t, 403, s.FinishProviderLogin(state, flow+"; "+old).Code, "somebody else came back")

	flow, state = s.StartProviderLogin(p, "/login/oidc?confirm=1&next=/sessions", old)
	p.Subject, p.Email = "s-1", "viewer@example.com"
	w := s.FinishProviderLogin(state, flow+"; "+old)
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Equal(t, "/sessions", w.Header().Get("Location"))
	require.Equal(t, 303, s.Do("GET", "/sessions", "", "Cookie", old).Code, "a new token")
	require.Equal(t, 200, s.Do("GET", "/sessions", "", "Cookie", "sanad="+webtest.SetCookie(w, "sanad").Value).Code)
}
