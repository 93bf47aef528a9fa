package exporters

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"sanad/internal/domain/ledger"
)

// XLSX writes the ledger as a workbook with a sheet each of the claims, the evidence, the reviews and the risk flags.
// The same ledger gives the same bytes. Rows beyond some megabytes are put into a temporary file meanwhile.
func XLSX(w io.Writer, l *ledger.Ledger, language Language) error {
	book := workbook{file: excelize.NewFile(), language: language, rows: excelize.TotalRows, at: l.Session.UpdatedAt.UTC()}
	err := book.make(l)
	if err == nil {
		err = book.write(w)
	}
	if closed := book.file.Close(); err == nil {
		err = closed
	}
	return err
}

// workbook is a file in the making.
type workbook struct {
	file     *excelize.File
	language Language
	rows     int       // of a sheet at most, its head included
	at       time.Time // of everything in it
	head     int       // styles
	text     int
	number   int
	date     int
	percent  int
}

func (b *workbook) make(l *ledger.Ledger) error {
	if err := b.styles(); err != nil {
		return err
	}
	t := newTables(l, b.language)
	for _, of := range []table{t.claims(), t.evidence(), t.reviews(), t.flags()} {
		if err := b.sheets(t.continued(of)); err != nil {
			return err
		}
	}
	if t.err != nil {
		return t.err
	}
	if err := b.file.DeleteSheet(firstSheet); err != nil {
		return err
	}
	b.file.SetActiveSheet(0)
	return b.properties(t)
}

// firstSheet is the sheet that a new file has.
const firstSheet = "Sheet1"

func (b *workbook) styles() (err error) {
	top := excelize.Alignment{Vertical: "top", WrapText: true}
	middle := excelize.Alignment{Vertical: "top", Horizontal: "center"}
	styles := []struct {
		id *int
		of excelize.Style
	}{
		{&b.head, excelize.Style{Alignment: &excelize.Alignment{Vertical: "center", WrapText: true},
			Font: &excelize.Font{Bold: true, Family: "Calibri", Size: 11}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7E3DA"}}}},
		{&b.text, excelize.Style{Alignment: &top}},
		{&b.number, excelize.Style{Alignment: &middle}},
		{&b.date, excelize.Style{Alignment: &middle, CustomNumFmt: new("yyyy-mm-dd hh:mm:ss")}},
		{&b.percent, excelize.Style{Alignment: &middle, NumFmt: 9}}, // 0%
	}
	for _, s := range styles {
		if *s.id, err = b.file.NewStyle(&s.of); err != nil {
			return err
		}
	}
	return nil
}

// properties are what the file says of itself; its times are the ledger's.
func (b *workbook) properties(t *tables) error {
	at := stamp(b.at.Truncate(time.Second))
	if err := b.file.SetAppProps(&excelize.AppProperties{Application: "Sanad"}); err != nil {
		return err
	}
	return b.file.SetDocProps(&excelize.DocProperties{
		Title: visible(pdfTitle(t.l, t.Lang)), Subject: t.T("evidence_ledger"), Creator: "Sanad", Created: at,
		Modified: at, LastModifiedBy: "Sanad", Language: t.Code, Identifier: t.l.Session.LedgerID,
	})
}

// sheets writes a table, on several sheets if it has more rows than one may have.
func (b *workbook) sheets(of table) error {
	s, err := b.sheet(of, of.name)
	if err != nil {
		return err
	}
	number := 1
	for row := range of.rows {
		if s.row == b.rows {
			if err := s.end(); err != nil {
				return err
			}
			number++
			if s, err = b.sheet(of, of.name+" "+strconv.Itoa(number)); err != nil {
				return err
			}
		}
		if err := s.add(row); err != nil {
			return err
		}
	}
	return s.end()
}

// sheet is a sheet in the making.
type sheet struct {
	*workbook
	name    string
	out     *excelize.StreamWriter
	columns []column
	row     int // number of the newest
}

// lineHeight is the height of a line, in points, and mostLines how many a row shows at most: the rest of a longer text
// is in the cell. LibreOffice doesn't find the heights of rows itself.
const (
	lineHeight = 15
	mostLines  = 10
)

// sheet begins a sheet with the head of a table, which stays in view.
func (b *workbook) sheet(of table, name string) (*sheet, error) {
	if _, err := b.file.NewSheet(name); err != nil {
		return nil, err
	}
	rightToLeft := b.language == Arabic
	if err := b.file.SetSheetView(name, 0, &excelize.ViewOptions{RightToLeft: &rightToLeft}); err != nil {
		return nil, err
	}
	out, err := b.file.NewStreamWriter(name)
	if err != nil {
		return nil, err
	}
	s := &sheet{workbook: b, name: name, out: out, columns: of.columns}
	if err := out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	head := make([]any, len(of.columns))
	for i, c := range of.columns {
		if err := out.SetColWidth(i+1, i+1, c.width); err != nil {
			return nil, err
		}
		head[i] = c.head
	}
	return s, s.set(head, b.head)
}

// add writes a row.
func (s *sheet) add(row []any) error { return s.set(row, s.text) }

// set writes the next row in a style for its texts, which are stored as texts whatever they begin with.
func (s *sheet) set(row []any, style int) error {
	s.row++
	lines := 1
	for i, cell := range row {
		switch cell := cell.(type) {
		case share:
			row[i] = excelize.Cell{StyleID: s.percent, Value: cell.whole()}
		case time.Time:
			row[i] = excelize.Cell{StyleID: s.date, Value: cell}
		case string:
			lines = max(lines, linesOf(cell, s.columns[i].width))
			row[i] = excelize.Cell{StyleID: style, Value: cell}
		case int:
			row[i] = excelize.Cell{StyleID: s.number, Value: cell}
		}
	}
	return s.out.SetRow("A"+strconv.Itoa(s.row), row, excelize.RowOpts{Height: float64(lineHeight * lines)})
}

// linesOf returns about how many lines a text needs in a column, up to mostLines.
func linesOf(text string, width float64) int {
	n := 0
	for line := range strings.Lines(text) {
		if n++; n >= mostLines {
			break
		}
		n += int(float64(utf8.RuneCountInString(line)-1) / width)
	}
	return min(n, mostLines)
}

// end gives the sheet a filter over all of its rows and closes it.
func (s *sheet) end() error {
	last, err := excelize.CoordinatesToCellName(len(s.columns), s.row)
	if err != nil {
		return err
	}
	if err := s.file.AutoFilter(s.name, "A1:"+last, nil); err != nil {
		return err
	}
	return s.out.Flush()
}

// write writes the file with its parts in the order of their names: excelize's order of sheets differs from time to
// time.
func (b *workbook) write(w io.Writer) error {
	b.file.SetZipWriter(func(w io.Writer) excelize.ZipWriter { return datedZip{Writer: zip.NewWriter(w), at: b.at} })
	file, err := b.file.WriteToBuffer()
	if err != nil {
		return err
	}
	parts, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		return fmt.Errorf("exporters.XLSX: %w", err)
	}
	slices.SortFunc(parts.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	out := zip.NewWriter(w)
	for _, part := range parts.File {
		if err := out.Copy(part); err != nil {
			return err
		}
	}
	return out.Close()
}

// datedZip gives each part of a file the same time.
type datedZip struct {
	*zip.Writer
	at time.Time
}

func (z datedZip) Create(name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.at})
}
