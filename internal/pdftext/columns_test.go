package pdftext_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-pdf/fpdf"
	"github.com/stretchr/testify/require"

	"sanad/internal/pdftext"
)

// sheetOf is a page that a test draws, in points.
type sheetOf struct {
	*fpdf.Fpdf
	rtl bool
}

func newSheet(t testing.TB, rtl bool) *sheetOf {
	t.Helper()
	f := fpdf.New("P", "pt", "A4", "")
	font, err := os.ReadFile("../../fonts/IBMPlexSansArabic-Regular.ttf")
	require.NoError(t, err)
	f.AddUTF8FontFromBytes("arabic", "", font)
	s := &sheetOf{Fpdf: f, rtl: rtl}
	s.page()
	return s
}

func (s *sheetOf) page() {
	s.AddPage()
	if s.rtl {
		s.SetFont("arabic", "", 10)
		s.RTL()
	} else {
		s.SetFont("Helvetica", "", 10)
	}
}

// at draws words from the left of a column, or from its right for Arabic.
func (s *sheetOf) at(x, y float64, words string) {
	s.Text(x, y, words)
}

func (s *sheetOf) read(t testing.TB) (*pdftext.Text, []byte) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, s.Output(&b))
	got, err := pdftext.Read(b.Bytes(), pdftext.Limits{})
	require.NoError(t, err)
	return got, b.Bytes()
}

// prose is n lines that fill a column of some 210 points.
func prose(name string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s line %d of the running text here", name, i+1))
	}
	return out
}

// order returns the places of words in a page's text, which must be there.
func order(t *testing.T, page pdftext.Page, words ...string) []int {
	t.Helper()
	text := pageText(page)
	var out []int
	for _, w := range words {
		require.Contains(t, text, w)
		out = append(out, strings.Index(text, w))
	}
	return out
}

// TestColumnsAreReadOneByOne: columns that are drawn line by line across are read one after the other, between what
// stands across them.
func TestColumnsAreReadOneByOne(t *testing.T) {
	for _, byLine := range []bool{true, false} {
		s := newSheet(t, false)
		s.at(60, 60, "A heading that goes across both of the columns of this page, from the left to the right side of it")
		a, b := prose("Left", 14), prose("Right", 14)
		for i := range a {
			s.at(60, 100+13*float64(i), a[i])
			if byLine {
				s.at(310, 100+13*float64(i), b[i])
			}
		}
		for i := range b {
			if !byLine {
				s.at(310, 100+13*float64(i), b[i])
			}
		}
		s.at(60, 330, "Figure 1 stands across both columns, with a caption that is as wide as the page of this paper is")
		a2, b2 := prose("Low left", 9), prose("Low right", 9)
		for i := range a2 {
			s.at(60, 370+13*float64(i), a2[i])
			s.at(310, 370+13*float64(i), b2[i])
		}
		s.at(290, 800, "17")
		got, data := s.read(t)
		places := order(t, got.Pages[0], "A heading", "Left line 1 ", "Left line 14", "Right line 1 ", "Right line 14", "Figure 1",
			"Low left line 1 ", "Low left line 9", "Low right line 1 ", "Low right line 9", " 17")
		require.IsIncreasing(t, places, "by line: %v\n%s", byLine, pageText(got.Pages[0]))
		theirs := order(t, poppler(t, data).Pages[0], "Left line 14", "Right line 1 ", "Figure 1", "Low left line 9", "Low right line 1 ")
		require.IsIncreasing(t, theirs, "pdftotext agrees")
	}
}

// TestThreeColumns: gutters are found within columns too; lines need not stand on common baselines.
func TestThreeColumns(t *testing.T) {
	s := newSheet(t, false)
	for i := range 12 {
		for k, x := range []float64{40, 220, 400} {
			s.at(x, 100+float64(k)*4+12.5*float64(i), fmt.Sprintf("Column %d line %d of the text here", k+1, i+1))
		}
	}
	got, _ := s.read(t)
	require.IsIncreasing(t, order(t, got.Pages[0], "Column 1 line 1 ", "Column 1 line 12", "Column 2 line 1 ", "Column 2 line 12",
		"Column 3 line 1 ", "Column 3 line 12"), pageText(got.Pages[0]))
}

// TestArabicColumns: the right column is read first.
func TestArabicColumns(t *testing.T) {
	s := newSheet(t, true)
	for i := range 10 {
		s.at(285, 100+14*float64(i), fmt.Sprintf("العمود الأيسر وفيه السطر %d من النص المتصل", i+11))
		s.at(540, 100+14*float64(i), fmt.Sprintf("العمود الأيمن وفيه السطر %d من النص المتصل", i+11))
	}
	got, _ := s.read(t)
	text := pageText(got.Pages[0])
	require.Equal(t, 10, strings.Count(text, "الأيمن"), text)
	require.Greater(t, strings.Index(text, "الأيسر"), strings.LastIndex(text, "الأيمن"), text)
}

// TestWideGapsAreNoColumns: a form, a table of contents, and tables are read line by line.
func TestWideGapsAreNoColumns(t *testing.T) {
	for name, rows := range map[string][2][]string{
		"form": {{"Name:", "Date of birth:", "Nationality:", "Passport number:", "Place of issue:", "Telephone:", "Address:", "Employer:"},
			{"Salim Al Harthy", "3 May 1990", "Omani", "A1234567", "Muscat", "+968 99 000 000", "House 12, Way 2231, Al Khuwair", "none"}},
		"contents": {{"1 Introduction and purpose of the report", "2 What the law says of annual leave", "3 Fees for the cards of members",
			"4 How to file a complaint with us", "5 The members of the committee", "6 Sources and literature used", "7 Index of all the terms"},
			{"3", "5", "9", "14", "20", "31", "44"}},
		"long values": {{"Purpose", "Scope", "Term", "Fees", "Notice", "Law", "Place", "Costs"},
			prose("A long value here and its", 8)},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSheet(t, false)
			for i := range rows[0] {
				s.at(60, 100+16*float64(i), rows[0][i])
				s.at(330, 100+16*float64(i), rows[1][i])
			}
			got, _ := s.read(t)
			require.Len(t, got.Pages[0].Paragraphs, len(rows[0]))
			for i, p := range got.Pages[0].Paragraphs {
				require.Equal(t, rows[0][i]+" "+rows[1][i], p.Text)
			}
		})
	}
}

// TestColumnsAreCounted: looking for columns takes steps, and a page of many pieces is read in bounded time.
func TestColumnsAreCounted(t *testing.T) {
	s := newSheet(t, false)
	for i := range 60 {
		for k := range 12 {
			s.at(20+48*float64(k), 20+13*float64(i), "x y z")
		}
	}
	_, data := s.read(t)
	needed := 1
	for {
		if _, err := pdftext.Read(data, pdftext.Limits{Steps: needed}); err == nil {
			break
		}
		require.Less(t, needed, 400_000)
		needed *= 2
	}
	require.Greater(t, needed, 720, "each of the 720 pieces takes steps")
	first, err := pdftext.Read(data, pdftext.Limits{})
	require.NoError(t, err)
	for range 3 {
		again, err := pdftext.Read(data, pdftext.Limits{})
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
}

// TestRows: lines with their words in common columns are rows, right-aligned figures and empty cells included.
func TestRows(t *testing.T) {
	s := newSheet(t, false)
	s.at(60, 80, "Table 1: fees in dinars")
	for i, r := range [][4]string{{"Card", "2024", "2025", "Remarks"}, {"Gold", "25", "30", "new members"}, {"Silver", "15", "", "all"},
		{"Basic", "1,005", "6", "students only"}} {
		y := 100 + 16*float64(i)
		s.at(60, y, r[0])
		s.at(230-s.GetStringWidth(r[1]), y, r[1])
		s.at(330-s.GetStringWidth(r[2]), y, r[2])
		s.at(380, y, r[3])
	}
	got, _ := s.read(t)
	rows := got.Pages[0].Paragraphs
	require.Len(t, rows, 5)
	require.Zero(t, rows[0].Table)
	require.Equal(t, []pdftext.Cell{{Text: "Card", Columns: 1}, {Text: "2024", Columns: 1}, {Text: "2025", Columns: 1}, {Text: "Remarks", Columns: 1}},
		rows[1].Cells)
	require.Equal(t, []pdftext.Cell{{Text: "Silver", Columns: 1}, {Text: "15", Columns: 1}, {Columns: 1}, {Text: "all", Columns: 1}},
		rows[3].Cells)
	require.Equal(t, 1, rows[4].Table)
}
