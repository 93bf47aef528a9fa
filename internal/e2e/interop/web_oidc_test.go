package interop

import (
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSignInAtTheProvider checks that a person whose email address the provider has verified can sign in to the real
// binary, and that one without an account or with an unverified address can't.
func TestSignInAtTheProvider(t *testing.T) {
	p := StartOIDCProvider(t)
	w := buildWeb(t)
	w.does("a long password of a test\n", "user", "add", "aisha", "--email", "aisha@example.com", "--password-stdin")
	w.does("a long password of a test\n", "user", "add", "omar", "--email", "unverified-omar@example.com",
		"--password-stdin")
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte(p.ClientSecret+"\n"), 0o600))
	address := freeAddress(t)
	at := "http://" + address
	w.serve("--addr", address, "--public-url", at, "--oidc-issuer", p.Issuer, "--oidc-client-id", p.ClientID,
		"--oidc-client-secret-file", secret)

	for login, status := range map[string]int{"aisha": http.StatusOK, "unverified-omar": http.StatusForbidden,
		"stranger": http.StatusForbidden} {
		t.Run(login, func(t *testing.T) {
			jar, err := cookiejar.New(nil)
			require.NoError(t, err)
			left := http.Client{Jar: jar,
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			res, err := left.PostForm(at+"/login/oidc?next=%2Faccount", nil)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			to, found := strings.CutPrefix(res.Header.Get("Refresh"), "0; url=")
			require.True(t, found)
			back, _ := NewVisitor(t).SignIn(t, to, login)
			require.Equal(t, address, back.Host)
			came := http.Client{Jar: jar}
			res, err = came.Get(back.String())
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, status, res.StatusCode)
			if status == http.StatusOK {
				require.Equal(t, "/account", res.Request.URL.Path)
			}
		})
	}
}
