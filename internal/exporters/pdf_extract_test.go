package exporters

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// bidiControls are the controls that poppler puts around stretches of the other direction.
var bidiControls = regexp.MustCompile(`[\x{202A}-\x{202E}\x{2066}-\x{2069}]`)

// TestPDFExtract checks that the text of both sections has every claim's number, text, verdict and quotation.
func TestPDFExtract(t *testing.T) {
	l := board(60)
	en, second := pdfPages(t, pdfFile(t, l))
	requireEvidenceOnce(t, l, letters(second))
	ar := arabicPages(t, l)
	for i, section := range []string{en, ar} {
		lang, plain := &pdfLangs[i], letters(section)
		section = bidiControls.ReplaceAllString(section, "")
		verdicts := map[ledger.Verdict]int{}
		for j := range l.Entries {
			e := &l.Entries[j]
			verdicts[e.Verdict]++
			n := strconv.Itoa(e.Claim.Number())
			require.True(t, regexp.MustCompile(`(?m)(^|\s)`+n+`(\s|$)`).MatchString(section), "%s: number %s",
				lang.code, n)
			requireWords(t, lang, plain, e.Claim.Text)
			if quotes(e) {
				requireWords(t, lang, plain, clipped(e.Best.Snippet, pdfShortLength))
			}
			for _, r := range e.Claim.Reviews {
				requireWords(t, lang, plain, lang.date(r.At))
				requireWords(t, lang, plain, r.Actor)
				requireWords(t, lang, plain, r.Reason)
			}
		}
		for v, n := range verdicts {
			require.GreaterOrEqual(t, strings.Count(plain, letters(lang.verdict(v))), n, "%s %s", lang.code, v)
		}
	}
}

// requireEvidenceOnce checks that the second part of a document names every claim and has no quotation again, but says
// where they are.
func requireEvidenceOnce(t *testing.T, l *ledger.Ledger, second string) {
	t.Helper()
	require.Contains(t, second, letters(pdfLangs[1].t("evidence_there", "N", "9", "Language", pdfLangs[1].t("language_en"))))
	quoted := 0
	for i := range l.Entries {
		e := &l.Entries[i]
		if textLang(e.Claim.Text, "") == "en" {
			require.Contains(t, second, letters(clipped(e.Claim.Text, pdfShortLength)))
		}
		if quotes(e) && textLang(e.Best.Snippet, "") == "en" {
			quoted++
			require.NotContains(t, second, letters(e.Best.Snippet))
		}
	}
	require.Positive(t, quoted)
}

// arabicPages returns the text of a ledger's document in Arabic alone.
func arabicPages(t *testing.T, l *ledger.Ledger) string {
	t.Helper()
	data, err := pdfFormat(t).RenderIn(l, Arabic)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "arabic.pdf")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	_, ar := pdfPages(t, file)
	return ar
}

// requireWords checks that the English section has an English text in one piece, and any other text word by word:
// poppler reorders the lines of table cells on Arabic pages, and Arabic lines on all pages.
func requireWords(t *testing.T, lang *pdfLang, plain, text string) {
	t.Helper()
	if lang.code == "en" && textLang(text, "") == "en" {
		require.Contains(t, plain, letters(text), text)
	}
	for word := range strings.FieldsSeq(text) {
		require.Contains(t, plain, letters(word), "%s: %s in %s", lang.code, word, text)
	}
}

func TestTextLang(t *testing.T) {
	for _, x := range []struct{ text, belongs, want string }{
		{"", "ar", ""},
		{"42 (7%)", "ar", ""},
		{"Staff get 15 days", "ar", "en"},
		{"يستحق الموظف ١٥ يومًا", "en", "ar"},
		{"يجب تطبيق ISO 27001 سنويًا", "en", "ar"},
		{"The Arabic text provides that «تُحفظ البيانات داخل المملكة العربية السعودية»", "en", "en"},
		{"The Arabic text provides that «تُحفظ البيانات»", "", "en"},
		{"IFRS 9 في الخليج", "ar-SA", "ar"},
		{"IFRS 9 في الخليج", "fr", "en"},
		{"«تُحفظ البيانات» says the Arabic text", "en-GB", "en"},
	} {
		require.Equal(t, x.want, textLang(x.text, x.belongs), x.text)
	}
}
