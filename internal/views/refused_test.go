package views

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every field that can be refused is the one that the browser goes to, and says so to who is told what is wrong with it.
func TestRefusedFieldsTakeTheFocus(t *testing.T) {
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	marked := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".templ") || f.Name() == "pack_edit.templ" || f.Name() == "login.templ" { // remarks on a draft; a page of its own
			continue
		}
		data, err := os.ReadFile(f.Name())
		require.NoError(t, err)
		for _, after := range regexp.MustCompile(`aria-invalid="true"\s+(\S+)`).FindAllStringSubmatch(string(data), -1) {
			require.Equal(t, "autofocus", after[1], f.Name())
			marked++
		}
		for _, field := range regexp.MustCompile(`fieldError\("([^"]+)"`).FindAllStringSubmatch(string(data), -1) {
			require.Contains(t, string(data), `id="`+field[1]+`"`, "%s: the alert at the top leads there", f.Name())
		}
	}
	require.Greater(t, marked, 10)
}

// The alert stands above the form, leads to its field, and takes the focus only where no field does.
func TestRefusedAlert(t *testing.T) {
	for lang, words := range map[string]string{"en": "Not accepted:", "ar": "لم يُقبل:"} {
		c := chromeAt(lang, "/sessions/new")
		draw := func(f SessionForm) string {
			var b strings.Builder
			require.NoError(t, NewSession(NewNewSessionPage(c, f)).Render(context.Background(), &b))
			return b.String()
		}
		page := draw(SessionForm{Answer: "Words.", FaultPath: "documents", Fault: "broken.pdf is broken.", FaultKind: "invalid"})
		alert := strings.Index(page, `role="alert" id="refused"`)
		require.Positive(t, alert)
		require.Less(t, alert, strings.Index(page, "<h1"))
		require.Contains(t, page[alert:], words)
		require.Contains(t, page[alert:], `<a href="#n-d"`)
		require.Equal(t, 1, strings.Count(page, " autofocus"))
		require.Regexp(t, `<input id="n-d"[^>]* autofocus`, page)
		require.NotContains(t, draw(SessionForm{}), `id="refused"`)
	}
}
