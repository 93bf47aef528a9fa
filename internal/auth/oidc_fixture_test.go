package auth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

// forger is a provider that returns whatever a test sets, including what a genuine provider never would. A genuine one
// from another vendor is tested in internal/e2e/interop.
type forger struct {
	*httptest.Server
	key       *ecdsa.PrivateKey
	discovery map[string]any
	claims    map[string]any // of the ID token
	token     func(claims map[string]any) string
	userinfo  map[string]any
	answer    func(w http.ResponseWriter, r *http.Request) bool // replaces the token endpoint if it returns true
	seen      []*http.Request
}

func newForger(t *testing.T) *forger {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	f := &forger{key: key}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	f.discovery = map[string]any{"issuer": f.URL, "authorization_endpoint": f.URL + "/auth",
		"token_endpoint": f.URL + "/token",
		"jwks_uri":       f.URL + "/keys", "userinfo_endpoint": f.URL + "/userinfo",
		"id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"}}
	f.claims = map[string]any{"iss": f.URL, "aud": "sanad", "sub": "u-1", "iat": noon.Unix(),
		"exp":  noon.Add(time.Minute).Unix(),
		"name": "Aisha Khan", "email": "aisha@example.com", "email_verified": true, "auth_time": noon.Unix() - 10}
	f.token = func(claims map[string]any) string { return sign(t, f.key, claims) }
	f.userinfo = map[string]any{"sub": "u-1"}
	return f
}

func sign(t *testing.T, key crypto.PrivateKey, claims map[string]any) string {
	t.Helper()
	data, err := json.Marshal(claims)
	require.NoError(t, err)
	return oidctest.SignIDToken(key, "k1", "ES256", string(data))
}

func (f *forger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	f.seen = append(f.seen, r)
	w.Header().Set("Content-Type", "application/json")
	var body any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		if f.discovery != nil {
			body = f.discovery
		}
	case "/keys":
		(&oidctest.Server{PublicKeys: []oidctest.PublicKey{{
			PublicKey: f.key.Public(), KeyID: "k1", Algorithm: "ES256",
		}}}).ServeHTTP(w, r)
		return
	case "/userinfo":
		body = f.userinfo
	case "/token":
		if f.answer != nil && f.answer(w, r) {
			return
		}
		body = map[string]any{"access_token": "at", "token_type": "Bearer", "id_token": f.token(f.claims)}
	}
	if body == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		body = strings.Repeat("sorry ", 10_000)
	}
	_ = json.NewEncoder(w).Encode(body)
}

func (f *forger) config() auth.OIDCConfig {
	return auth.OIDCConfig{
		Issuer: f.URL, ClientID: "sanad", ClientSecret: "s3cret-of-client",
		RedirectURL: "http://127.0.0.1/login/oidc/callback",
	}
}

// login runs a whole login. The token carries the client's nonce unless a test set another one.
func (f *forger) login(t *testing.T, maxAge int) (auth.OIDCIdentity, error) {
	t.Helper()
	o := auth.NewOIDC(f.config())
	_, flow, err := o.Start(context.Background(), "/packs", maxAge)
	require.NoError(t, err)
	if _, set := f.claims["nonce"]; !set {
		f.claims["nonce"] = flow.Nonce
	}
	return o.Finish(context.Background(), flow, flow.State, "code", noon)
}
