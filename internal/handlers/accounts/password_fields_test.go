package accounts_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// Fields of passwords hide what is typed, tell password managers what they are for, and let anything be pasted. No form
// asks for a hint or a secret question.
func TestPasswordFields(t *testing.T) {
	s := webtest.NewServer(t)
	field := regexp.MustCompile(`<input[^>]*name="(password|current|new|again)"[^>]*>`)
	for page, want := range map[string]map[string]string{
		"/login":   {"password": "current-password"},
		"/confirm": {"password": "current-password"},
		"/account": {"current": "current-password", "new": "new-password", "again": "new-password"},
	} {
		who := "viewer"
		if page == "/login" {
			who = ""
		}
		body, seen := s.As(who).Do("GET", page, "").Body.String(), map[string]string{}
		for _, m := range field.FindAllStringSubmatch(body, -1) {
			require.Contains(t, m[0], `type="password"`, page)
			for _, hindrance := range []string{"onpaste", "readonly", `autocomplete="off"`} {
				require.NotContains(t, m[0], hindrance, page)
			}
			seen[m[1]] = webtest.FindGroup(t, `autocomplete="([a-z-]+)"`, m[0])
		}
		require.Equal(t, want, seen, page)
		for _, word := range []string{"hint", "question"} {
			require.NotContains(t, strings.ToLower(body), `name="`+word)
		}
	}
}
