package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMenusOpenInsideTheWindow checks the header's menus in both languages, also on a telephone.
func TestMenusOpenInsideTheWindow(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const person = "Khalid Abdulrahman Al Marri · خالد عبدالرحمن المري" // as in the demo, and longer
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{1280, 760, 360, 320} {
			b.width(width)
			b.visit("/sessions?lang=" + lang)
			for i := range eval[int](b, `document.querySelectorAll(".tools details.menu").length`) {
				name := fmt.Sprintf("%s %d menu %d", lang, width, i)
				edges := eval[[]float64](b, fmt.Sprintf(`(() => {
					document.querySelectorAll(".tools details.menu").forEach((m, i) => m.open = i === %d);
					document.querySelector(".who bdi").textContent = %q;
					const r = document.querySelector(".tools details[open] > div").getBoundingClientRect();
					return [r.left, r.right - document.documentElement.clientWidth, r.width];
				})()`, i, person))
				b.picture("menu-" + fmt.Sprintf("%s-%d-%d", lang, width, i))
				require.Positive(t, edges[2], name)
				require.GreaterOrEqual(t, edges[0], 0.0, name)
				require.LessOrEqual(t, edges[1], 0.0, name)
			}
		}
	}
}

// TestMenusLeaveThePlacesInOneLine checks that on a telephone the header's links are on one line, which scrolls, with
// the current one visible.
func TestMenusLeaveThePlacesInOneLine(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const seen = `(e => { const [r, u] = [e, e.closest("ul")].map(x => x.getBoundingClientRect()); return r.left >= u.left - 1 && r.right <= u.right + 1; })`
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{360, 320} {
			b.width(width)
			for _, page := range []string{"/sessions", "/audit", "/admin/users"} {
				name := fmt.Sprintf("%s %d %s", lang, width, page)
				b.visit(page + "?lang=" + lang)
				require.Equal(t, 1,
					eval[int](b, `new Set([...document.querySelectorAll(".top nav a")].map(e => e.offsetTop)).size`),
					name)
				require.True(t, eval[bool](b, seen+`(document.querySelector(".top nav [aria-current]"))`), name)
				b.picture(fmt.Sprintf("places-%s-%d-%s", lang, width, page[len(page)-5:]))
				b.accessible(name)
			}
		}
	}
}

// TestMenusAndTablesOfANarrowWindow checks that the list of sessions fits a window barely wide enough for a table, and
// leaves room for the titles.
func TestMenusAndTablesOfANarrowWindow(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{761, 804, 900, 1001} {
			name := fmt.Sprintf("sessions-%s-%d", lang, width)
			b.width(width)
			b.visit("/sessions?lang=" + lang)
			b.picture(name)
			require.LessOrEqual(t,
				eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, name)
			require.GreaterOrEqual(t, eval[int](b, `document.querySelector(".sessions tbody th").offsetWidth`), 100,
				name)
			require.Empty(t, eval[[]string](b,
				`[...document.querySelectorAll(".sessions :is(thead th, td)")].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.className + ": " + e.textContent.trim())`), name)
		}
	}
}
