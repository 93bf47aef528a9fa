package e2e

import (
	"maps"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/notify"
)

// pages returns every page's address in the demo by name.
func pages(t *testing.T, a *app) map[string]string {
	t.Helper()
	_, claim := a.get(t, a.session("leave-policy.json")+"/claims/1")
	document := regexp.MustCompile(`/documents/[0-9a-f-]+\?[^"#]+`).FindString(claim)
	require.NotEmpty(t, document)
	return map[string]string{
		"home":          "/",
		"dashboard":     "/dashboard",
		"sessions":      "/sessions",
		"sessions-none": "/sessions?q=nothingfitsthis",
		"new":           "/sessions/new",
		"ledger":        a.session("leave-policy.json") + "?claim=3",
		"ledger-60":     a.session("vendor-review.json"),
		"ledger-ar":     a.session("procurement-ar.json"),
		"ledger-answer": a.session("leave-policy.json") + "?tab=answer",
		"ledger-report": a.session("vendor-review.json") + "?tab=report",
		"ledger-people": a.session("vendor-review.json") + "?tab=sources",
		"claim":         a.session("leave-policy.json") + "/claims/3",
		"claim-bad":     a.session("vendor-review.json") + "/claims/17",
		"claim-none":    a.session("leave-policy.json") + "/claims/4",
		"search":        "/search?q=leave",
		"search-ar":     "/search?q=%D8%A7%D9%84%D8%B4%D8%B1%D8%A7%D8%A1&kind=passage",
		"search-none":   "/search?q=nothingfitsthis&verdict=weak",
		"search-start":  "/search",
		"views-none":    "/views",
		"document":      regexp.MustCompile(`&amp;`).ReplaceAllString(document, "&"),
		"api":           "/docs/api",
		"not-found":     "/sessions/none",
	}
}

// mailPages returns the pages about mail, of which there are no pictures: what waits and was given up, and the page
// behind the link in each mail, which works without a login.
func mailPages(a *app) map[string]string {
	token := notify.OffToken(a.keys.MAC, a.actor.Tenant, a.actor.ID, today)
	return map[string]string{"mail": "/admin/mail", "mail-off": "/mail/off?t=" + url.QueryEscape(token)}
}

// TestEveryPageIsAccessible checks every page in both languages and themes, wide and narrow: axe-core finds nothing,
// nothing scrolls sideways, nothing violates the content security policy.
func TestEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	all := pages(t, a)
	maps.Copy(all, mailPages(a))
	for name, path := range all {
		for _, l := range looks(t) {
			b.look(path, l)
			dir := eval[string](b, "document.documentElement.dir")
			require.Equal(t, map[string]string{"en": "ltr", "ar": "rtl"}[l.lang], dir)
			b.picture(l.name(name))
			b.accessible(l.name(name))
		}
	}
}
