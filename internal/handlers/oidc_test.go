package handlers_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers"
)

// provider is a small OpenID Connect provider that lets in whoever it is told to.
type provider struct {
	*httptest.Server
	key                   *ecdsa.PrivateKey
	subject, email, nonce string
	authTime              time.Time
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p := &provider{key: key, subject: "s-1", email: "viewer@example.com", authTime: now}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var body any
	switch r.URL.Path {
	case "/keys":
		(&oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: p.key.Public(), KeyID: "k", Algorithm: "ES256"}}}).ServeHTTP(w, r)
		return
	case "/token":
		claims, _ := json.Marshal(map[string]any{"iss": p.URL, "aud": "sanad", "sub": p.subject, "nonce": p.nonce, "email": p.email,
			"email_verified": true, "name": "X", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(), "auth_time": p.authTime.Unix()})
		body = map[string]any{"access_token": "at", "token_type": "Bearer", "id_token": oidctest.SignIDToken(p.key, "k", "ES256", string(claims))}
	default:
		body = map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/auth", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"}}
	}
	_ = json.NewEncoder(w).Encode(body)
}

// withProvider is a server with a viewer who may sign in at a provider.
func withProvider(t *testing.T) (*server, *provider) {
	t.Helper()
	p := newProvider(t)
	s := newServer(t, func(o *handlers.Options) {
		o.OIDC = auth.NewOIDC(auth.OIDCConfig{Issuer: p.URL, ClientID: "sanad", ClientSecret: "s", RedirectURL: "http://127.0.0.1/login/oidc/callback", Name: "Ministry ID"})
	}).as("")
	u, err := s.store.AddUser(context.Background(), domain.AtCommandLine(s.tenant.ID), db.User{Login: "viewer", Name: "V", Email: "viewer@example.com"}, domain.Viewer)
	require.NoError(t, err)
	s.people["viewer"] = &person{User: u}
	return s, p
}

// leave goes to the provider and gives the cookie of the flow and its state.
func (s *server) leave(p *provider, path, cookie string) (flow, state string) {
	s.t.Helper()
	w := s.do("GET", path, "", "Cookie", cookie)
	require.Equal(s.t, 303, w.Code)
	to, err := url.Parse(w.Header().Get("Location"))
	require.NoError(s.t, err)
	require.Equal(s.t, p.URL+"/auth", "http://"+to.Host+to.Path)
	require.Equal(s.t, "S256", to.Query().Get("code_challenge_method"))
	p.nonce = to.Query().Get("nonce")
	ck := setCookie(w, "sanad-oidc")
	require.True(s.t, ck.HttpOnly)
	require.Equal(s.t, http.SameSiteLaxMode, ck.SameSite)
	return "sanad-oidc=" + ck.Value, to.Query().Get("state")
}

func (s *server) comeBack(state, cookie string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.do("GET", "/login/oidc/callback?code=c&state="+url.QueryEscape(state), "", "Cookie", cookie)
}

func TestSignInAtAProvider(t *testing.T) {
	s, p := withProvider(t)
	require.Contains(t, s.do("GET", "/login?next=/sessions", "").Body.String(), "Ministry ID")
	flow, state := s.leave(p, "/login/oidc?next=/sessions", "x=y")
	w := s.comeBack(state, flow)
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Equal(t, "/sessions", w.Header().Get("Location"))
	require.Negative(t, setCookie(w, "sanad-oidc").MaxAge)
	require.Equal(t, 200, s.do("GET", "/sessions", "", "Cookie", "sanad="+setCookie(w, "sanad").Value).Code)
}

func TestProviderLoginsThatAreRefused(t *testing.T) {
	s, p := withProvider(t)
	flow, state := s.leave(p, "/login/oidc?next=//evil.example", "x=y")
	other, _ := s.leave(p, "/login/oidc", "x=y")
	for name, w := range map[string]*httptest.ResponseRecorder{
		"another browser": s.comeBack(state, "x=y"), "another flow": s.comeBack(state, other), "no state": s.comeBack("", flow),
		"a changed cookie": s.comeBack(state, flow[:len(flow)-4]+"AAAA"), "a nonce of another flow": s.comeBack(state, flow),
	} {
		require.Nil(t, setCookie(w, "sanad"), name)
		require.Contains(t, []int{303, 422}, w.Code, name)
	}
	flow, state = s.leave(p, "/login/oidc", "x=y")
	p.subject, p.email = "stranger", "stranger@example.com"
	w := s.comeBack(state, flow)
	require.Equal(t, 403, w.Code)
	require.Contains(t, w.Body.String(), "no account here")

	flow, state = s.leave(p, "/login/oidc", "x=y")
	s.clock.move(11 * time.Minute)
	require.Equal(t, "/login", s.comeBack(state, flow).Header().Get("Location"), "too late")

	p.subject, p.email = "s-1", "viewer@example.com"
	require.NoError(t, s.store.SetUserDisabled(context.Background(), domain.AtCommandLine(s.tenant.ID), s.people["viewer"].ID, true))
	flow, state = s.leave(p, "/login/oidc", "x=y")
	require.Equal(t, 403, s.comeBack(state, flow).Code)
	p.Close()
	require.NotEqual(t, 500, s.do("GET", "/login/oidc", "").Code, "known already, or told")
}

// A provider that still knows the person asks for nothing, so such a login opens nothing that needs a fresh password:
// else whoever sits down at an open browser would sign out and in again. One that has just asked, or never says, is told
// apart by the time it gives.
func TestALoginAtAProviderIsAsFreshAsItSays(t *testing.T) {
	s, p := withProvider(t)
	for name, c := range map[string]struct {
		asked time.Time
		to    string
	}{
		"a moment ago": {now.Add(-time.Minute), "200"}, "an hour ago": {now.Add(-time.Hour), "303"}, "it does not say": {time.Unix(0, 0), "303"},
		"in a time to come": {now.Add(time.Hour), "200"}, // its clock is wrong; no login is fresh for longer than from now
	} {
		flow, state := s.leave(p, "/login/oidc", "x=y")
		p.authTime = c.asked
		ck := setCookie(s.comeBack(state, flow), "sanad")
		require.NotNil(t, ck, name)
		w := s.post("/account/totp/new", "", "Cookie", "sanad="+ck.Value)
		require.Equal(t, c.to, fmt.Sprint(w.Code), name)
		l, err := s.store.SignedIn(context.Background(), db.HashToken(ck.Value))
		require.NoError(t, err)
		require.False(t, l.FreshAt.After(s.clock.now()), name)
	}
}

func TestConfirmAtAProvider(t *testing.T) {
	s, p := withProvider(t)
	flow, state := s.leave(p, "/login/oidc", "x=y")
	old := "sanad=" + setCookie(s.comeBack(state, flow), "sanad").Value
	page := s.do("GET", "/confirm", "", "Cookie", old).Body.String()
	require.NotContains(t, page, `type="password"`, "there is none")
	require.Contains(t, page, "/login/oidc?confirm=1")

	flow, state = s.leave(p, "/login/oidc?confirm=1&next=/sessions", old)
	p.authTime = now.Add(-time.Hour)
	require.Equal(t, 422, s.comeBack(state, flow+"; "+old).Code, "the provider asked for no password")

	flow, state = s.leave(p, "/login/oidc?confirm=1&next=/sessions", old)
	p.authTime, p.subject, p.email = now, "s-2", "admin@example.com"
	_, err := s.store.AddUser(context.Background(), domain.AtCommandLine(s.tenant.ID), db.User{Login: "admin", Name: "A", Email: p.email}, domain.Admin)
	require.NoError(t, err)
	require.Equal(t, 403, s.comeBack(state, flow+"; "+old).Code, "somebody else came back")

	flow, state = s.leave(p, "/login/oidc?confirm=1&next=/sessions", old)
	p.subject, p.email = "s-1", "viewer@example.com"
	w := s.comeBack(state, flow+"; "+old)
	require.Equal(t, 303, w.Code, w.Body.String())
	require.Equal(t, "/sessions", w.Header().Get("Location"))
	require.Equal(t, 303, s.do("GET", "/sessions", "", "Cookie", old).Code, "a new token")
	require.Equal(t, 200, s.do("GET", "/sessions", "", "Cookie", "sanad="+setCookie(w, "sanad").Value).Code)
}
