package views

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// Every field that can be refused gets the focus, and is marked as invalid for screen readers.
func TestRefusedFieldsTakeTheFocus(t *testing.T) {
	files, err := filepath.Glob("*/*.templ")
	require.NoError(t, err)
	marked := 0
	for _, name := range files {
		if name == "packs/edit.templ" || name == "accounts/login.templ" { // remarks on a draft; a page of its own
			continue
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, after := range regexp.MustCompile(`aria-invalid="true"\s+(\S+)`).FindAllStringSubmatch(string(data),
			-1) {
			require.Equal(t, "autofocus", after[1], name)
			marked++
		}
		for _, field := range regexp.MustCompile(`[fF]ieldError\("([^"]+)"(\+?)`).FindAllStringSubmatch(string(data), -1) {
			id := `id="` + field[1] + `"`
			if field[2] != "" { // the rest of it differs by row
				id = `id={ "` + field[1] + `" + `
			}
			require.Contains(t, string(data), id, "%s: the alert at the top leads there", name)
		}
	}
	require.Greater(t, marked, 10)
}

// The alert is above the form, links to the field, and gets the focus only if no field does.
func TestRefusedAlert(t *testing.T) {
	for lang, words := range map[string]string{"en": "Not accepted:", "ar": "لم يُقبل:"} {
		c := viewtest.ChromeAt(lang, "/sessions/new")
		draw := func(f ledgerviews.SessionForm) string {
			var b strings.Builder
			require.NoError(t, ledgerviews.NewSession(ledgerviews.NewNewSessionPage(c, f)).Render(context.Background(),
				&b))
			return b.String()
		}
		page := draw(ledgerviews.SessionForm{Answer: "Words.", Fault: &ui.FormFault{Field: "documents", Word: "reason_long"}})
		alert := strings.Index(page, `role="alert" id="refused"`)
		require.Positive(t, alert)
		require.Less(t, alert, strings.Index(page, "<h1"))
		require.Contains(t, page[alert:], words)
		require.Contains(t, page[alert:], `<a href="#n-d"`)
		require.Equal(t, 1, strings.Count(page, " autofocus"))
		require.Regexp(t, `<input id="n-d"[^>]* autofocus`, page)
		require.NotContains(t, draw(ledgerviews.SessionForm{}), `id="refused"`)
	}
}
