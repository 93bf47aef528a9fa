package interop

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

// Nothing listens there: the tests only read the address to which the provider redirects.
const oidcBack = "http://127.0.0.1:9" + OIDCCallback

func oidcClient(p OIDCProvider) *auth.OIDC {
	return auth.NewOIDC(auth.OIDCConfig{Issuer: p.Issuer, ClientID: p.ClientID, ClientSecret: p.ClientSecret,
		RedirectURL: oidcBack})
}

// attempt is a login up to the provider's redirect.
type attempt struct {
	flow        auth.OIDCFlow
	state, code string
	asked       []string // kinds of forms that the provider showed
}

func signIn(t *testing.T, o *auth.OIDC, v *Visitor, login string, maxAge int) attempt {
	t.Helper()
	to, flow, err := o.Start(context.Background(), "/packs", maxAge)
	require.NoError(t, err)
	return follow(t, v, to, login, flow)
}

func follow(t *testing.T, v *Visitor, to, login string, flow auth.OIDCFlow) attempt {
	t.Helper()
	back, asked := v.SignIn(t, to, login)
	require.Equal(t, oidcBack, "http://"+back.Host+back.Path)
	require.Empty(t, back.Query().Get("error"), back.RawQuery)
	return attempt{flow: flow, state: back.Query().Get("state"), code: back.Query().Get("code"), asked: asked}
}

func (a attempt) finish(o *auth.OIDC, now time.Time) (auth.OIDCIdentity, error) {
	return o.Finish(context.Background(), a.flow, a.state, a.code, now)
}

func requireDenied(t *testing.T, err error, why string) {
	t.Helper()
	require.Equal(t, domain.Denied, domain.KindOf(err), "%v", err)
	require.ErrorContains(t, err, why)
}

func TestOIDCAgainstRealProvider(t *testing.T) {
	p := StartOIDCProvider(t)
	o := oidcClient(p)

	t.Run("login", func(t *testing.T) {
		a := signIn(t, o, NewVisitor(t), "aisha", 300)
		require.Equal(t, []string{"login", "consent"}, a.asked)
		id, err := a.finish(o, time.Now())
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), id.AuthTime, time.Minute)
		id.AuthTime = time.Time{}
		require.Equal(t, auth.OIDCIdentity{Issuer: p.Issuer, Subject: "aisha", Name: "Name of aisha",
			Email: "aisha@example.com"}, id)
	})
	t.Run("email that nobody verified", func(t *testing.T) {
		id, err := signIn(t, o, NewVisitor(t), "unverified-omar", 0).finish(o, time.Now())
		require.NoError(t, err)
		require.Equal(t, "unverified-omar", id.Subject)
		require.Empty(t, id.Email)
	})
	t.Run("state of another attempt", func(t *testing.T) {
		a, b := signIn(t, o, NewVisitor(t), "aisha", 0), signIn(t, o, NewVisitor(t), "mallory", 0)
		a.code, a.state = b.code, b.state
		_, err := a.finish(o, time.Now())
		requireDenied(t, err, "state")
	})
	t.Run("code of another attempt", func(t *testing.T) {
		a, b := signIn(t, o, NewVisitor(t), "aisha", 0), signIn(t, o, NewVisitor(t), "mallory", 0)
		a.code = b.code
		_, err := a.finish(o, time.Now())
		requireDenied(t, err, "invalid_grant") // PKCE
	})
	t.Run("nonce of another attempt", func(t *testing.T) {
		a := signIn(t, o, NewVisitor(t), "aisha", 0)
		a.flow.Nonce = auth.NewSecret()
		_, err := a.finish(o, time.Now())
		requireDenied(t, err, "nonce")
	})
	t.Run("code used twice", func(t *testing.T) {
		a := signIn(t, o, NewVisitor(t), "aisha", 0)
		_, err := a.finish(o, time.Now())
		require.NoError(t, err)
		_, err = a.finish(o, time.Now())
		requireDenied(t, err, "invalid_grant")
	})
	t.Run("token that has expired", func(t *testing.T) {
		_, err := signIn(t, o, NewVisitor(t), "aisha", 0).finish(o, time.Now().Add(2*time.Hour))
		requireDenied(t, err, "expired")
	})
	t.Run("wrong client secret", func(t *testing.T) {
		wrong := p
		wrong.ClientSecret = "not-the-secret"
		_, err := signIn(t, o, NewVisitor(t), "aisha", 0).finish(oidcClient(wrong), time.Now())
		require.Equal(t, domain.Internal, domain.KindOf(err))
		require.ErrorIs(t, err, auth.ErrOIDCUnavailable)
		require.ErrorContains(t, err, "invalid_client")
		require.NotContains(t, err.Error(), "not-the-secret")
	})
	t.Run("issuer under another name", func(t *testing.T) {
		other := p
		other.Issuer = strings.Replace(p.Issuer, "127.0.0.1", "localhost", 1)
		_, _, err := oidcClient(other).Start(context.Background(), "/", 0)
		require.ErrorIs(t, err, auth.ErrOIDCUnavailable)
		require.ErrorContains(t, err, "did not match")
	})
}

// TestOIDCFreshLogin checks that the provider does not ask again unless the last login is too old, and that removing
// the request for a fresh login from the address does not help.
func TestOIDCFreshLogin(t *testing.T) {
	p := StartOIDCProvider(t)
	o, v := oidcClient(p), NewVisitor(t)
	first := signIn(t, o, v, "aisha", 300)
	require.Contains(t, first.asked, "login")

	again := signIn(t, o, v, "aisha", 300)
	require.NotContains(t, again.asked, "login", "fresh enough")
	_, err := again.finish(o, time.Now())
	require.NoError(t, err)

	late := signIn(t, o, v, "aisha", 300)
	_, err = late.finish(o, time.Now().Add(10*time.Minute))
	requireDenied(t, err, "old")

	to, flow, err := o.Start(context.Background(), "/packs", 300)
	require.NoError(t, err)
	tampered, err := url.Parse(to)
	require.NoError(t, err)
	q := tampered.Query()
	q.Del("max_age")
	tampered.RawQuery = q.Encode()
	_, err = follow(t, v, tampered.String(), "aisha", flow).finish(o, time.Now())
	requireDenied(t, err, "auth_time")

	fresh := signIn(t, o, v, "aisha", 1)
	for end := time.Now().Add(time.Minute); !slices.Contains(fresh.asked, "login"); fresh = signIn(t, o, v, "aisha", 1) {
		require.True(t, time.Now().Before(end), "the provider asks again when the login is older than a second")
	}
	_, err = fresh.finish(o, time.Now())
	require.NoError(t, err)
}

// TestOIDCTokenOfAnotherKey uses two providers with one name at one address: the token comes from the first, the keys
// from the second.
func TestOIDCTokenOfAnotherKey(t *testing.T) {
	Need(t, "node", "npm")
	var first, second, keys atomic.Pointer[url.URL]
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to := first.Load()
		if strings.HasSuffix(r.In.URL.Path, "/jwks") {
			to = keys.Load()
		}
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }})
	defer front.Close()

	p := startOIDCProvider(t, front.URL)
	for at, address := range map[*atomic.Pointer[url.URL]]string{&first: p.Address,
		&second: startOIDCProvider(t, front.URL).Address} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		at.Store(u)
	}

	keys.Store(first.Load())
	o := oidcClient(p)
	_, err := signIn(t, o, NewVisitor(t), "aisha", 0).finish(o, time.Now())
	require.NoError(t, err, "with its own keys the token is good")

	keys.Store(second.Load())
	o = oidcClient(p)
	_, err = signIn(t, o, NewVisitor(t), "aisha", 0).finish(o, time.Now())
	requireDenied(t, err, "signature")
}
