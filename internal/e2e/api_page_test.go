package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDescriptionOfTheAPI checks the pages of the API's description in both languages and themes, wide and narrow; that
// the side list stays and marks the call that is read; that it is a fold on a narrow window; and that a link of before,
// when all was one page, leads on.
func TestDescriptionOfTheAPI(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, path := range []string{"/docs/api", "/docs/api/packs", "/docs/api/schemas-1"} {
		for _, l := range looks(t) {
			b.look(path, l)
			eval[bool](b, "document.querySelectorAll('details.fold').forEach(d => d.open = true), true")
			b.accessible(l.name("api " + path[len("/docs/api"):]))
			wide := l.width >= 900
			require.Equal(t, wide, eval[bool](b, "getComputedStyle(document.querySelector('.api-side')).display !== 'none'"))
			require.Equal(t, !wide, eval[bool](b, "getComputedStyle(document.querySelector('.api-fold')).display !== 'none'"))
		}
	}
	b.look("/docs/api/packs", look{lang: "en", theme: "light", width: 1280})
	b.visit("/docs/api/packs?lang=en#approvePack")
	b.until(`document.querySelector(".api-side [aria-current=location]")?.hash === "#approvePack"`)
	require.Less(t, eval[float64](b, `document.querySelector(".api-side").getBoundingClientRect().top`), 200.0)
	require.GreaterOrEqual(t, eval[float64](b, `document.querySelector(".api-side").getBoundingClientRect().top`), 0.0)
	b.visit("/docs/api?lang=en#approvePack")
	require.Equal(t, "/docs/api/packs#approvePack", eval[string](b,
		`document.querySelector(":target a").getAttribute("href")`))
}
