package e2e

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// traces lists the files of the app (database, WAL, originals, lake, checkpoints) that contain a word.
func (a *app) traces(t *testing.T, words ...string) (found []string) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(a.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		data = bytes.ToLower(data)
		for _, w := range words {
			if bytes.Contains(data, []byte(w)) {
				found = append(found, filepath.Base(path)+": "+w)
			}
		}
		return err
	}))
	require.Greater(t, files, 2, "the data folder was searched")
	return found
}

// TestDocumentIsErased: an administrator asks for the erasure of a document, an approver confirms it, and no file of
// the data folder has a word of it any more, while the log still verifies.
func TestDocumentIsErased(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	omar := a.member(t, "omar", "Omar Said", domain.Approver)
	bothWays(t, func(t *testing.T, scripts bool) {
		uploads, err := os.MkdirTemp("", "sanad-upload-") // outside the folder that is searched
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(uploads)) })
		file := filepath.Join(uploads, "zanzibarite-file.txt")
		require.NoError(t, os.WriteFile(file, []byte("Employees get fifteen days of leave.\n\nThe quixotrope says "+
			"القسطاسيات on each page.\n"), 0o600))
		words := []string{"quixotrope", "القسطاسيات", "zanzibarite"}

		b := openBoth(t, a, scripts)
		b.visit("/sessions/new")
		b.do(chromedp.SendKeys(chromedp.ID("n-t"), t.Name()),
			chromedp.SendKeys(chromedp.ID("n-a"), "Employees get fifteen days of leave."))
		b.choose("#n-d", file)
		b.click(`form:has(#n-d) .btn-primary`)
		b.until(`/^.sessions.[0-9a-f-]{36}$/.test(location.pathname) && document.readyState == "complete"`)
		session := b.path()
		require.NotEmpty(t, a.traces(t, words...))
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
		require.NotEmpty(t, a.traces(t, words...), "nothing is deleted before a second person confirms")

		b.setCookie(omar.cookie)
		b.visit("/?lang=ar")
		b.click(".who summary")
		b.submit(`.who a[href="/admin/erasures"]`)
		b.inspect("erase-confirm-ar", scripts)
		b.submit(`form[action$="/confirm"] button`)
		require.Empty(t, a.traces(t, words...))
		b.visit(document + "?lang=en")
		require.Contains(t, b.text("main"), "Erased on")
		b.visit(session)
		b.visit("/search?q=quixotrope")
		require.Equal(t, 0, eval[int](b, `document.querySelectorAll(".hits").length`))

		report, err := a.store.VerifyLog(context.Background(), a.actor.Tenant)
		require.NoError(t, err)
		require.True(t, report.OK(), report.Words())
		checked, err := a.store.VerifyContents(context.Background(), a.actor.Tenant, func(f audit.ContentFault) {
			t.Errorf("%+v", f)
		})
		require.NoError(t, err)
		require.NotZero(t, checked)
	})
}
