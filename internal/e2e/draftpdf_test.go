package e2e

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDraftPDFFromThePage: before a pack is signed, its page offers a PDF in both languages, in English and in Arabic,
// with the watermark on each page.
func TestDraftPDFFromThePage(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	id := o.packs["dec_supplier_payment"]
	b := open(t, o.app)
	b.as(o, "sara")
	b.withoutScripts()
	b.visit("/packs/" + id)
	links := eval[[]string](b, `[...document.querySelectorAll(".pack-actions a[download]")].map(a => a.getAttribute("href"))`)
	require.Equal(t, []string{"/packs/" + id + "/draft.pdf", "/packs/" + id + "/draft.pdf?language=en",
		"/packs/" + id + "/draft.pdf?language=ar"}, links)
	const english, arabic = "Draft, not signed", "مسودة غير موقعة"
	for i, has := range [][2]bool{{true, true}, {true, false}, {false, true}} {
		status, data := o.fetch(t, links[i], "sara")
		require.Equal(t, http.StatusOK, status)
		pages := pdfPages(t, data, "draft-"+string(rune('a'+i)))
		require.NotEmpty(t, pages)
		var in [2]bool
		for n, page := range pages {
			one := [2]bool{strings.Contains(page, english), strings.Contains(page, arabic)}
			require.True(t, one[0] || one[1], "%s page %d:\n%s", links[i], n+1, page)
			in[0], in[1] = in[0] || one[0], in[1] || one[1]
		}
		require.Equal(t, has, in, links[i])
	}
	status, _ := o.fetch(t, links[0]+"?language=fr", "sara")
	require.Equal(t, http.StatusBadRequest, status)
	status, _ = o.fetch(t, links[0], "maryam")
	require.Equal(t, http.StatusForbidden, status, "viewers make none")
	status, _ = o.fetch(t, "/packs/"+o.packs["dec_hospital_fit"]+"/draft.pdf", "sara")
	require.Equal(t, http.StatusConflict, status, "it is signed")
}

// pdfPages returns the text of each page of a PDF. If SANAD_PICTURES is set, its pages are drawn there.
func pdfPages(t *testing.T, data []byte, name string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".pdf")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	text, err := exec.CommandContext(context.Background(), "pdftotext", "-layout", file, "-").Output()
	require.NoError(t, err)
	if dir := os.Getenv("SANAD_PICTURES"); dir != "" {
		require.NoError(t, exec.CommandContext(context.Background(), "pdftoppm", "-r", "60", "-png", file,
			filepath.Join(dir, name)).Run())
	}
	return strings.Split(strings.TrimSuffix(string(text), "\f"), "\f")
}
