package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

// Under TLS what somebody chose is kept in cookies with the prefix. Those of an older version are taken over once, so
// that nobody loses a choice, unless there is a newer one or they hold nothing that can be chosen.
func TestChoicesHaveThePrefixUnderTLS(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Secure = true })
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
	taken := s.As("").Do("GET", "/login", "", "Cookie", "sanad_lang=ar")
	require.Contains(t, taken.Body.String(), arabic)
	require.Equal(t, "ar", webtest.SetCookie(taken, "__Host-sanad_lang").Value)
	require.Negative(t, webtest.SetCookie(taken, "sanad_lang").MaxAge, "the old one is deleted")
	newer := s.As("").Do("GET", "/login", "", "Cookie", "sanad_lang=ar; __Host-sanad_lang=en")
	require.NotContains(t, newer.Body.String(), arabic)
	require.Empty(t, newer.Result().Cookies())
	require.Empty(t, s.As("").Do("GET", "/login", "", "Cookie", "sanad_lang=<b>").Result().Cookies())
	chosen := s.As("").Do("GET", "/login?lang=en", "", "Cookie", "sanad_lang=ar")
	require.Equal(t, "en", webtest.SetCookie(chosen, "__Host-sanad_lang").Value)
	require.Negative(t, webtest.SetCookie(chosen, "sanad_lang").MaxAge)
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
	s, _ := withGuide(t, func(o *handlers.Options) { o.Secure = true })
	b := s.Browser("reviewer")
	b.Kept["__Host-sanad"] = b.Kept["sanad"]
	old := "sanad_guide_" + s.Person("reviewer").ID
	b.Kept[old] = "open.-read"
	require.Equal(t, "Step 3 of 5", b.At("/"))
	require.Equal(t, "open.-read", b.Kept["__Host-"+old])
	require.Empty(t, b.Kept[old])
	delete(b.Kept, old)
	require.Equal(t, "Step 3 of 5", b.At("/"))
}
