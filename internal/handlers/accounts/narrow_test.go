package accounts_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// narrowToken makes a token of the approver that is narrowed, and returns how to send it.
func narrowToken(t *testing.T, s *webtest.Server, scopes []access.Scope, networks ...string) []string {
	t.Helper()
	secret := auth.NewToken()
	addresses, err := access.ParseNetworks(strings.Join(networks, " "))
	require.NoError(t, err)
	_, err = s.Store.AddToken(context.Background(), access.AtCommandLine(s.Tenant.ID), access.Token{
		Name: "narrow", UserID: s.Person("approver").ID, Role: access.Approver, Hash: db.HashToken(secret), Scopes: scopes,
		Addresses: addresses, ExpiresAt: s.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	return []string{"Authorization", "Bearer " + secret}
}

// A narrowed token may do what its scopes have, and no more of its role; the refusal names the scope.
func TestNarrowedScopes(t *testing.T) {
	s := webtest.NewServer(t)
	token := narrowToken(t, s, []access.Scope{access.ScopeRead, access.ScopeImport})
	s = s.As("")
	require.Equal(t, 200, s.Do("GET", "/api/v1/sessions", "", token...).Code)
	require.Equal(t, 201, s.Do("POST", "/api/v1/sessions", webtest.LeavePolicy, token...).Code)
	for _, c := range []struct{ method, path, scope string }{
		{"GET", "/api/v1/account/tokens", "account"}, {"POST", "/api/v1/account/tokens", "account"},
		{"GET", "/api/v1/changes", "sign"}, {"GET", "/api/v1/webhooks", "admin"},
		{"POST", "/api/v1/packs/pack_0123456789abcdef/export", "export"},
		{"POST", "/api/v1/packs", "review"}, {"POST", "/api/v1/packs/pack_0123456789abcdef/approve", "sign"},
	} {
		w := s.Do(c.method, c.path, "{}", token...)
		require.Equal(t, 403, w.Code, c.path)
		require.Contains(t, w.Body.String(), "this needs the scope "+c.scope+".", c.path)
		require.Equal(t, `Bearer realm="sanad", error="insufficient_scope", scope="`+c.scope+`"`,
			w.Header().Get("WWW-Authenticate"), c.path)
	}
	none := narrowToken(t, s, []access.Scope{access.ScopeExport})
	require.Equal(t, 403, s.Do("GET", "/api/v1/sessions", "", none...).Code, "no scope contains another")
}

// A token is refused from an address that is in none of its networks. Behind a proxy that is believed, the address is
// the one that this proxy saw, whatever the client says.
func TestNarrowedAddresses(t *testing.T) {
	ask := func(s *webtest.Server, peer string, token []string, forwarded string) *httptest.ResponseRecorder {
		r := webtest.Request("GET", "/api/v1/sessions", "", token...)
		r.RemoteAddr = peer + ":4711"
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		return s.Serve(r)
	}
	s := webtest.NewServer(t)
	inside := narrowToken(t, s, nil, "198.51.100.0/24", "192.0.2.1")
	require.Equal(t, 200, ask(s, "192.0.2.1", inside, "").Code)
	require.Equal(t, 403, ask(s, "192.0.2.2", inside, "198.51.100.7").Code, "no proxy is believed")
	w := ask(s, "192.0.2.1", narrowToken(t, s, nil, "198.51.100.0/24"), "")
	require.Equal(t, 403, w.Code)
	require.Contains(t, w.Body.String(), "may not be used from this address")
	tokens, err := s.Store.Tokens(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	require.True(t, tokens[0].LastUsedAt.IsZero(), "a refusal is no use")
	require.False(t, tokens[1].LastUsedAt.IsZero())

	s = webtest.NewServer(t, func(o *web.Options) { o.TrustProxy = true })
	inside = narrowToken(t, s, nil, "198.51.100.0/24")
	for _, c := range []struct {
		name, forwarded string
		status          int
	}{
		{"what the proxy saw", "203.0.113.9, 198.51.100.7", 200},
		{"forged by the client", "198.51.100.7, 203.0.113.9", 403},
		{"forged by a client of the private network", "198.51.100.7, 10.0.0.9", 403},
		{"the proxy does not say", "", 403}, {"no address", "198.51.100.7, unknown", 403},
	} {
		require.Equal(t, c.status, ask(s, "10.0.0.2", inside, c.forwarded).Code, c.name)
	}
	require.Equal(t, 403, ask(s, "203.0.113.9", inside, "198.51.100.7").Code, "a peer that is no proxy")
}

// A narrowed token makes no others: they could do what it cannot.
func TestNarrowedTokensMakeNone(t *testing.T) {
	s := webtest.NewServer(t)
	body := `{"name":"more","days":1,"password":"` + webtest.Password + `"}`
	for name, token := range map[string][]string{
		"scopes":    narrowToken(t, s, access.Scopes),
		"addresses": narrowToken(t, s, nil, "192.0.2.0/24"),
	} {
		w := s.As("").Do("POST", "/api/v1/account/tokens", body, token...)
		require.Equal(t, 403, w.Code, name)
		require.Contains(t, w.Body.String(), "cannot create other tokens", name)
	}
}

// Tokens are narrowed where they are made: on both pages and by the API. The lists say so.
func TestMakingNarrowedTokens(t *testing.T) {
	s := webtest.NewServer(t)
	form := webtest.Form("name", "Nightly", "role", "viewer", "days", "7", "addresses", "192.0.2.0/24") +
		"&scope=read&scope=export"
	for _, c := range []struct{ who, post, list string }{
		{"admin", "/admin/tokens", "/admin/tokens"}, {"reviewer", "/account/tokens", "/account"},
	} {
		w := s.As(c.who).Post(c.post, form)
		require.Equal(t, 200, w.Code, w.Body.String())
		list := s.As(c.who).Do("GET", c.list, "").Body.String()
		require.Contains(t, list, "Only: Read, Export", c.list)
		require.Contains(t, list, "192.0.2.0/24", c.list)
		for field, words := range map[string]string{
			"scope=everything": "There is no such scope", "addresses=office": "is neither an address nor a network",
		} {
			w := s.As(c.who).Post(c.post, "name=x&role=viewer&days=7&"+field)
			require.Equal(t, 422, w.Code, field)
			require.Contains(t, w.Body.String(), words)
			require.Contains(t, w.Body.String(), `<details class="fold" open>`, "what was typed is shown")
		}
	}
	w := s.As("viewer").Do("POST", "/api/v1/account/tokens", `{"name":"n","days":1,"scopes":["import","read"],
		"addresses":["198.51.100.7"],"password":"`+webtest.Password+`"}`)
	require.Equal(t, 201, w.Code, w.Body.String())
	var made struct{ Scopes, Addresses []string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &made))
	require.Equal(t, []string{"read", "import"}, made.Scopes)
	require.Equal(t, []string{"198.51.100.7/32"}, made.Addresses)
	for _, in := range []string{`"scopes":["all"]`, `"addresses":["office"]`} {
		w := s.As("viewer").Do("POST", "/api/v1/account/tokens", `{"name":"n","days":1,`+in+`,"password":"`+webtest.Password+`"}`)
		require.Equal(t, 422, w.Code, in)
	}
	b := s.Browser("admin")
	s.Clock.Move(6 * time.Minute)
	b.Ask("POST", "/admin/tokens", "name=Nightly&scope=export&addresses=192.0.2.7")
	require.Contains(t, b.Ask("GET", "/admin/tokens", "").Body.String(), `value="export" checked`,
		"what was typed before the password was asked for")
}
