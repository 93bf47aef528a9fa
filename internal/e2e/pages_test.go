package e2e

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/library"
	"sanad/internal/domain/notify"
)

// pages returns every page's address in the demo by name.
func pages(t *testing.T, a *app) map[string]string {
	t.Helper()
	_, claim := a.get(t, a.session("leave-policy.json")+"/claims/1")
	document := regexp.MustCompile(`/documents/[0-9a-f-]+\?[^"#]+`).FindString(claim)
	require.NotEmpty(t, document)
	inLibrary := a.libraryDocument(t)
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
		"library":       "/library",
		"library-none":  "/library?q=nothingfitsthis",
		"library-new":   "/library/new",
		"library-doc":   inLibrary,
		"library-since": inLibrary + "/compare",
		"not-found":     "/sessions/none",
	}
}

// libraryDocument adds a document of two versions to the library, and returns the path of its page.
func (a *app) libraryDocument(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	version := func(text string) *library.Version {
		return &library.Version{Filename: "سياسة_الإجازات_Leave_Policy_2026.md", MediaType: "text/markdown",
			Passages: []library.Passage{{Page: 1, Heading: []string{"Leave"}, Text: text}}}
	}
	older, newer := "Employees have 15 days of annual leave.", "Employees have 20 days of annual leave."
	d, err := a.store.AddLibraryDocument(ctx, a.actor, &library.Document{Name: "Leave policy · سياسة الإجازات",
		Folder: "HR/Policies", Tags: []string{"leave", "إجازات"}}, version(older), []byte(older), db.LibraryAnswering{})
	var taken *library.Taken
	if errors.As(err, &taken) { // another list of pages of this app has added it
		return "/library/" + taken.ID
	}
	require.NoError(t, err)
	_, err = a.store.AddLibraryVersion(ctx, a.actor, d.ID, version(newer), []byte(newer), db.LibraryAnswering{})
	require.NoError(t, err)
	return "/library/" + d.ID
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

// TestNothingScrollsSideways checks pages with wide tables and heads at widths at which they were too wide once.
func TestNothingScrollsSideways(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, path := range []string{"/bundles?", "/dashboard?", a.session("vendor-review.json") + "?flag=contradiction&"} {
		for _, lang := range []string{"en", "ar"} {
			b.visit(path + "lang=" + lang)
			b.until("document.fonts.status === 'loaded'")
			for _, width := range []int64{360, 768, 1024} {
				b.window(width, 800)
				require.LessOrEqual(t,
					eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0,
					"%s %s %d", path, lang, width)
			}
		}
	}
}

// TestFiltersOfAPhoneAreFolded checks that on a telephone the filters of lists stand behind one word while none is set, are
// open where one is, and are always there in a wide window. It works without scripts.
func TestFiltersOfAPhoneAreFolded(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	bothWays(t, func(t *testing.T, scripts bool) {
		b := openBoth(t, a, scripts)
		shown := func() int {
			return eval[int](b, `[...document.querySelectorAll(".filters > .field:not(.wide)")].filter(e => e.checkVisibility()).length`)
		}
		for path, filter := range map[string]string{"/sessions": "state=open", "/packs": "state=draft", "/search": "kind=claim"} {
			b.window(360, 740)
			b.visit(path + "?q=leave")
			require.Zero(t, shown(), path)
			b.click(".filter-toggle summary")
			require.Positive(t, shown(), path)
			b.visit(path + "?" + filter)
			require.Positive(t, shown(), path)
			b.window(1280, 800)
			b.visit(path + "?q=leave")
			require.Positive(t, shown(), path)
		}
	})
}
