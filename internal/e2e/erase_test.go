package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// TestDocumentIsErased: an administrator asks for the erasure of a document, and an approver confirms it. That no file
// has a word of it any more: TestEraseADocument.
func TestDocumentIsErased(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	omar := a.member(t, "omar", "Omar Said", access.Approver)
	bothWays(t, func(t *testing.T, scripts bool) {
		file := filepath.Join(t.TempDir(), "zanzibarite-file.txt")
		require.NoError(t, os.WriteFile(file, []byte("Employees get fifteen days of leave.\n\nThe quixotrope says "+
			"القسطاسيات on each page.\n"), 0o600))
		b := openBoth(t, a, scripts)
		b.visit("/sessions/new")
		b.unfold("#n-t")
		b.do(chromedp.SendKeys(chromedp.ID("n-t"), t.Name()),
			chromedp.SendKeys(chromedp.ID("n-a"), "Employees get fifteen days of leave."))
		b.choose("#n-d", file)
		b.click(`form:has(#n-d) .btn-primary`)
		b.until(`/^.sessions.[0-9a-f-]{36}$/.test(location.pathname) && document.readyState == "complete"`)
		session := b.path()
		b.visit(session + "?tab=sources")
		b.submit(`.source-list a[href^="/documents/"]`)
		document := b.path()

		b.submit(`main a[href^="/admin/erasures?"]`)
		require.Equal(t, "document", eval[string](b, `document.getElementById("e-kind").value`))
		b.do(chromedp.SendKeys(chromedp.ID("e-r"), "Asked for by the person."))
		b.submit(`button[value=dry_run]`)
		require.Contains(t, b.text("main"), "Nothing prevents this.")
		b.inspect("erase-dry-run", scripts)
		b.submit(`button[value=ask]`)
		require.Contains(t, b.text("main"), "You requested this; somebody else must confirm it.")

		b.setCookie(omar.cookie)
		b.visit("/?lang=ar")
		b.click(".who summary")
		b.submit(`.who a[href="/admin/erasures"]`)
		b.inspect("erase-confirm-ar", scripts)
		b.submit(`form[action$="/confirm"] button`)
		b.visit(document + "?lang=en")
		require.Contains(t, b.text("main"), "Erased on")
		b.visit(session)
		b.visit("/search?q=quixotrope")
		require.Equal(t, 0, eval[int](b, `document.querySelectorAll(".hits").length`))
	})
}
