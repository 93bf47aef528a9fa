package workbook

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// DecodeCells decodes UTF-8, UTF-16 with a byte order mark or without one, else what the bytes look most like:
// windows-1256 for Arabic, windows-1252 for anything else. It returns the name of an encoding that was guessed.
func DecodeCells(data []byte) (s, guessed string, ok bool) {
	if text.IsUTF16(data) {
		s, ok = text.DecodeUTF16(data)
		return s, "", ok
	}
	if mark := BareUTF16(data); mark != nil {
		s, ok = text.DecodeUTF16(append(mark, data...))
		return s, "UTF-16", ok
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return string(data), "", true
	}
	as, name := charmap.Windows1252, "windows-1252"
	if looksArabic(data) {
		as, name = charmap.Windows1256, "windows-1256"
	}
	out, err := as.NewDecoder().Bytes(data)
	return string(out), name, err == nil && !bytes.ContainsRune(out, utf8.RuneError)
}

// BareUTF16 returns the byte order mark that a text in UTF-16 lacks; nil if it is none. Of the first letters, in
// English or Arabic, every second byte is 0 or 6, and some are 0.
func BareUTF16(data []byte) []byte {
	head := data[:min(len(data), 200)&^1]
	zeros, pages := [2]int{}, [2]int{}
	for i, c := range head {
		switch c {
		case 0:
			zeros[i%2]++
			pages[i%2]++
		case 6:
			pages[i%2]++
		}
	}
	switch half := len(head) / 2; {
	case half < 2:
	case pages[1] > half*3/4 && zeros[1] > 0 && zeros[0] == 0:
		return []byte{0xFF, 0xFE}
	case pages[0] > half*3/4 && zeros[0] > 0 && zeros[1] == 0:
		return []byte{0xFE, 0xFF}
	}
	return nil
}

// looksArabic reports whether bytes beyond ASCII are words of their own, as Arabic is in windows-1256, and not single
// letters within words, as in European languages.
func looksArabic(data []byte) bool {
	high, together := 0, 0
	for i, c := range data {
		if c < 0xC0 {
			continue
		}
		if high++; i > 0 && data[i-1] >= 0xC0 || i+1 < len(data) && data[i+1] >= 0xC0 {
			together++
		}
	}
	return together*4 > high*3
}

// delimiters are the signs between cells, and the ids of what says that a file has another one than usual.
var delimiters = []struct {
	sign rune
	says string
}{{',', "warning_csv_comma"}, {';', "warning_csv_semicolon"}, {'\t', "warning_csv_tab"}, {'|', "warning_csv_bar"}}

// ReadCSV reads a text of cells as the one sheet of a spreadsheet without a name (rule F-20).
func ReadCSV(data []byte, out *block.Page) error { return readCells(data, out, ',') }

// ReadTSV is ReadCSV for a text whose cells should be parted by tabs.
func ReadTSV(data []byte, out *block.Page) error { return readCells(data, out, '\t') }

func readCells(data []byte, out *block.Page, usual rune) error {
	stated := delimiter(0)
	data, stated = statedDelimiter(data)
	sign := stated
	if sign == 0 {
		sign = likelyDelimiter(data, usual)
	}
	s, strict, err := cellsOf(data, rune(sign), &out.List)
	if err != nil {
		return err
	}
	if !strict {
		out.Warnings = append(out.Warnings, words.Msg("warning_csv_quotes"))
	}
	if rune(sign) != usual {
		for _, d := range delimiters {
			if d.sign == rune(sign) {
				out.Warnings = append(out.Warnings, words.Msg(d.says))
			}
		}
	}
	out.Kind = ledger.SheetRow
	defer func() { out.Kind = ledger.Body }()
	p := sheetPutter{out: &out.List, depth: 1}
	p.putAll(s.tables())
	return out.Over
}

// delimiter is a sign between cells, 0 if it is not known.
type delimiter rune

// statedDelimiter reads the line "sep=;" that spreadsheet programs write first.
func statedDelimiter(data []byte) ([]byte, delimiter) {
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	sign, ok := bytes.CutPrefix(bytes.ToLower(line), []byte("sep="))
	if r, size := utf8.DecodeRune(sign); ok && size == len(sign) && r != '"' && r != '\r' && r != utf8.RuneError {
		return rest, delimiter(r)
	}
	return data, 0
}

// Bounds of what is looked at to find the delimiter.
const (
	sniffedRecords = 100
	sniffedBytes   = 64 << 10
)

// likelyDelimiter returns the sign that cuts most of the first lines into the same number of cells, the usual one if
// they are alike.
func likelyDelimiter(data []byte, usual rune) delimiter {
	best, score := usual, 0.0
	head := data
	if len(head) > sniffedBytes {
		head = head[:bytes.LastIndexByte(head[:sniffedBytes], '\n')+1]
	}
	for _, d := range delimiters {
		records, cells, first := map[int]int{}, 0, 0
		r := newCSVReader(head, d.sign, true)
		for n := range sniffedRecords {
			fields, err := r.Read()
			if err != nil {
				break
			}
			if records[len(fields)]++; n == 0 {
				first = len(fields)
			}
			cells++
		}
		most, width := 0, 0
		for n, k := range records {
			if n > 1 && (k > most || k == most && n > width) {
				most, width = k, n
			}
		}
		s := 0.0
		if most > 0 {
			s = float64(most)/float64(cells) + 1e-3*float64(min(width, 100))
		}
		if width == first {
			s += 0.1
		}
		if s > score+1e-9 || s > score-1e-9 && d.sign == usual && s > 0 {
			best, score = d.sign, s
		}
	}
	return delimiter(best)
}

func newCSVReader(data []byte, sign rune, lazy bool) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = sign, lazy, -1, true
	return r
}

// cellsOf reads the rows of a text of cells, and reports whether its quotation marks are as they should be. If not,
// they are read as far as they make sense.
func cellsOf(data []byte, sign rune, out *block.List) (s *sheet, strict bool, err error) {
	data = oldLineEnds(data)
	strict = true
	for r := newCSVReader(data, sign, false); ; {
		if _, err := r.Read(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			strict = false
			break
		}
	}
	s = newSheet(&workbook{}, out)
	r := newCSVReader(data, sign, !strict)
	within := 0 // line breaks within cells so far
	for {
		fields, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return s, strict, nil
		case err != nil:
			return nil, false, err
		}
		line, _ := r.FieldPos(0)
		row := sheetRow{number: line - within}
		for i, f := range fields {
			within += strings.Count(f, "\n")
			if f = strings.Join(strings.Fields(withoutSigns(f)), " "); f == "" {
				continue
			}
			if out.CountCell(); out.Over != nil {
				return nil, false, out.Over
			}
			if i >= mostSheetColumns {
				return nil, false, isolated.Over(words.Msg("bound_columns", "N", mostSheetColumns))
			}
			row.cells = append(row.cells, sheetCell{column: i + 1, text: f, figure: block.IsFigure(f)})
		}
		if row.own = len(row.cells); row.own > 0 {
			s.rows = append(s.rows, row)
		}
	}
}

// withoutSigns takes noncharacters away, which readers of files use as signs.
func withoutSigns(s string) string {
	if strings.IndexFunc(s, block.IsSign) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if block.IsSign(r) {
			return -1
		}
		return r
	}, s)
}

// oldLineEnds makes lines of a text whose lines end with CR alone.
func oldLineEnds(data []byte) []byte {
	if bytes.IndexByte(data, '\n') >= 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
}
