package pdftext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/pdftext"
)

// texts returns the paragraphs of a page.
func texts(p pdftext.Page) []string {
	return each(p.Paragraphs, func(p pdftext.Paragraph) string { return p.Text })
}

// readPage reads a page that a content stream draws.
func readPage(t *testing.T, content string) pdftext.Page {
	t.Helper()
	got, err := pdftext.Read(onPage(content, ""), pdftext.Limits{})
	require.NoError(t, err)
	return got.Pages[0]
}

// show draws words at a place, in the font F.
func show(size, x, y float64, words string) string {
	return fmt.Sprintf("BT /F %g Tf %g %g Td (%s) Tj ET\n", size, x, y, words)
}

// TestStandardFontsHaveTheirWidths: words that are drawn one after the other in a standard font part where they do,
// although the file gives no widths.
func TestStandardFontsHaveTheirWidths(t *testing.T) {
	// Helvetica: "Will it" ends 34.01 points behind its start at 12 points, "mm" is wide, "il" narrow
	content := show(12, 20, 300, "Will it ") + show(12, 20+37.344, 300, "rain? ") + show(12, 20+37.344+33.348, 300, "Mmm.")
	require.Equal(t, []string{"Will it rain? Mmm."}, texts(readPage(t, content)))
}

// TestSymbolsHaveTheirMeaning: the fonts Symbol and ZapfDingbats have encodings of their own.
func TestSymbolsHaveTheirMeaning(t *testing.T) {
	for font, want := range map[string]string{"Symbol": "5 ≤ α ± β", "ZapfDingbats": "✔ ●"} {
		content := map[string]string{"Symbol": `(5 \243 a \261 b) Tj`, "ZapfDingbats": "(4 l) Tj"}[font]
		got, err := pdftext.Read(withFont("<</Type/Font/Subtype/Type1/BaseFont/"+font+">>", "BT /F 12 Tf 10 100 Td "+content+" ET"),
			pdftext.Limits{})
		require.NoError(t, err)
		require.Equal(t, want, pageText(got.Pages[0]))
	}
}

// TestGapsBetweenWords: what parts words is wider than what parts their letters, in the line itself.
func TestGapsBetweenWords(t *testing.T) {
	spread := func(gap, wordGap float64, words ...string) string { // of Courier, whose letters are as wide
		var b strings.Builder
		x := 10.0
		for _, w := range words {
			for _, r := range w {
				b.WriteString(show(10, x, 100, string(r)))
				x += 6 + gap*10
			}
			x += (wordGap - gap) * 10
		}
		return b.String()
	}
	for name, x := range map[string]struct {
		content string
		want    string
	}{
		"tight":              {spread(0, 0.13, "Each", "guest", "signs", "here"), "Each guest signs here"},
		"spaced":             {spread(0.15, 0.5, "ANNUAL", "REPORT"), "ANNUAL REPORT"},
		"letters, no word":   {spread(0.6, 0.6, "A", "B", "C", "D", "E", "F", "G"), "A B C D E F G"},
		"figures, no number": {spread(0.24, 0.24, "1", "2", "3", "4", "5", "6", "7"), "1 2 3 4 5 6 7"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pdftext.Read(withFont("<</Type/Font/Subtype/Type1/BaseFont/Courier>>", x.content), pdftext.Limits{})
			require.NoError(t, err)
			require.Equal(t, x.want, pageText(got.Pages[0]))
		})
	}
}

// TestBlanksOfACell: blanks at the end of a cell that lie over the next one part no letters of it.
func TestBlanksOfACell(t *testing.T) {
	var content string
	for i, r := range [][3]string{{"Ordered", "Sent", "Pieces"}, {"3 May", "18 June", "240"}, {"9 May", "21 June", "1,105"},
		{"2 June", "30 June", "86"}} {
		y := 300 - 15*float64(i)
		content += show(10, 20, y, r[0]+strings.Repeat(" ", 30)) + show(10, 90, y, r[1]+strings.Repeat(" ", 40)) + show(10, 180, y, r[2])
	}
	rows := readPage(t, content).Paragraphs
	require.Equal(t, []string{"Ordered Sent Pieces", "3 May 18 June 240", "9 May 21 June 1,105", "2 June 30 June 86"},
		each(rows, func(p pdftext.Paragraph) string { return p.Text }))
	require.Equal(t, []pdftext.Cell{{Text: "9 May", Columns: 1}, {Text: "21 June", Columns: 1}, {Text: "1,105", Columns: 1}}, rows[2].Cells)
}

// TestSmallLinesBesideALargeOne: two lines beside one in large type keep their letters.
func TestSmallLinesBesideALargeOne(t *testing.T) {
	got := readPage(t, show(28, 20, 300, "Room rate")+show(9, 200, 309, "74 euros")+show(9, 200, 298, "a night, taxes included"))
	require.Equal(t, []string{"Room rate", "74 euros", "a night, taxes included"}, texts(got))
}

// TestRaisedLetters: figures that stand raised or lowered are between signs, also behind each other.
func TestRaisedLetters(t *testing.T) {
	got := readPage(t, show(12, 20, 300, "within 60")+show(7, 67.4, 305, "4")+show(12, 75, 300, "days, and CO")+
		show(7, 148.4, 297, "2")+show(12, 156, 300, "too"))
	require.Equal(t, []string{"within 60\ufdd04\ufdd3 days, and CO\ufdd22\ufdd3 too"}, texts(got))
}

// TestCloseHeads: the heads of narrow columns part where their figures do, with and without rules, and a cell that
// fills its column parts from the next one.
func TestCloseHeads(t *testing.T) {
	rows := [][4]string{{"Ward", "2019", "2020", "2021"}, {"North of the river, with the islands", "31", "28", "40"}, {"East", "7", "", "9"},
		{"South", "112", "120", "95"}}
	at := [4]float64{20, 198, 230, 262}
	for _, ruled := range []bool{false, true} {
		t.Run(fmt.Sprint("ruled ", ruled), func(t *testing.T) {
			content := ""
			for i, r := range rows {
				y := 300 - 16*float64(i)
				for k, cell := range r {
					content += show(10, at[k], y, cell)
					if ruled {
						content += fmt.Sprintf("%g %g 0.8 16 re f\n", at[k]-5, y-5)
					}
				}
			}
			got := readPage(t, content).Paragraphs
			require.Len(t, got, 4)
			for i, r := range rows {
				require.Len(t, got[i].Cells, 4, "%v", got[i])
				for k, c := range got[i].Cells {
					require.Equal(t, pdftext.Cell{Text: r[k], Columns: 1}, c)
				}
			}
		})
	}
	// a rule parts even what stands close, and a text set wide is none of a table
	got := readPage(t, show(10, 20, 300, "Rent")+show(10, 44, 300, "650")+"42.5 270 0 50 re 42.5 265 m 42.5 320 l S\n"+
		show(10, 20, 284, "Heat")+show(10, 44, 284, "80"))
	require.Equal(t, "650", got.Paragraphs[0].Cells[1].Text)
	got = readPage(t, show(10, 20, 300, "One may walk")+show(10, 90, 300, "here all day.")+show(10, 20, 286, "Dogs are kept")+
		show(10, 92, 286, "on a leash."))
	require.Zero(t, got.Paragraphs[0].Table)
}

// TestTableBetweenRules: a cell of several lines stays whole in its row, in whatever order the cells are drawn; one
// over several columns or rows covers them.
func TestTableBetweenRules(t *testing.T) {
	content := "20 300 300 20 re S 20 260 300 40 re S 20 220 300 40 re S 140 220 m 140 300 l S 230 240 m 230 320 l S 140 240 m 320 240 l S\n" +
		show(10, 240, 306, "Per night") + show(10, 24, 306, "Room and what is in it") +
		show(10, 24, 288, "Double, with a") + show(10, 24, 276, "bath and a view") + show(10, 24, 264, "of the lake") +
		show(10, 144, 288, "two people") + show(10, 234, 288, "from 90") + show(10, 234, 276, "euros on") +
		show(10, 24, 248, "Single") + show(10, 144, 248, "one") + show(10, 234, 248, "60 euros") +
		show(10, 144, 228, "a child free") + show(10, 20, 150, "After the table.")
	got := readPage(t, content).Paragraphs
	require.Equal(t, []string{"Room and what is in it Per night", "Double, with a bath and a view of the lake two people from 90 euros on",
		"Single one 60 euros", "Single a child free", "After the table."}, each(got, func(p pdftext.Paragraph) string { return p.Text }))
	require.Equal(t, []pdftext.Cell{{Text: "Room and what is in it", Columns: 2}, {Text: "Per night", Columns: 1}}, got[0].Cells)
	require.Equal(t, []pdftext.Cell{{Text: "Double, with a bath and a view of the lake", Columns: 1}, {Text: "two people", Columns: 1},
		{Text: "from 90 euros on", Columns: 1}}, got[1].Cells)
	require.Equal(t, []pdftext.Cell{{Text: "Single", Columns: 1}, {Text: "a child free", Columns: 2}}, got[3].Cells)
	require.Equal(t, []int{1, 1, 1, 1, 0}, each(got, func(p pdftext.Paragraph) int { return p.Table }))

	// a frame around a page is no table
	got = readPage(t, "10 10 380 380 re S 10 350 380 40 re S 200 10 m 200 390 l S "+show(10, 20, 300, "Some words in a frame.")).Paragraphs
	require.Zero(t, got[0].Table)
}

// TestTableDrawnByColumns: figures that are drawn column by column are read in their rows.
func TestTableDrawnByColumns(t *testing.T) {
	content := ""
	columns := [][]string{{"Apples", "Pears", "Plums", "Figs", "Dates"}, {"12.50", "8.00", "31.75", "4.10", "90.00"}, {"3", "5", "7", "11", "13"}}
	for k, column := range columns {
		for i, cell := range column {
			content += show(10, 20+90*float64(k), 300-16*float64(i), cell)
		}
	}
	require.Equal(t, []string{"Apples 12.50 3", "Pears 8.00 5", "Plums 31.75 7", "Figs 4.10 11", "Dates 90.00 13"}, texts(readPage(t, content)))
}

// TestRangesInArabicText: a range is read from right to left, as it is written; what joins a number is not turned.
// Chromium printed the file from the text beside it.
func TestRangesInArabicText(t *testing.T) {
	got, err := pdftext.Read(fixture(t, "chromium.ranges.ar"), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, strings.Join(words(t, "ranges.ar")[0], " "), pageText(got.Pages[0]))
}

// TestHyphensAtLineEnds: a hyphen goes where it does not belong to the word, as the file's own words tell.
func TestHyphensAtLineEnds(t *testing.T) {
	for _, x := range [][3]string{
		{"The committee re-", "views the budget.", "The committee reviews the budget."},
		{"The committee decides on a long-", "term plan.", "The committee decides on a long-term plan."},
		{"The member states agree, every member-", "state pays.", "The member states agree, every member-state pays."},
		{"A state-of-the-", "art kitchen was bought.", "A state-of-the-art kitchen was bought."},
		{"The pre-", "and postnatal care is free.", "The pre- and postnatal care is free."},
		{"The office of Smith-", "Jones is closed.", "The office of Smith-Jones is closed."},
		{"A cooperation; the cooper-", "ation ended.", "A cooperation; the cooperation ended."},
	} {
		more := show(12, 20, 200, "The state has a member.")
		require.Equal(t, x[2], texts(readPage(t, show(12, 20, 300, x[0])+show(12, 20, 286, x[1])+more))[0])
	}
}

// pagesOf returns a PDF of pages.
func pagesOf(contents ...string) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
	kids := ""
	for _, c := range contents {
		n := len(objects) + 1
		kids += fmt.Sprintf("%d 0 R ", n)
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>",
			n+1), fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(c), c))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids, len(contents))
	return file(objects...)
}

// TestSentencesOverPages: a sentence that goes on on the next page is read whole, where it begins; running heads and
// feet are parts of their own, once, and the numbers of the pages are left out.
func TestSentencesOverPages(t *testing.T) {
	frame := func(n int) string {
		return show(9, 20, 385, "Rules of the library") + show(9, 180, 15, fmt.Sprintf("Page %d of 3", n))
	}
	got, err := pdftext.Read(pagesOf(
		frame(1)+show(12, 20, 340, "1. Books.")+show(12, 20, 60, "A reader may borrow up to seven books for"),
		frame(2)+show(12, 20, 340, "three weeks. Maps stay in the reading room.")+show(12, 20, 60, "The fee is paid at the desk."),
		frame(3)+show(12, 20, 340, "Nobody eats here."),
	), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, []pdftext.Paragraph{{Text: "Rules of the library", Part: pdftext.Head}, {Text: "1. Books."},
		{Text: "A reader may borrow up to seven books for three weeks."}}, got.Pages[0].Paragraphs)
	require.Equal(t, []string{"Maps stay in the reading room.", "The fee is paid at the desk."}, texts(got.Pages[1]))
	require.Equal(t, []string{"Nobody eats here."}, texts(got.Pages[2]))
}

// TestWholePageMoves: a page whose words all belong to the page before is not without words.
func TestWholePageMoves(t *testing.T) {
	got, err := pdftext.Read(pagesOf(show(12, 20, 60, "The key is kept by the"), show(12, 20, 340, "porter of the house.")), pdftext.Limits{})
	require.NoError(t, err)
	require.Equal(t, []string{"The key is kept by the porter of the house."}, texts(got.Pages[0]))
	require.Empty(t, got.Pages[1].Paragraphs)
	require.True(t, got.Pages[1].Moved)
}

// TestNoRunningHeads: what differs from page to page by more than the page's number, and what stands in the text,
// stays.
func TestNoRunningHeads(t *testing.T) {
	var pages []string
	for i, name := range []string{"Aida", "Basil", "Chloe"} {
		pages = append(pages, show(12, 20, 380, fmt.Sprintf("Invoice %d", 700+13*i))+show(12, 20, 366, "To: "+name)+
			show(12, 20, 352, "Please pay within ten days."))
	}
	got, err := pdftext.Read(pagesOf(pages...), pdftext.Limits{})
	require.NoError(t, err)
	for i, p := range got.Pages {
		require.Contains(t, pageText(p), fmt.Sprintf("Invoice %d", 700+13*i))
		require.Contains(t, pageText(p), "Please pay within ten days.")
	}
}

// TestColumnsGoOn: a sentence at the end of a column goes on at the top of the next one.
func TestColumnsGoOn(t *testing.T) {
	content := ""
	for i := range 8 {
		content += show(8, 20, 300-10*float64(i), fmt.Sprintf("left column line %d with words that run", i+1))
	}
	for i := range 8 {
		content += show(8, 220, 300-10*float64(i), fmt.Sprintf("right column line %d with words that run", i+1))
	}
	require.Contains(t, pageText(readPage(t, content)), "left column line 8 with words that run right column line 1")
	require.Len(t, readPage(t, content).Paragraphs, 1)
}

// TestFieldsAndNotes: what somebody filled in is read where it stands, as it looks; notes and remarks are parts of
// their own.
func TestFieldsAndNotes(t *testing.T) {
	field := func(dict string) string {
		return "<</Type/Annot/Subtype/Widget/Rect[120 296 200 312]/DA(/F 12 Tf 0 g)" + dict + ">>"
	}
	look := func(s string) string {
		s = "/Tx BMC BT /F 12 Tf 2 4 Td (" + s + ") Tj ET EMC"
		return fmt.Sprintf("<</Subtype/Form/BBox[0 0 80 16]/Resources<</Font<</F 5 0 R>>>>/Length %d>>stream\n%s\nendstream", len(s), s)
	}
	for name, x := range map[string]struct {
		annotation, look string
		want             []pdftext.Paragraph
	}{
		"a value": {field("/FT/Tx/V(1,250)"), "", []pdftext.Paragraph{{Text: "Deposit in euros: 1,250 at once"}}},
		"a value in UTF-16": {field("/FT/Tx/V<FEFF0661066200660066>"), "",
			[]pdftext.Paragraph{{Text: "Deposit in euros: ١٢ff at once"}}},
		"as it looks":          {field("/FT/Tx/V(1250)/AP<</N 10 0 R>>"), look("1,250.00"), []pdftext.Paragraph{{Text: "Deposit in euros: 1,250.00 at once"}}},
		"spread over a comb":   {field("/FT/Tx/V(4711)/AP<</N 10 0 R>>"), look("4  7  1  1"), []pdftext.Paragraph{{Text: "Deposit in euros: 4711 at once"}}},
		"inherited":            {field("/Parent 10 0 R"), "<</FT/Tx/V(80)>>", []pdftext.Paragraph{{Text: "Deposit in euros: 80 at once"}}},
		"a choice":             {field("/FT/Ch/V(a)/Opt[[(a)(one month)][(b)(two months)]]"), "", []pdftext.Paragraph{{Text: "Deposit in euros: one month at once"}}},
		"a box that is ticked": {field("/FT/Btn/AS/Yes"), "", []pdftext.Paragraph{{Text: "Deposit in euros: ☒ at once"}}},
		"one that is not":      {field("/FT/Btn/AS/Off"), "", []pdftext.Paragraph{{Text: "Deposit in euros: ☐ at once"}}},
		"hidden":               {field("/FT/Tx/V(900)/F 2"), "", []pdftext.Paragraph{{Text: "Deposit in euros: at once"}}},
		"a password":           {field("/FT/Tx/Ff 8192/V(secret)"), "", []pdftext.Paragraph{{Text: "Deposit in euros: at once"}}},
		"a note": {"<</Type/Annot/Subtype/FreeText/Rect[20 100 200 120]/Contents(Paid on 3 March.)>>", "",
			[]pdftext.Paragraph{{Text: "Paid on 3 March.", Part: pdftext.Remark}, {Text: "Deposit in euros: at once"}}},
		"a remark": {"<</Type/Annot/Subtype/Text/Rect[20 100 40 120]/Contents(Ask Sam first.)>>", "",
			[]pdftext.Paragraph{{Text: "Ask Sam first.", Part: pdftext.Comment}, {Text: "Deposit in euros: at once"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pdftext.Read(onPage(show(12, 20, 300, "Deposit in euros:")+show(12, 210, 300, "at once"), "/Annots[9 0 R]",
				x.annotation, x.look), pdftext.Limits{})
			require.NoError(t, err)
			plain := each(got.Pages[0].Paragraphs, func(p pdftext.Paragraph) pdftext.Paragraph {
				return pdftext.Paragraph{Text: p.Text, Part: p.Part}
			})
			require.Equal(t, x.want, plain)
		})
	}
}

// TestTablesWithoutRules: cells of several lines, each drawn as a whole, are cells of their rows; heads that stand
// close are apart. Columns of text stay columns.
func TestTablesWithoutRules(t *testing.T) {
	draw := func(x float64, y float64, lines ...string) (s string) {
		for i, l := range lines {
			s += fmt.Sprintf("BT /F 10 Tf %g %g Td (%s) Tj ET ", x, y-12*float64(i), l)
		}
		return s
	}
	for name, x := range map[string]struct {
		content string
		rows    []string
	}{
		"cell by cell": {draw(20, 380, "Guest") + draw(150, 380, "Room") + draw(300, 380, "Rials") +
			draw(20, 362, "Children who are not", "yet at school") + draw(150, 362, "Beside that of", "their parents") + draw(300, 362, "35") +
			draw(20, 332, "Dogs") + draw(150, 332, "Yard") + draw(300, 332, "0") +
			draw(20, 314, "Players of loud", "instruments") + draw(150, 314, "Attic") + draw(300, 314, "90") + draw(20, 270, "So says the host."),
			[]string{"Guest|Room|Rials", "Children who are not yet at school|Beside that of their parents|35", "Dogs|Yard|0",
				"Players of loud instruments|Attic|90"}},
		"close heads": {draw(20, 380, "Guest") + draw(120, 380, "2031") + draw(145, 380, "2032") + draw(170, 380, "2033") +
			draw(20, 364, "Cats") + draw(120, 364, "10") + draw(145, 364, "20") + draw(170, 364, "30") +
			draw(20, 348, "Dogs") + draw(120, 348, "11") + draw(170, 348, "31"),
			[]string{"Guest|2031|2032|2033", "Cats|10|20|30", "Dogs|11||31"}},
		"columns of text": {draw(20, 380, "The house stands at the lake", "and has a garden, in which", "no guest was ever seen.") +
			draw(220, 380, "The garden has a gate that", "nobody has opened since the", "host went away in autumn."), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := pdftext.Read(onPage(x.content, ""), pdftext.Limits{})
			require.NoError(t, err)
			var rows []string
			for _, p := range got.Pages[0].Paragraphs {
				var cells []string
				for _, c := range p.Cells {
					cells = append(cells, c.Text)
				}
				if p.Table > 0 {
					rows = append(rows, strings.Join(cells, "|"))
				}
			}
			require.Equal(t, x.rows, rows)
		})
	}
}
