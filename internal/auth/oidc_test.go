package auth_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

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
	require.Empty(t, f.seen, "NewOIDC does not contact the provider")
	good := f.discovery
	f.discovery = nil
	_, _, err := o.Start(context.Background(), "/", 0)
	require.ErrorIs(t, err, auth.ErrOIDCUnavailable)
	require.Equal(t, domain.Internal, domain.KindOf(err))
	require.Less(t, len(err.Error()), 1000, "the log gets only the beginning of a long answer")
	f.discovery = map[string]any{"issuer": "https://evil.example"}
	_, _, err = o.Start(context.Background(), "/", 0)
	require.ErrorIs(t, err, auth.ErrOIDCUnavailable, "the document names another issuer")
	require.Less(t, len(err.Error()), 1000)
	f.discovery = maps.Clone(good)
	f.discovery["a"] = strings.Repeat("x", 2<<20)
	_, _, err = o.Start(context.Background(), "/", 0)
	require.ErrorIs(t, err, auth.ErrOIDCUnavailable, "an endless answer")
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
