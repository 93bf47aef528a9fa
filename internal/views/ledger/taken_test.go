package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
	message "sanad/internal/words"
)

// What an import warned of is shown in the reader's language, in its direction; an English page has the stored words.
func TestWarningsInBothLanguages(t *testing.T) {
	stored := "a 2024.pdf has no text on 2 of its 30 pages (4, 5): nothing can be found there. If they are scans, run OCR first, or ask the " +
		"operator to install tesseract-ocr, tesseract-ocr-ara, tesseract-ocr-eng and poppler-utils (Debian’s names)."
	for lang, want := range map[string]string{
		"en": `<span dir="ltr" lang="en">` + stored + `</span>`,
		"ar": `<span dir="rtl" lang="ar">في الملف ` + say.Isolated("a 2024.pdf") + ` صفحات لا نص فيها، وهي ` + "٢" + ` من ` +
			"٣٠" + ` (` + "٤" + `، ` + "٥" + `)، فلا يمكن العثور على شيء فيها.`,
	} {
		c := ui.NewChrome(ui.ChromeInput{Lang: lang, Digits: map[string]string{"en": "latn", "ar": "arab"}[lang]})
		p := NewTakenPage(c, "s", true, []domain.Warning{domain.Warn("file", message.Msg("warning_pdf_pages",
			"Name", "a 2024.pdf", "N", 2, "All", 30, "List", message.List{4, 5}))})
		var b strings.Builder
		require.NoError(t, warningList(&p.Chrome, p.Warnings, true).Render(t.Context(), &b))
		require.Contains(t, b.String(), `<bdi class="mono">file</bdi>`)
		require.Contains(t, b.String(), want)
		require.Equal(t, stored, p.Warnings[0].Msg)
	}
}
