package auth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
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

func TestOIDCStart(t *testing.T) {
	f := newForger(t)
	to, flow, err := auth.NewOIDC(f.config()).Start(context.Background(), "/packs", 300)
	require.NoError(t, err)
	u, err := url.Parse(to)
	require.NoError(t, err)
	require.Equal(t, f.URL+"/auth", "http://"+u.Host+u.Path)
	challenge := sha256.Sum256([]byte(flow.Verifier))
	for name, want := range map[string]string{"response_type": "code", "client_id": "sanad",
		"redirect_uri": f.config().RedirectURL, "scope": "openid profile email",
		"state": flow.State, "nonce": flow.Nonce, "code_challenge_method": "S256",
		"code_challenge": base64.RawURLEncoding.EncodeToString(challenge[:]), "max_age": "300"} {
		require.Equal(t, want, u.Query().Get(name), name)
	}
	require.Equal(t, "/packs", flow.Next)
	require.Equal(t, 300, flow.MaxAge)
	require.Regexp(t, `^[A-Za-z0-9._~-]{43,128}$`, flow.Verifier, "RFC 7636")
	require.NotContains(t, to, "s3cret-of-client")
	require.NotContains(t, to, flow.Verifier)

	_, other, err := auth.NewOIDC(f.config()).Start(context.Background(), "/", 0)
	require.NoError(t, err)
	require.NotEqual(t, flow.State, other.State)
	require.NotEqual(t, flow.Nonce, other.Nonce)
	require.NotEqual(t, flow.Verifier, other.Verifier)
}

func TestOIDCIdentity(t *testing.T) {
	for _, c := range []struct {
		desc             string
		claims, userinfo map[string]any
		name, email      string
	}{
		{desc: "all in the ID token", name: "Aisha Khan", email: "aisha@example.com"},
		{desc: "email not verified", claims: map[string]any{"email_verified": false}, name: "Aisha Khan"},
		{desc: "email_verified left out", claims: map[string]any{"email_verified": nil}, name: "Aisha Khan"},
		{
			desc: "email_verified as text", claims: map[string]any{"email_verified": "true"},
			name: "Aisha Khan", email: "aisha@example.com",
		},
		{desc: "email_verified as odd text", claims: map[string]any{"email_verified": "yes"}, name: "Aisha Khan"},
		{desc: "all at userinfo", claims: map[string]any{"name": nil, "email": nil, "email_verified": nil},
			userinfo: map[string]any{
				"sub": "u-1", "name": "عائشة", "email": "a@example.com", "email_verified": true,
			}, name: "عائشة", email: "a@example.com"},
		{desc: "a verified flag of another email", claims: map[string]any{"name": nil, "email_verified": false},
			userinfo: map[string]any{
				"sub": "u-1", "name": "عائشة", "email": "other@example.com", "email_verified": true,
			}, name: "عائشة"},
		{
			desc: "only a user name", claims: map[string]any{"name": nil, "preferred_username": "aisha"},
			name: "aisha", email: "aisha@example.com",
		},
	} {
		t.Run(c.desc, func(t *testing.T) {
			f := newForger(t)
			maps.Copy(f.claims, c.claims)
			if c.userinfo != nil {
				f.userinfo = c.userinfo
			}
			id, err := f.login(t, 300)
			require.NoError(t, err)
			require.Equal(t, auth.OIDCIdentity{
				Issuer: f.URL, Subject: "u-1", Name: c.name, Email: c.email,
				AuthTime: noon.Add(-10 * time.Second),
			}, id)
		})
	}
}

func TestOIDCRefusesTokens(t *testing.T) {
	foreign, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	for _, c := range []struct {
		desc   string
		maxAge int
		mend   func(f *forger)
		why    string // in the log's text
	}{
		{desc: "nonce of another attempt", mend: func(f *forger) { f.claims["nonce"] = "other" }, why: "nonce"},
		{desc: "no nonce", mend: func(f *forger) { f.claims["nonce"] = nil }, why: "nonce"},
		{
			desc: "another issuer", mend: func(f *forger) { f.claims["iss"] = "https://evil.example" },
			why: "different provider",
		},
		{desc: "another audience", mend: func(f *forger) { f.claims["aud"] = "other" }, why: "audience"},
		{desc: "no audience", mend: func(f *forger) { f.claims["aud"] = nil }, why: "audience"},
		{
			desc: "two audiences, made for the other",
			mend: func(f *forger) { f.claims["aud"] = []string{"sanad", "other"}; f.claims["azp"] = "other" },
			why:  "another client",
		},
		{
			desc: "two audiences, made for nobody",
			mend: func(f *forger) { f.claims["aud"] = []string{"sanad", "other"} }, why: "another client",
		},
		{desc: "expired", mend: func(f *forger) { f.claims["exp"] = noon.Unix() - 1 }, why: "expired"},
		{desc: "never expires", mend: func(f *forger) { delete(f.claims, "exp") }, why: "expired"},
		{desc: "no subject", mend: func(f *forger) { delete(f.claims, "sub") }, why: "sub"},
		{desc: "endless subject", mend: func(f *forger) { f.claims["sub"] = strings.Repeat("u", 256) }, why: "sub"},
		{desc: "subject is a number", mend: func(f *forger) { f.claims["sub"] = 1 }, why: "claims"},
		{
			desc: "signed by another key",
			mend: func(f *forger) { f.token = func(c map[string]any) string { return sign(t, foreign, c) } },
			why:  "signature",
		},
		{desc: "not signed", mend: func(f *forger) { f.token = unsigned("none", "") }, why: "malformed jwt"},
		{
			desc: "signed with the client secret",
			mend: func(f *forger) { f.token = unsigned("HS256", "AAAA") }, why: "malformed jwt",
		},
		{
			desc: "no token", mend: func(f *forger) { f.token = func(map[string]any) string { return "" } },
			why: "malformed jwt",
		},
		{
			desc: "userinfo about another",
			mend: func(f *forger) { delete(f.claims, "name"); f.userinfo["sub"] = "u-2" },
			why:  "another subject",
		},
		{
			desc: "login too old", maxAge: 300,
			mend: func(f *forger) { f.claims["auth_time"] = noon.Unix() - 361 }, why: "old",
		},
		{
			desc: "login in the future", maxAge: 300,
			mend: func(f *forger) { f.claims["auth_time"] = noon.Unix() + 61 }, why: "old",
		},
		{
			desc: "auth_time as text", maxAge: 300, mend: func(f *forger) { f.claims["auth_time"] = "today" },
			why: "cannot unmarshal",
		},
		{
			desc: "no auth_time", maxAge: 300, mend: func(f *forger) { delete(f.claims, "auth_time") },
			why: "auth_time",
		},
		{
			desc: "auth_time beyond every clock", maxAge: 300,
			mend: func(f *forger) { f.claims["auth_time"] = -1e300 }, why: "old",
		},
	} {
		t.Run(c.desc, func(t *testing.T) {
			f := newForger(t)
			c.mend(f)
			id, err := f.login(t, c.maxAge)
			require.Equal(t, domain.Denied, domain.KindOf(err), "%v", err)
			require.ErrorContains(t, err, c.why)
			require.NotErrorIs(t, err, auth.ErrOIDCUnavailable)
			require.Empty(t, id)
		})
	}
}

// unsigned returns a function that makes a token with the given alg header and a signature that is not the provider's.
func unsigned(alg, signature string) func(map[string]any) string {
	return func(claims map[string]any) string {
		data, _ := json.Marshal(claims)
		text := base64.RawURLEncoding.EncodeToString
		return text(fmt.Appendf(nil, `{"alg":%q,"kid":"k1"}`, alg)) + "." + text(data) + "." + signature
	}
}

func TestOIDCAgeWithinLeeway(t *testing.T) {
	for _, authTime := range []any{noon.Unix() - 359, noon.Unix() + 59, float64(noon.Unix()) - 0.5} {
		f := newForger(t)
		f.claims["auth_time"] = authTime
		_, err := f.login(t, 300)
		require.NoError(t, err, authTime)
	}
}

func TestOIDCStateIsChecked(t *testing.T) {
	f := newForger(t)
	o := auth.NewOIDC(f.config())
	_, flow, err := o.Start(context.Background(), "/", 0)
	require.NoError(t, err)
	asked := len(f.seen)
	for _, c := range []struct {
		flow        auth.OIDCFlow
		state, code string
	}{
		{flow, flow.State + "x", "code"}, {flow, "", "code"}, {flow, flow.State, ""}, {auth.OIDCFlow{}, "", "code"},
		{auth.OIDCFlow{State: "s", Nonce: "n"}, "s", "code"}, {auth.OIDCFlow{State: "s", Verifier: "v"}, "s", "code"},
	} {
		_, err := o.Finish(context.Background(), c.flow, c.state, c.code, noon)
		require.Equal(t, domain.Denied, domain.KindOf(err))
	}
	require.Len(t, f.seen, asked, "nothing was sent to the provider")
}

// A refusal by the token endpoint is the login's fault or this app's, and neither text repeats what was sent.
func TestOIDCTokenEndpointRefuses(t *testing.T) {
	refuse := func(status int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, body, r.Header.Get("Authorization")+r.PostForm.Encode()+"s3cret-of-client")
			return true
		}
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the secret went to another host") }))
	defer elsewhere.Close()
	for _, c := range []struct {
		desc   string
		answer func(http.ResponseWriter, *http.Request) bool
		kind   domain.Kind
	}{
		{"used code", refuse(400, `{"error":"invalid_grant","error_description":"%s"}`), domain.Denied},
		{"wrong client secret", refuse(401, `{"error":"invalid_client","error_description":"%s"}`), domain.Internal},
		{"a page", refuse(502, `<html>%s</html>`), domain.Internal},
		{"endless", func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(`{"access_token":"` + strings.Repeat("x", 2<<20) + `"}`))
			return true
		}, domain.Internal},
		{"redirect to itself", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "/token", http.StatusTemporaryRedirect)
			return true
		}, domain.Internal},
		{"redirect elsewhere", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
			return true
		}, domain.Internal},
	} {
		t.Run(c.desc, func(t *testing.T) {
			f := newForger(t)
			f.answer = c.answer
			_, err := f.login(t, 0)
			require.Error(t, err)
			require.Equal(t, c.kind, domain.KindOf(err))
			require.Equal(t, c.kind == domain.Internal, strings.Contains(err.Error(), auth.ErrOIDCUnavailable.Error()))
			require.NotContains(t, err.Error(), "s3cret")
			require.Less(t, len(err.Error()), 1000)
			sent := 0
			for _, r := range f.seen {
				if r.URL.Path == "/token" {
					sent++
				}
			}
			require.Equal(t, 1, sent, "a code is sent once, never again in another style")
		})
	}
}

func TestOIDCClientAuthentication(t *testing.T) {
	for _, c := range []struct {
		desc    string
		methods []string
		secret  string
		header  bool
	}{
		{desc: "the default", secret: "s3cret", header: true},
		{
			desc: "basic", methods: []string{"private_key_jwt", "client_secret_basic", "client_secret_post"},
			secret: "s3cret", header: true,
		},
		{desc: "post", methods: []string{"client_secret_post"}, secret: "s3cret"},
		{desc: "public client"},
	} {
		t.Run(c.desc, func(t *testing.T) {
			f := newForger(t)
			f.discovery["token_endpoint_auth_methods_supported"] = c.methods
			config := f.config()
			config.ClientSecret = c.secret
			o := auth.NewOIDC(config)
			_, flow, err := o.Start(context.Background(), "/", 0)
			require.NoError(t, err)
			f.claims["nonce"] = flow.Nonce
			_, err = o.Finish(context.Background(), flow, flow.State, "code", noon)
			require.NoError(t, err)
			for _, r := range f.seen {
				if r.URL.Path != "/token" {
					continue
				}
				_, secret, basic := r.BasicAuth()
				require.Equal(t, c.header, basic)
				require.Equal(t, c.secret, secret+r.PostForm.Get("client_secret"))
				require.Equal(t, flow.Verifier, r.PostForm.Get("code_verifier"))
			}
		})
	}
}

// Discovery runs once, at the first login, and is tried again after a failure.
func TestOIDCDiscovery(t *testing.T) {
	f := newForger(t)
	o := auth.NewOIDC(f.config())
	require.Empty(t, f.seen, "making a client asks nothing")
	good := f.discovery
	f.discovery = nil
	_, _, err := o.Start(context.Background(), "/", 0)
	require.ErrorIs(t, err, auth.ErrOIDCUnavailable)
	require.Equal(t, domain.Internal, domain.KindOf(err))
	require.Less(t, len(err.Error()), 1000, "of a page of excuses the log gets the beginning")
	f.discovery = map[string]any{"issuer": "https://evil.example"}
	_, _, err = o.Start(context.Background(), "/", 0)
	require.ErrorIs(t, err, auth.ErrOIDCUnavailable, "an issuer that is another")
	require.Less(t, len(err.Error()), 1000)
	f.discovery = maps.Clone(good)
	f.discovery["a"] = strings.Repeat("x", 2<<20)
	_, _, err = o.Start(context.Background(), "/", 0)
	require.ErrorIs(t, err, auth.ErrOIDCUnavailable, "an answer without end")
	require.Less(t, len(err.Error()), 1000)
	f.discovery = good
	for range 3 {
		_, _, err = o.Start(context.Background(), "/", 0)
		require.NoError(t, err)
	}
	require.Len(t, f.seen, 4, "three failures and one success")

	gone, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = auth.NewOIDC(f.config()).Start(gone, "/", 0)
	require.ErrorIs(t, err, context.Canceled)
}

func TestOIDCConfig(t *testing.T) {
	ok := auth.OIDCConfig{
		Issuer: "https://login.example.com/realms/a", ClientID: "sanad",
		RedirectURL: "https://sanad.example.com/login/oidc/callback",
	}
	require.NoError(t, ok.Check())
	require.Equal(t, "login.example.com", auth.NewOIDC(ok).Name())
	for path, set := range map[string][]func(*auth.OIDCConfig){
		"": {func(c *auth.OIDCConfig) { c.Issuer = "http://127.0.0.1:3000" },
			func(c *auth.OIDCConfig) { c.Issuer = "http://[::1]:3000" },
			func(c *auth.OIDCConfig) { c.Issuer = "http://localhost" }},
		"oidc-issuer": {func(c *auth.OIDCConfig) { c.Issuer = "" },
			func(c *auth.OIDCConfig) { c.Issuer = "login.example.com" },
			func(c *auth.OIDCConfig) { c.Issuer = "ftp://login.example.com" },
			func(c *auth.OIDCConfig) { c.Issuer = "http://login.example.com" },
			func(c *auth.OIDCConfig) { c.Issuer = "http://localhost.example.com" },
			func(c *auth.OIDCConfig) { c.Issuer += "?a=b" }, func(c *auth.OIDCConfig) { c.Issuer = "https://\x7f" }},
		"oidc-client-id": {func(c *auth.OIDCConfig) { c.ClientID = "" }},
		"public-url": {func(c *auth.OIDCConfig) { c.RedirectURL = "" },
			func(c *auth.OIDCConfig) { c.RedirectURL = "/login/oidc/callback" },
			func(c *auth.OIDCConfig) { c.RedirectURL = "javascript://x/" }},
	} {
		for _, f := range set {
			c := ok
			f(&c)
			err := c.Check()
			if path == "" {
				require.NoError(t, err, c)
				continue
			}
			var ours *domain.Error
			require.ErrorAs(t, err, &ours, "%+v", c)
			require.Equal(t, path, ours.Path)
			require.Equal(t, domain.Invalid, ours.Kind)
		}
	}
}
