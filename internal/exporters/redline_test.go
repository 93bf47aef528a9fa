package exporters

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text/redline"
	"sanad/internal/exporters/exporttest"
)

// TestRedlinePDF writes what changed in an English and in an Arabic text, in the words of either language: each file is a
// valid PDF/A that has what was removed and what was added, and is the same to the byte.
func TestRedlinePDF(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 3, 14, 30, 0, 0, time.UTC)
	for _, lang := range []string{"en", "ar"} {
		r := Redline{Title: "Leave policy", Language: lang,
			Versions: [2]RedlineVersion{{Name: "Version 1", At: at}, {Name: "Version 2", At: at.AddDate(0, 1, 0)}},
			Parts: []RedlinePart{
				{Heading: "Answer", Older: "Staff get 15 days of leave.\n\nVisitors wear a badge.",
					Newer: "Staff get 20 days of leave.\n\nVisitors wear a badge."},
				{Heading: "الإجابة", Older: "يستحق الموظف إجازة سنوية مدتها ١٥ يومًا.", Newer: "يستحق الموظف إجازة سنوية مدتها ٢٠ يومًا مدفوعة."},
				{Heading: "Pages", Said: []string{"Only the beginning."}, Shown: []RedlineShown{{LeftOut: "7 paragraphs unchanged"},
					{Place: "Page 4 · Fees", Pieces: redline.Paragraph{{Op: redline.Kept, Text: "The fee is "}, {Op: redline.Added, Text: "doubled."}}}}},
			}}
		var out, again bytes.Buffer
		require.NoError(t, RedlinePDF(&out, &r))
		require.NoError(t, RedlinePDF(&again, &r))
		require.True(t, bytes.Equal(out.Bytes(), again.Bytes()))
		file := filepath.Join(t.TempDir(), "redline.pdf")
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
		exporttest.Tool(t, "qpdf", "--check", file)
		exporttest.CheckFonts(t, file)
		text := exporttest.Letters(exporttest.Tool(t, "pdftotext", file, "-"))
		for _, said := range []string{"15", "20", "Visitors wear a badge", "Leave policy", "مدفوعة",
			"Only the beginning.", "paragraphs unchanged", "Page 4 · Fees", "The fee is doubled."} {
			require.Contains(t, text, exporttest.Letters(said), lang)
		}
		require.Equal(t, lang == "en", strings.Contains(text, exporttest.Letters("struck through")), lang)
	}
}
