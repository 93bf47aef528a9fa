package auth_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

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
			require.Equal(t, 1, sent, "a code is sent once, and not again by another method")
		})
	}
}
