package recode

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
)

// looksCSV reports whether text is a table with commas, semicolons or tabs: two lines of as many cells, at least two.
func looksCSV(head string) bool {
	if begin := strings.TrimLeft(head, " \t\r\n"); begin == "" || strings.IndexByte("{[\"", begin[0]) >= 0 && head[0] != '"' ||
		strings.IndexByte(" \r\n", head[0]) >= 0 {
		return false
	}
	rows := csvReader(head)
	names, err := rows.Read()
	if err != nil || len(names) < 2 {
		return false
	}
	cells, err := rows.Read()
	var fault *csv.ParseError
	return err == nil && len(cells) == len(names) || errors.As(err, &fault) && errors.Is(fault.Err, csv.ErrQuote) ||
		errors.Is(err, io.EOF)
}

// csvReader returns a reader with the mark that stands between the cells of the first line.
func csvReader(src string) *csv.Reader {
	line, _, _ := strings.Cut(src, "\n")
	r := csv.NewReader(strings.NewReader(src))
	for _, between := range []rune{';', '\t'} {
		if strings.Count(line, string(between)) > strings.Count(line, string(r.Comma)) {
			r.Comma = between
		}
	}
	return r
}

// csvRows writes the rows of a table as a list of objects. A cell that holds a list, as JSON or as Python writes it, is
// that list, an empty one is left out, and any other a text.
func csvRows(src string) (string, error) {
	if !utf8.ValidString(src) {
		return "", domain.Refuse(domain.Invalid, "", "refused_csv_letters", "Line", lineOf(src, firstFault(src)))
	}
	rows := csvReader(src)
	names, err := rows.Read()
	if err != nil {
		return "", csvFault(err)
	}
	names = csvNames(names)
	var out strings.Builder
	out.Grow(len(src) + len(src)/8)
	out.WriteByte('[')
	for n := 0; ; n++ {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", csvFault(err)
		}
		if n > 0 {
			out.WriteByte(',')
		}
		csvRow(&out, names, cells)
		if out.Len() > mostMade {
			return "", tooLarge(out.Len(), mostMade)
		}
	}
	out.WriteByte(']')
	return out.String(), nil
}

// firstFault returns the place of the first byte that is not UTF-8.
func firstFault(src string) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRuneInString(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(src)
}

// csvNames returns the names of columns as pandas tells them apart: of those with one name, the second is
// "name.1", or has the next number that no column has.
func csvNames(cells []string) []string {
	out := make([]string, len(cells))
	taken, next := map[string]bool{}, map[string]int{}
	for i, cell := range cells {
		out[i] = strings.TrimSpace(cell)
		taken[out[i]] = true
	}
	for i, name := range out {
		if next[name]++; next[name] == 1 || name == "" {
			continue
		}
		n := next[name] - 1
		for taken[fmt.Sprintf("%s.%d", name, n)] {
			n++
		}
		next[name] = n + 1
		out[i] = fmt.Sprintf("%s.%d", name, n)
		taken[out[i]] = true
	}
	return out
}

// csvRow writes one row. Only "nan" and "NaN", as pandas and NumPy write what is missing, are empty: "Nan" is a name.
func csvRow(out *strings.Builder, names, cells []string) {
	out.WriteByte('{')
	some := false
	for i, cell := range cells {
		if names[i] == "" || strings.TrimSpace(cell) == "" || cell == "nan" || cell == "NaN" {
			continue
		}
		if some {
			out.WriteByte(',')
		}
		some = true
		out.Write(Encode(names[i]))
		out.WriteByte(':')
		if raw, ok := Value(cell); ok && raw[0] != '"' {
			out.Write(raw)
		} else {
			out.Write(Encode(cell))
		}
	}
	out.WriteByte('}')
}

// csvFault says where a table is broken.
func csvFault(err error) error {
	var fault *csv.ParseError
	if !errors.As(err, &fault) {
		return err
	}
	id := "refused_csv_quotes"
	if errors.Is(fault.Err, csv.ErrFieldCount) {
		id = "refused_csv_cells"
	}
	return domain.Refuse(domain.Invalid, "", id, "Line", fault.Line, "Column", fault.Column)
}
