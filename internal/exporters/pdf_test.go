package exporters

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// pdfFormat returns the PDF's row in Formats. It has no golden file, since its bytes would change with Go's compressor;
// TestPDF makes the same checks.
func pdfFormat(t testing.TB) Format {
	t.Helper()
	f, err := FormatByName("pdf")
	require.NoError(t, err)
	return f
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

func TestPDF(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := exporttest.Assess(make())
			file := pdfFile(t, l)
			exporttest.Tool(t, "qpdf", "--check", file)
			exporttest.CheckFonts(t, file)
			checkPDFSource(t, file, l)
			checkPDFAgain(t, file, exporttest.Assess(make()))
			en, ar := exporttest.Pages(t, file)
			for _, id := range []string{"evidence_ledger", "risk_flags", "follow_ups", "actions", "ledger_title",
				"definitions", "scope_title", "annex", "footer_hint", "attached_is"} {
				require.Contains(t, exporttest.Letters(en), exporttest.Letters(prose.Langs[0].T(id)))
				require.Contains(t, exporttest.Letters(ar), exporttest.Letters(prose.Langs[1].T(id)))
			}
			if name == "english" {
				require.Contains(t, ar, "Leave Policy Q&A", "an English title keeps its order in the Arabic section")
			}
			if name == "nasty" {
				return // its text is shown, not obeyed: TestPDFNasty
			}
			for i := range l.Entries {
				claim := l.Entries[i].Claim.Text
				if prose.TextLang(claim, "") == "en" {
					require.Contains(t, exporttest.Letters(en), exporttest.Letters(claim))
					require.Contains(t, exporttest.Letters(ar), exporttest.Letters(claim))
				}
				// poppler reads Arabic lines of a table cell in its own order
				for word := range strings.FieldsSeq(claim) {
					require.Contains(t, exporttest.Letters(en), exporttest.Letters(word))
					require.Contains(t, exporttest.Letters(ar), exporttest.Letters(word))
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

// checkPDFSource checks that the file contains the ledger's JSON byte for byte.
func checkPDFSource(t *testing.T, file string, l *ledger.Ledger) {
	t.Helper()
	out := file + ".json"
	exporttest.Tool(t, "pdfdetach", "-save", "1", "-o", out, file)
	got, err := os.ReadFile(out)
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, JSON(&want, l))
	require.Equal(t, want.String(), string(got))
}

// TestPDFNasty puts hostile text into every place that takes text, also where values are missing.
func TestPDFNasty(t *testing.T) {
	s := exporttest.Nasty()
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
	file := pdfFile(t, exporttest.Assess(s))
	exporttest.Tool(t, "qpdf", "--check", file)
	en, _ := exporttest.Pages(t, file)
	require.Contains(t, en, "[U+202E]", "bidi controls are shown, not obeyed")
	require.Contains(t, exporttest.Letters(en), exporttest.Letters("javascript:alert(1)"))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "/URI", "nothing is active")
}

// TestPDFEmpty writes an empty ledger.
func TestPDFEmpty(t *testing.T) {
	file := pdfFile(t, exporttest.Assess(&ledger.Session{UpdatedAt: exporttest.When}))
	exporttest.Tool(t, "qpdf", "--check", file)
	en, ar := exporttest.Pages(t, file)
	require.Contains(t, en, "This session has no claims.")
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters("لا إفادات في هذه الجلسة"))
}
