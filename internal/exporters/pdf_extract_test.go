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
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// TestPDFExtract checks that the text of both sections has every claim's number, text, verdict and quotation.
func TestPDFExtract(t *testing.T) {
	l := exporttest.Board(60)
	en, second := exporttest.Pages(t, pdfFile(t, l))
	requireEvidenceOnce(t, l, exporttest.Letters(second))
	ar := arabicPages(t, l)
	for i, section := range []string{en, ar} {
		lang, plain := &prose.Langs[i], exporttest.Letters(section)
		section = exporttest.BidiControls.ReplaceAllString(section, "")
		verdicts := map[ledger.Verdict]int{}
		for j := range l.Entries {
			e := &l.Entries[j]
			verdicts[e.Verdict]++
			n := strconv.Itoa(e.Claim.Number())
			require.True(t, regexp.MustCompile(`(?m)(^|\s)`+n+`(\s|$)`).MatchString(section), "%s: number %s",
				lang.Code, n)
			exporttest.RequireWords(t, lang, plain, e.Claim.Text)
			if quotes(e) {
				exporttest.RequireWords(t, lang, plain, prose.Clipped(e.Best.Snippet, pdfShortLength))
			}
			for _, r := range e.Claim.Reviews {
				exporttest.RequireWords(t, lang, plain, lang.Date(r.At))
				exporttest.RequireWords(t, lang, plain, r.Actor)
				exporttest.RequireWords(t, lang, plain, r.Reason)
			}
		}
		for v, n := range verdicts {
			require.GreaterOrEqual(t, strings.Count(plain, exporttest.Letters(lang.Verdict(v))), n, "%s %s", lang.Code, v)
		}
	}
}

// requireEvidenceOnce checks that the second part of a document names every claim and has no quotation again, but says
// where they are.
func requireEvidenceOnce(t *testing.T, l *ledger.Ledger, second string) {
	t.Helper()
	require.Contains(t, second, exporttest.Letters(prose.Langs[1].T("evidence_there", "N", "9", "Language",
		prose.Langs[1].T("language_en"))))
	quoted := 0
	for i := range l.Entries {
		e := &l.Entries[i]
		if prose.TextLang(e.Claim.Text, "") == "en" {
			require.Contains(t, second, exporttest.Letters(prose.Clipped(e.Claim.Text, pdfShortLength)))
		}
		if quotes(e) && prose.TextLang(e.Best.Snippet, "") == "en" {
			quoted++
			require.NotContains(t, second, exporttest.Letters(e.Best.Snippet))
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
	_, ar := exporttest.Pages(t, file)
	return ar
}
