package exporters

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

func openXLSX(t *testing.T, data []byte) *excelize.File {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(data))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// rowsOf returns a sheet's cells as they are shown, and stored if raw.
func rowsOf(t *testing.T, f *excelize.File, sheet string, raw bool) [][]string {
	t.Helper()
	rows, err := f.GetRows(sheet, excelize.Options{RawCellValue: raw})
	require.NoError(t, err)
	return rows
}

// TestXLSXGolden holds what each sheet shows, in both languages.
func TestXLSXGolden(t *testing.T) {
	for name, make := range fixtures {
		for _, language := range []Language{English, Arabic} {
			t.Run(name+"/"+string(language), func(t *testing.T) {
				f := openXLSX(t, render(t, "xlsx", exporttest.Assess(make()), language))
				var b strings.Builder
				for _, sheet := range f.GetSheetList() {
					b.WriteString("== " + sheet + "\n")
					for _, row := range rowsOf(t, f, sheet, false) {
						b.WriteString(strings.ReplaceAll(strings.Join(row, "|"), "\n", "⏎") + "\n")
					}
				}
				exporttest.Golden(t, name+"."+string(language)+".xlsx.txt", []byte(b.String()))
			})
		}
	}
}

// TestXLSXIsTheSame: the same ledger gives the same bytes, dated by the ledger.
func TestXLSXIsTheSame(t *testing.T) {
	first := render(t, "xlsx", exporttest.Assess(exporttest.Nasty()), Arabic)
	for range 20 {
		require.True(t, bytes.Equal(first, render(t, "xlsx", exporttest.Assess(exporttest.Nasty()), Arabic)))
	}
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	require.NoError(t, err)
	require.Equal(t, "[Content_Types].xml", r.File[0].Name)
	for _, part := range r.File {
		require.True(t, part.Modified.Equal(exporttest.When), part.Name)
	}
	props, err := openXLSX(t, first).GetDocProps()
	require.NoError(t, err)
	require.Equal(t, "2026-01-03T14:30:00Z", props.Created)
	require.Equal(t, "2026-01-03T14:30:00Z", props.Modified)
	require.Equal(t, "Sanad", props.Creator)
}

// TestXLSXView: each sheet has its head in view and a filter, and runs from the right in Arabic.
func TestXLSXView(t *testing.T) {
	for language, want := range map[Language]string{English: "Claims, Evidence, Reviews, Risk flags",
		Arabic: "الإفادات, الأدلة, المراجعات, مؤشرات المخاطر"} {
		f := openXLSX(t, render(t, "xlsx", exporttest.Assess(exporttest.English()), language))
		require.Equal(t, want, strings.Join(f.GetSheetList(), ", "))
		for _, sheet := range f.GetSheetList() {
			view, err := f.GetSheetView(sheet, 0)
			require.NoError(t, err)
			require.Equal(t, language == Arabic, view.RightToLeft != nil && *view.RightToLeft, sheet)
			panes, err := f.GetPanes(sheet)
			require.NoError(t, err)
			require.True(t, panes.Freeze)
			require.Equal(t, 1, panes.YSplit)
			width, err := f.GetColWidth(sheet, "B")
			require.NoError(t, err)
			require.GreaterOrEqual(t, width, 9.0)
		}
		filters := 0
		for _, name := range f.GetDefinedName() {
			if strings.HasSuffix(name.Name, "_FilterDatabase") {
				filters++
			}
		}
		require.Equal(t, 4, filters)
	}
}

// TestXLSXReadBack: texts are texts whatever they begin with, figures are figures, times are times.
func TestXLSXReadBack(t *testing.T) {
	f := openXLSX(t, render(t, "xlsx", exporttest.Assess(hostileSession()), English))
	shown, stored := rowsOf(t, f, "Claims", false), rowsOf(t, f, "Claims", true)
	require.Len(t, shown, len(hostileTexts)+1)
	at := func(head string) int { return columnOf(t, shown[0], head) }
	for i, words := range hostileTexts {
		for _, head := range []string{"Claim", "Reviewer", "Reviewer’s notes", "Quoted passage", "Claim ID", "Document"} {
			want := visible(words)
			if head == "Document" {
				want = "=cmd|x.pdf"
			}
			require.Equal(t, want, shown[i+1][at(head)], head)
			cell, err := excelize.CoordinatesToCellName(at(head)+1, i+2)
			require.NoError(t, err)
			kind, err := f.GetCellType("Claims", cell)
			require.NoError(t, err)
			require.Equal(t, excelize.CellTypeInlineString, kind)
			formula, err := f.GetCellFormula("Claims", cell)
			require.NoError(t, err)
			require.Empty(t, formula)
		}
		require.Equal(t, "90%", shown[i+1][at("Confidence")])
		require.Equal(t, "0.9", stored[i+1][at("Confidence")])
		require.Equal(t, "2026-01-03 14:30:00", shown[i+1][at("Reviewed at (UTC)")])
		date, err := f.GetCellValue("Claims", "N2", excelize.Options{RawCellValue: true})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(date, "46025.604"), date)
	}
}

// TestXLSXLongTexts: nothing of a text that is longer than a cell is cut.
func TestXLSXLongTexts(t *testing.T) {
	s := exporttest.English()
	s.Claims[1].Text = longText(2*cellLength + 7)
	rows := rowsOf(t, openXLSX(t, render(t, "xlsx", exporttest.Assess(s), Arabic)), "الإفادات", false)
	require.Equal(t, longText(2*cellLength+7), rows[2][1]+rows[2][len(rows[2])-2]+rows[2][len(rows[2])-1])
	require.Equal(t, "الإفادة (تتمة 3)", rows[0][len(rows[0])-1])
}

// TestXLSXSeveralSheets: rows that one sheet has no room for follow on further ones, with the same head.
func TestXLSXSeveralSheets(t *testing.T) {
	book := workbook{file: excelize.NewFile(), language: English, rows: 3, at: exporttest.When}
	require.NoError(t, book.make(manyClaims(5)))
	var b bytes.Buffer
	require.NoError(t, book.write(&b))
	f := openXLSX(t, b.Bytes())
	require.Subset(t, f.GetSheetList(), []string{"Claims", "Claims 2", "Claims 3", "Evidence 3", "Reviews 3", "Risk flags"})
	require.NotContains(t, f.GetSheetList(), "Claims 4")
	var numbers []string
	for _, sheet := range []string{"Claims", "Claims 2", "Claims 3"} {
		rows := rowsOf(t, f, sheet, false)
		require.Equal(t, "No.", rows[0][0])
		for _, row := range rows[1:] {
			numbers = append(numbers, row[0])
		}
	}
	require.Equal(t, []string{"1", "2", "3", "4", "5"}, numbers)
}

// TestFiguresAreThoseOfMarkdown: a table shows a confidence as Markdown does, also where a spreadsheet would round
// otherwise.
func TestFiguresAreThoseOfMarkdown(t *testing.T) {
	for n := range 2001 {
		value := float64(n) / 2000
		s := exporttest.English()
		s.Claims = s.Claims[:1]
		s.Claims[0].Matches[0].Similarity = value
		l := exporttest.Assess(s)
		require.Equal(t, percent(l.Entries[0].Shown()), percent(share(l.Entries[0].Shown()).whole()))
		require.Equal(t, csvField(share(value)), percent(value))
		if n%200 != 7 || !hasConfidence(l.Entries[0].Machine) {
			continue
		}
		rows := rowsOf(t, openXLSX(t, render(t, "xlsx", l, English)), "Claims", false)
		require.Contains(t, verdictLine(&l.Entries[0]), rows[1][columnOf(t, rows[0], "Confidence")])
	}
}

// TestDecisionOfATable: the row says what the newest deciding review says, which is not taken back, and whether it has
// to be looked at again.
func TestDecisionOfATable(t *testing.T) {
	s := exporttest.English()
	review := func(action ledger.Action, v ledger.Verdict, minutes int) ledger.Review {
		return ledger.Review{Actor: "Amal", By: "u1", At: exporttest.When.Add(time.Duration(minutes) * time.Minute),
			Action: action, Verdict: v,
			Reason: string(action)}
	}
	undo := review(ledger.Undo, "", 3)
	undo.Undoes = 2
	s.Claims[0].Reviews = []ledger.Review{review(ledger.Confirm, ledger.Supported, 1),
		review(ledger.Override, ledger.Weak, 2), undo, review(ledger.Comment, "", 4)}
	s.Claims[1].Reviews = []ledger.Review{review(ledger.Override, ledger.Contradicted, 1), review(ledger.Edit, "", 2)}
	s.Claims[1].Reviews[1].Importance = ledger.Minor
	s.Claims[1].Stale = 2
	s.Claims[2].Reviews = []ledger.Review{review(ledger.NeedsEvidence, "", 1)}
	rows := readCSV(t, render(t, "csv", exporttest.Assess(s), English))
	got := func(row int) []string {
		var out []string
		for _, head := range []string{"Verdict", "Judge’s verdict", "Review", "Verdict set in review", "Reviewed at (UTC)",
			"Reviewer’s notes"} {
			out = append(out, rows[row][columnOf(t, rows[0], head)])
		}
		return out
	}
	require.Equal(t, []string{"Supported", "Supported", "Confirmed", "", "2026-01-03 14:31:00", "confirm"}, got(1))
	require.Equal(t, []string{"Contradicted", "Supported", "New verdict, to be re-reviewed", "Contradicted",
		"2026-01-03 14:31:00", "override"}, got(2))
	require.Equal(t, []string{"Weak", "Weak", "Evidence requested", "", "2026-01-03 14:31:00", "needs_evidence"}, got(3))
	require.Equal(t, []string{"Not found", "Not found", "Not reviewed", "", "", ""}, got(4))
}

// TestReviewsOfATable: each review is told with what became of it, and one of an imported ledger with its file.
func TestReviewsOfATable(t *testing.T) {
	l := replaced(t)
	l.Session.Imports = []ledger.Import{{File: "theirs.json", ByName: "Noura", At: exporttest.When}, {ByName: "Noura",
		At: exporttest.When}}
	l.Session.Claims[3].Imported = []ledger.Imported{
		{Reviews: []ledger.ImportedReview{{Actor: "Omar", Role: "inspector", At: exporttest.When, Action: ledger.Override,
			Verdict: ledger.Weak, Reason: "theirs", Batch: "b"}}},
		{Import: 1, Reviews: []ledger.ImportedReview{{Actor: "Omar", At: exporttest.When, Action: ledger.Edit,
			Type:       ledger.Fact,
			Importance: ledger.Minor, Adjudicates: true}}},
	}
	rows := rowsOf(t, openXLSX(t, render(t, "xlsx", l, English)), "Reviews", false)
	var got []string
	for _, row := range rows[1:] {
		got = append(got, strings.Join(row, "|"))
	}
	const at, amal = "2026-01-03 14:30:00", "Amal Haddad|Reviewer|2026-01-03 14:30:00"
	require.Equal(t, []string{
		"1|Comment||||" + amal + "|Read twice.|Based on an earlier judgement",
		"1|Confirmed|Supported|||" + amal + "||to be re-reviewed",
		"3|Confirmed|Weak|||" + amal + "||Based on an earlier judgement",
		"3|New verdict|Not found|||" + amal + "|It is gone.",
		"4|Confirmed|Not found|||" + amal,
		"4|New verdict|Weak|||Omar|inspector|" + at + "|theirs|confirmed in bulk|theirs.json",
		"4|Changed to||Fact|Minor|Omar||" + at + "||settles the difference|a file without a name",
	}, got)
}
