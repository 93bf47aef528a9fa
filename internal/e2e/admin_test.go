package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/views/ui"
)

// TestAdministrationIsFiveGroupsOnOneLine checks on every page of administration that its groups are on one line, also
// on a telephone, that the page and its group are marked, and that every group leads somewhere.
func TestAdministrationIsFiveGroupsOnOneLine(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	const groups = `[...document.querySelectorAll(".subnav > ul:first-child a")]`
	all := ui.May{Manage: true, ConfirmPurge: true, ConfirmErase: true}
	for _, lang := range []string{"en", "ar"} {
		for _, width := range []int64{360, 1280} {
			b.width(width)
			for _, g := range all.AdminGroups() {
				for _, p := range g.Pages {
					name := fmt.Sprintf("admin-%s-%s-%d", p.Key, lang, width)
					b.visit(p.Href + "?lang=" + lang)
					b.until("document.fonts.status === 'loaded'")
					require.Equal(t, 5, eval[int](b, groups+`.length`), name)
					require.Equal(t, 1, eval[int](b, `new Set(`+groups+`.map(e => e.offsetTop)).size`), name)
					require.Equal(t, p.Href, eval[string](b, `document.querySelector(".subnav [aria-current=page]").getAttribute("href")`), name)
					require.Equal(t, g.Pages[0].Href, eval[string](b, `document.querySelector(".subnav > ul:first-child [aria-current]").getAttribute("href")`), name)
					require.LessOrEqual(t,
						eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`), 0, name)
				}
			}
			b.accessible(lang)
		}
	}
}
