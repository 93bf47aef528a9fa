package exporters

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// pdfFormat returns the PDF's row in Formats. It has no golden file, since its bytes would change with Go's compressor;
// TestPDF makes the same checks.
func pdfFormat(t testing.TB) Format {
	t.Helper()
	f, err := FormatByName("pdf")
	require.NoError(t, err)
	return f
}

// pdfTool returns the output of a program that reads PDFs; the tests need it installed.
func pdfTool(t testing.TB, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, "install qpdf and poppler-utils: %s is missing", name)
	out, err := exec.Command(path, args...).CombinedOutput()
	require.NoError(t, err, "%s: %s", name, out)
	return string(out)
}

// pdfFile writes a ledger's PDF and returns its path.
func pdfFile(t testing.TB, l *ledger.Ledger) string {
	t.Helper()
	data, err := pdfFormat(t).Render(l)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "ledger.pdf")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}

// letters returns the letters, digits and marks of s: lines and columns may break anywhere.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, s)
}

// pdfPages returns the text of the English and of the Arabic section.
func pdfPages(t testing.TB, file string) (en, ar string) {
	t.Helper()
	all := pdfTool(t, "pdftotext", file, "-")
	for _, r := range all {
		bad := r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || r >= 0xFB50 && r <= 0xFDCF ||
			r >= 0xFE70 && r < 0xFEFF
		require.False(t, bad, "U+%04X in the text", r)
	}
	for _, page := range strings.Split(all, "\f") {
		if strings.Contains(page, "صفحة") && !strings.Contains(page, "Page ") {
			ar += page
		} else {
			en += page
		}
	}
	return en, ar
}

func TestPDF(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := assess(make())
			file := pdfFile(t, l)
			pdfTool(t, "qpdf", "--check", file)
			checkPDFFonts(t, file)
			checkPDFSource(t, file, l)
			checkPDFAgain(t, file, assess(make()))
			en, ar := pdfPages(t, file)
			for _, id := range []string{"evidence_ledger", "risk_flags", "follow_ups", "actions", "ledger_title",
				"definitions", "scope_title", "annex", "footer_hint", "attached_is"} {
				require.Contains(t, letters(en), letters(pdfLangs[0].t(id)))
				require.Contains(t, letters(ar), letters(pdfLangs[1].t(id)))
			}
			if name == "english" {
				require.Contains(t, ar, "Leave Policy Q&A", "an English title keeps its order in the Arabic section")
			}
			if name == "nasty" {
				return // its text is shown, not obeyed: TestPDFNasty
			}
			for i := range l.Entries {
				claim := l.Entries[i].Claim.Text
				if textLang(claim, "") == "en" {
					require.Contains(t, letters(en), letters(claim))
					require.Contains(t, letters(ar), letters(claim))
				}
				// poppler reads Arabic lines of a table cell in its own order
				for word := range strings.FieldsSeq(claim) {
					require.Contains(t, letters(en), letters(word))
					require.Contains(t, letters(ar), letters(word))
				}
			}
		})
	}
}

// checkPDFAgain checks that writing an equal ledger with its times in another zone gives the same bytes.
func checkPDFAgain(t *testing.T, file string, l *ledger.Ledger) {
	t.Helper()
	l.Session.UpdatedAt = l.Session.UpdatedAt.In(time.FixedZone("Riyadh", 3*60*60))
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	got, err := pdfFormat(t).Render(l)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got), "the same ledger gives the same bytes")
}

// checkPDFFonts checks that every font is embedded, subsetted, and has a CMap to Unicode.
func checkPDFFonts(t *testing.T, file string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(pdfTool(t, "pdffonts", file)), "\n")
	require.Greater(t, len(lines), 2)
	for _, line := range lines[2:] {
		f := strings.Fields(line)
		require.Equal(t, []string{"yes", "yes", "yes"}, f[len(f)-5:len(f)-2], line)
	}
}

// checkPDFSource checks that the file contains the ledger's JSON byte for byte.
func checkPDFSource(t *testing.T, file string, l *ledger.Ledger) {
	t.Helper()
	out := file + ".json"
	pdfTool(t, "pdfdetach", "-save", "1", "-o", out, file)
	got, err := os.ReadFile(out)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, JSON(&want, l))
	require.Equal(t, want.String(), string(got))
}

// TestPDFNasty puts hostile text into every place that takes text, also where values are missing.
func TestPDFNasty(t *testing.T) {
	s := nasty()
	words := s.Claims[0].Text
	s.Claims[4].Reviews[1].Reason, s.Claims[4].Reviews[1].Actor = words+
		"\n\n> q\n\n1. a\n2. **b**\n\n```\nx\n```\n<div>\n\u2067", words
	s.Claims[1].Text = strings.Repeat("طويل", 1000)
	m := &s.Claims[4].Matches[0]
	m.Note, m.Missing, m.Conflicts = words, []string{"",
		words}, []ledger.Conflict{{Kind: "x", Claim: words, Evidence: "\u202e٥"}}
	m.Quote.Kind = "not_placed"
	s.Documents[0].PublishedAt, s.Documents[0].ValidUntil, s.Documents[1].Title, s.Documents[1].Supersedes = "not a date", "2026-13-40", words, "d|1"
	s.Run.Judge, s.Run.Version = words, ""
	file := pdfFile(t, assess(s))
	pdfTool(t, "qpdf", "--check", file)
	en, _ := pdfPages(t, file)
	require.Contains(t, en, "[U+202E]", "bidi controls are shown, not obeyed")
	require.Contains(t, letters(en), letters("javascript:alert(1)"))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "/URI", "nothing is active")
}

// TestPDFEmpty writes an empty ledger.
func TestPDFEmpty(t *testing.T) {
	file := pdfFile(t, assess(&ledger.Session{UpdatedAt: when}))
	pdfTool(t, "qpdf", "--check", file)
	en, ar := pdfPages(t, file)
	require.Contains(t, en, "This session has no claims.")
	require.Contains(t, letters(ar), letters("لا إفادات في هذه الجلسة"))
}
