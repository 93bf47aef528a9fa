package documents

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-pdf/fpdf"
	"github.com/stretchr/testify/require"

	"sanad/fonts"
	"sanad/internal/domain/ledger"
)

var digits = regexp.MustCompile(`[\d.,]+`)

// pdfRows draws tables, one a page, in the order of rows; "right" draws them from right to left. Columns are 120 points
// wide; ruled draws lines around the cells.
func pdfRows(t testing.TB, ruled, fromRight bool, pages ...[]string) []byte {
	t.Helper()
	f := fpdf.New("P", "pt", "A4", "")
	font, err := fonts.TTF.ReadFile("IBMPlexSansArabic-Regular.ttf")
	require.NoError(t, err)
	f.AddUTF8FontFromBytes("plex", "", font)
	for _, rows := range pages {
		f.AddPage()
		f.SetFont("plex", "", 10)
		if fromRight {
			f.RTL()
		}
		for i, row := range rows {
			for k, cell := range strings.Split(row, "|") {
				cell = strings.TrimSpace(cell)
				x, y := 40+130*float64(k), 80+18*float64(i)
				if fromRight {
					cell = digits.ReplaceAllStringFunc(cell, func(s string) string { // RTL would turn them too
						r := []rune(s)
						slices.Reverse(r)
						return string(r)
					})
					x = 555 - 130*float64(k) // it draws to the left from there
				}
				f.Text(x, y, cell)
				if ruled {
					left := 36 + 130*float64(k)
					if fromRight {
						left = 429 - 130*float64(k)
					}
					f.Rect(left, y-12, 130, 18, "D")
				}
			}
		}
	}
	var b bytes.Buffer
	require.NoError(t, f.Output(&b))
	return b.Bytes()
}

func pdfText(t *testing.T, data []byte) ([]string, []ledger.Chunk) {
	t.Helper()
	d := mustRead(t, "a.pdf", data)
	var out []string
	for _, c := range d.Chunks {
		out = append(out, c.Text)
	}
	return out, d.Chunks
}

// TestPDFTables: tables are rows with heads, ruled or not, on each page with its own heads or those of the page before.
func TestPDFTables(t *testing.T) {
	fees := []string{"Table 1: fees", "Card | Fee 2024 | Fee 2025", "Gold | 25 | 30", "Silver | 15 | 18"}
	for _, ruled := range []bool{true, false} {
		got, _ := pdfText(t, pdfRows(t, ruled, false, fees))
		require.Equal(t, []string{"Table 1: fees\n| Card | Fee 2024 | Fee 2025 |\n|---|---|---|\n| Gold | 25 | 30 |\n| Silver | 15 | 18 |"}, got)
	}
	got, _ := pdfText(t, pdfRows(t, false, false, fees, []string{"Card | Fee 2024 | Fee 2025", "Basic | 5 | 6", "Day | 1 | 2"}))
	require.Equal(t, "| Card | Fee 2024 | Fee 2025 |\n|---|---|---|\n| Basic | 5 | 6 |\n| Day | 1 | 2 |", got[1], "heads that are repeated")
	got, chunks := pdfText(t, pdfRows(t, false, false, fees, []string{"Basic | 5 | 6", "Day | 1 | 2"}))
	require.Equal(t, "| Basic | 5 | 6 |\n| Day | 1 | 2 |", got[1], "heads that are not")
	var open ledger.OpenGrid
	open = open.After(chunks[0].Text)
	require.Equal(t, []string{"Card", "Fee 2024", "Fee 2025"}, ledger.Grids(chunks[1].Text, open)[0].Heads())
	got, _ = pdfText(t, pdfRows(t, true, true, []string{"البطاقة | رسوم 2024 | رسوم 2025", "ذهبية | 25 | 30", "فضية | 15 | 18"}))
	require.Equal(t, []string{"| البطاقة | رسوم 2024 | رسوم 2025 |\n|---|---|---|\n| ذهبية | 25 | 30 |\n| فضية | 15 | 18 |"}, got)
}

// TestPDFNoTables: forms, lists of names and values and tables of contents stay lines.
func TestPDFNoTables(t *testing.T) {
	for name, rows := range map[string][]string{
		"form":           {"Name: | Salim | Date:  | 3 May", "Place: | Muscat | Sign: | Ali"},
		"names, values":  {"Purpose | The support of schools", "Term | 12 months", "Notice | 30 days"},
		"contents":       {"1 Introduction | 3", "2 Fees | 9", "3 Complaints | 14"},
		"one row":        {"Left | Middle | Right"},
		"leading points": {"1 Introduction .... | 3 | x", "2 Fees ....... | 9 | y"},
	} {
		got, _ := pdfText(t, pdfRows(t, false, false, rows))
		require.NotContains(t, strings.Join(got, "\n"), "|", name)
	}
}
