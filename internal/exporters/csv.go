package exporters

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sanad/internal/domain/ledger"
)

// byteOrderMark tells a spreadsheet that a CSV file is UTF-8.
const byteOrderMark = "\uFEFF"

// CSV writes the ledger as a table with a row for each claim: UTF-8 with a byte order mark, separated by commas. It
// holds one row at a time.
func CSV(w io.Writer, l *ledger.Ledger, language Language) error {
	t := newTables(l, language)
	claims := t.continued(t.claims())
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	fields := make([]string, len(claims.columns))
	for i, c := range claims.columns {
		fields[i] = guarded(c.head)
	}
	if err := out.Write(fields); err != nil {
		return err
	}
	for row := range claims.rows {
		for i, cell := range row {
			fields[i] = csvField(cell)
		}
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	if t.err != nil {
		return t.err
	}
	out.Flush()
	return out.Error()
}

func csvField(cell any) string {
	switch cell := cell.(type) {
	case string:
		return guarded(cell)
	case int:
		return strconv.Itoa(cell)
	case share:
		return percent(float64(cell))
	case time.Time:
		return cell.Format(time.DateTime)
	}
	return ""
}

// guarded returns a text that no spreadsheet takes for a formula (OWASP, CSV injection): an apostrophe is put before a
// text that begins with one of the signs that make a formula, also after white space, and before one that begins with
// an apostrophe. Whoever takes away the first apostrophe of every field that begins with one has the texts again.
func guarded(s string) string {
	start := strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
	if s != "" && strings.ContainsRune("\t\r\n'", rune(s[0])) || start != "" && strings.ContainsRune("=+-@＝＋－＠",
		[]rune(start)[0]) {
		return "'" + s
	}
	return s
}

// whole is the share as the whole percentage that is shown of it.
func (s share) whole() float64 { return math.Round(float64(s)*100) / 100 }
