package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// Under TLS what somebody chose is kept in cookies with the prefix, and those without it are not read.
func TestChoicesHaveThePrefixUnderTLS(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Secure = true })
	for _, name := range []string{"lang=ar", "theme=dark", "digits=arab"} {
		field, value, _ := strings.Cut(name, "=")
		ck := webtest.SetCookie(s.As("").Do("GET", "/login?"+name, ""), "__Host-sanad_"+field)
		require.NotNil(t, ck, name)
		require.Equal(t, value, ck.Value)
		require.True(t, ck.Secure && ck.HttpOnly && ck.SameSite == http.SameSiteLaxMode, name)
		require.Equal(t, "/", ck.Path)
		require.Empty(t, ck.Domain)
		require.Equal(t, 365*24*3600, ck.MaxAge)
	}
	const arabic = `<html lang="ar"`
	bare := s.As("").Do("GET", "/login", "", "Cookie", "sanad_lang=ar")
	require.NotContains(t, bare.Body.String(), arabic)
	require.Empty(t, bare.Result().Cookies())
	for _, none := range []string{"fr", "", "ar-SA", "AR"} { // what is no language of pages leaves theirs as it is
		other := s.As("").Do("GET", "/login?lang="+none, "", "Cookie", "__Host-sanad_lang=ar")
		require.Contains(t, other.Body.String(), arabic)
		require.Empty(t, other.Result().Cookies())
	}

	plain := webtest.NewServer(t)
	got := plain.As("").Do("GET", "/login", "", "Cookie", "sanad_lang=ar")
	require.Contains(t, got.Body.String(), arabic)
	require.Empty(t, got.Result().Cookies(), "without TLS browsers refuse the prefix")
}

// The guide's steps are kept as other choices are.
func TestGuideHasThePrefixUnderTLS(t *testing.T) {
	s, _ := withGuide(t, func(o *web.Options) { o.Secure = true })
	b := s.Browser("reviewer")
	b.Kept["__Host-sanad"] = b.Kept["sanad"]
	b.Kept["__Host-sanad_guide_"+s.Person("reviewer").ID] = "open.-read"
	require.Equal(t, "Step 3 of 5", b.At("/"))
}
