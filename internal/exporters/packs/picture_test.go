package packs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/exporters/exporttest"
)

// TestPackPicture writes the packs, and the draft and one-language PDFs of the one with alarms, to PDF_OUT for visual
// inspection.
func TestPackPicture(t *testing.T) {
	dir := os.Getenv("PDF_OUT")
	if dir == "" {
		t.Skip("PDF_OUT names no folder")
	}
	for name, make := range fixtures {
		d := make(t)
		var file, text bytes.Buffer
		require.NoError(t, PDF(&file, d))
		require.NoError(t, Markdown(&text, d))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "pack-"+name+".pdf"), file.Bytes(), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "pack-"+name+".md"), text.Bytes(), 0o600))
	}
	d := fixtures["payment"](t)
	for _, d.Draft = range []bool{true, false} {
		for _, d.Language = range []string{"en", "ar"} {
			var file bytes.Buffer
			require.NoError(t, PDF(&file, d))
			name := fmt.Sprintf("pack-payment-%s-draft-%t.pdf", d.Language, d.Draft)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o600))
		}
	}
}

// TestPackFill checks that no page of the demo's packs, and of their renderings in one language, is less than a third
// full.
func TestPackFill(t *testing.T) {
	for name, make := range fixtures {
		for _, language := range []string{"", "en", "ar"} {
			d := make(t)
			d.Language = language
			var out bytes.Buffer
			require.NoError(t, PDF(&out, d))
			exporttest.CheckFill(t, "pack-"+name+"-"+language, out.Bytes())
		}
	}
}
