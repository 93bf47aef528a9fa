package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestLogFitsAndFindsByTitle checks the log's filters in both languages: nothing scrolls sideways at any width, an
// object is found by its title and chosen, also without JavaScript, and the address says all of it.
func TestLogFitsAndFindsByTitle(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	id := a.sessions["leave-policy.json"]
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{360, 768, 900, 1280} {
			b.width(width)
			for name, path := range map[string]string{
				"all": "/audit?", "found": "/audit?find=leave&", "one": "/audit?action=session.imported&claim=2&object=" + id + "&",
			} {
				name := fmt.Sprintf("log-%s-%s-%d", name, lang, width)
				b.visit(path + "lang=" + lang)
				b.picture(name)
				require.LessOrEqual(t,
					eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, name)
				require.Empty(t, eval[[]string](b, `[...document.querySelectorAll(".audit-filters :is(select, input:not([type=hidden]), .chosen)")]
					.filter(e => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > innerWidth + 0.5 || r.width < 60; }).map(e => e.outerHTML)`), name)
				b.accessible(name)
			}
		}
	}

	plain := open(t, a)
	plain.withoutScripts()
	plain.do(chromedp.Navigate(a.url + "/audit?lang=en&action=session"))
	plain.do(chromedp.SendKeys(chromedp.CSS("#f-o"), "leave"))
	plain.click(".audit-filters > .btn")
	plain.until(`document.querySelector(".found-objects") !== null`)
	plain.click(`.found-objects a[href*="` + id + `"]`)
	plain.until(`location.search === "?action=session&object=` + id + `" && document.readyState === "complete"`)
	require.Equal(t, 1, eval[int](plain, `document.querySelectorAll(".trail > li").length`))
	require.Equal(t, "Leave Policy Q&A", plain.text(".chosen bdi"))
	plain.click(".chosen a")
	plain.until(`location.search === "?action=session"`)

	// with JavaScript the list follows what is typed
	b.width(1280)
	b.visit("/audit?lang=en")
	b.do(chromedp.SendKeys(chromedp.CSS("#f-o"), "leave"))
	b.until(`document.querySelector(".found-objects") !== null && location.search.includes("find=leave")`)
}
