package webtest

import (
	"crypto/ecdsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/require"
)

// Provider is a small OpenID Connect provider that lets in whoever it is told to.
type Provider struct {
	*httptest.Server
	Key                   *ecdsa.PrivateKey
	Subject, Email, nonce string
	AuthTime              time.Time
	More                  map[string]any // further claims of the ID token
}

func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var body any
	switch r.URL.Path {
	case "/keys":
		(&oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: p.Key.Public(), KeyID: "k",
			Algorithm: "ES256"}}}).ServeHTTP(w, r)
		return
	case "/token":
		token := map[string]any{"iss": p.URL, "aud": "sanad", "sub": p.Subject, "nonce": p.nonce,
			"email":          p.Email,
			"email_verified": true, "name": "X", "iat": Now.Unix(), "exp": Now.Add(time.Hour).Unix(),
			"auth_time": p.AuthTime.Unix()}
		maps.Copy(token, p.More)
		claims, _ := json.Marshal(token)
		body = map[string]any{"access_token": "at", "token_type": "Bearer",
			"id_token": oidctest.SignIDToken(p.Key, "k", "ES256", string(claims))}
	default:
		body = map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/auth",
			"token_endpoint": p.URL + "/token",
			"jwks_uri":       p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"}}
	}
	_ = json.NewEncoder(w).Encode(body)
}

// StartProviderLogin begins a login at the provider as the button does and returns the login flow's cookie and state.
func (s *Server) StartProviderLogin(p *Provider, path, cookie string) (flow, state string) {
	s.T.Helper()
	w := s.Post(path, "", "Cookie", cookie)
	require.Equal(s.T, 200, w.Code)
	at, found := strings.CutPrefix(w.Header().Get("Refresh"), "0; url=")
	require.True(s.T, found)
	to, err := url.Parse(at)
	require.NoError(s.T, err)
	require.Equal(s.T, p.URL+"/auth", "http://"+to.Host+to.Path)
	require.Equal(s.T, "S256", to.Query().Get("code_challenge_method"))
	p.nonce = to.Query().Get("nonce")
	ck := SetCookie(w, "sanad-oidc")
	require.True(s.T, ck.HttpOnly)
	require.Equal(s.T, http.SameSiteLaxMode, ck.SameSite)
	return "sanad-oidc=" + ck.Value, to.Query().Get("state")
}

func (s *Server) FinishProviderLogin(state, cookie string) *httptest.ResponseRecorder {
	s.T.Helper()
	return s.Do("GET", "/login/oidc/callback?code=c&state="+url.QueryEscape(state), "", "Cookie", cookie)
}
