package accounts_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
	"sanad/internal/keys"
)

// An administrator lists, adds and removes keys of other stores, on the page and by the API.
func TestTrustedKeys(t *testing.T) {
	s := webtest.NewServer(t)
	const key = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"
	public, err := keys.ParsePEM(key)
	require.NoError(t, err)
	id := keys.Fingerprint(public)
	type list struct {
		Trusted []struct{ ID, Name string } `json:"trusted_keys"`
	}
	require.Empty(t, webtest.Get[list](t, s.Do("GET", "/api/v1/trusted-keys", ""), 200).Trusted, "none by default")
	require.Contains(t, s.Do("GET", "/admin/keys", "").Body.String(), "No other organisation is trusted.")

	res := s.Post("/admin/keys/trusted", webtest.Form("name", "Head office", "public_key", "no key"))
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "no key</textarea>", "what was typed is kept")
	require.NotEmpty(t, webtest.FindGroup(t, `(?s)id="t-key-e">(.*?)</p>`, res.Body.String()))
	require.Equal(t, 303, s.Post("/admin/keys/trusted", webtest.Form("name", "Head office", "public_key", key)).Code)
	require.Contains(t, s.Do("GET", "/admin/keys", "").Body.String(), id)
	got := webtest.Get[list](t, s.Do("GET", "/api/v1/trusted-keys", ""), 200).Trusted
	require.Equal(t, []struct{ ID, Name string }{{id, "Head office"}}, got)
	require.Equal(t, 409, s.Do("POST", "/api/v1/trusted-keys",
		`{"name":"Again","public_key":"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"}`).Code)
	require.Equal(t, 303, s.Post("/admin/keys/trusted/remove", webtest.Form("id", id)).Code)
	require.Equal(t, 422, s.Do("DELETE", "/api/v1/trusted-keys?id="+url.QueryEscape(id), "").Code)
}
