package webtest

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
)

// browser keeps the cookies of a user.
type browser struct {
	*Server
	Kept map[string]string
}

func (s *Server) Browser(who string) *browser {
	return &browser{s.As(who), map[string]string{"sanad": s.Person(who).Cookie}}
}

func (b *browser) Ask(method, path, form string, headers ...string) *httptest.ResponseRecorder {
	b.T.Helper()
	var cookies []string
	for name, value := range b.Kept {
		cookies = append(cookies, name+"="+value)
	}
	w := b.Do(method, path, form, append([]string{"Content-Type", "application/x-www-form-urlencoded", "Cookie",
		strings.Join(cookies, "; ")}, headers...)...)
	for _, c := range w.Result().Cookies() {
		if strings.HasPrefix(strings.TrimPrefix(c.Name, "__Host-"), "sanad_guide_") {
			require.True(b.T, c.HttpOnly)
			require.Equal(b.T, http.SameSiteLaxMode, c.SameSite)
		}
		b.Kept[c.Name] = c.Value
	}
	return w
}

// At returns the progress that the guide on a page shows, "" if there is no guide.
func (b *browser) At(path string) string {
	b.T.Helper()
	return GuideAt(b.Ask("GET", path, "").Body.String())
}

func GuideAt(body string) string {
	m := regexp.MustCompile(`(?s)<aside id="guide".*?<span class="soft">([^<]*)</span>`).FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	return m[1]
}
