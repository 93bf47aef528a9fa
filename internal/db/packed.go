package db

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a page reads comes packed: all rows of a part as one text, their number and then the values of each, so that
// several parts are one statement. Reading a column of a row through database/sql takes several allocations, and longer
// than joining it to the others in the database. Whole sessions are read row by row, because one text of theirs could
// be too long.

// columns are the columns of packed rows.
type columns struct {
	n    int
	line string // SQL for one row's values as one text
}

// packed returns columns that may be packed, as SQL lists and expressions.
func packed(lists ...string) columns {
	var c columns
	for _, list := range lists {
		for _, column := range strings.Split(list, ",") {
			c = c.add(strings.TrimSpace(column))
		}
	}
	return c
}

// and returns the columns with others, which may be expressions.
func (c columns) and(more ...string) columns {
	for _, column := range more {
		c = c.add(column)
	}
	return c
}

func (c columns) add(column string) columns {
	name := column[strings.LastIndexByte(column, '.')+1:]
	var before, after, comma string
	switch {
	case fractions[name] && mayBeNull[name]:
		before, after = "CASE WHEN "+column+" IS NULL THEN '' ELSE format('%!.17g', ", ") END"
	case fractions[name]:
		before, after = "format('%!.17g', ", ")"
	case !strings.HasPrefix(column, "concat(") && strings.Contains(column, "(") || mayBeNull[name]:
		before, after = "concat(", ")"
	}
	if c.n > 0 {
		comma = ", "
	}
	return columns{n: c.n + 1, line: c.line + comma + before + column + after}
}

// Columns that are packed in another way: fractions are written with 17 digits, so that they are read as the same
// numbers, and NULL is written as an empty text.
var (
	fractions = map[string]bool{"similarity": true, "confidence": true, "source_quality": true}
	mayBeNull = map[string]bool{"span_start": true, "span_end": true, "conflicts": true, "missing": true, "features": true,
		"attached": true, "places": true, "parameters": true, "source_quality": true, "heading_path": true}
)

// part is a part of what a page reads: the rows of a query, which scan reads one by one.
type part struct {
	columns
	from string // the query after its columns
	args []any
	scan func(scanner) error
}

// rowsOf returns a part.
func newPart(c columns, from string, args []any, scan func(scanner) error) part {
	return part{columns: c, from: from, args: args, scan: scan}
}

// What a part's columns and query stand between, and with the words between two parts: for its length only.
const (
	beforeLine = "(SELECT concat_ws('" + unitSeparator + "', count(*), string_agg(line, '" + unitSeparator + "'))" +
		" FROM (SELECT concat_ws('" + unitSeparator + "', "
	afterLine = ") AS line "
	afterFrom = ") AS packed)"
	partFrame = "SELECT " + beforeLine + afterLine + afterFrom + " AS p"
)

// writeSQL writes the part as one value. Rows come in the order of the query.
func (p *part) writeSQL(to *strings.Builder) {
	for _, s := range [...]string{beforeLine, p.line, afterLine, p.from, afterFrom} {
		to.WriteString(s)
	}
}

// readParts reads parts, if any, in one statement, which begins with what their queries share ("" for nothing).
func (t *tx) readParts(with string, args []any, parts ...part) error {
	if len(parts) == 0 {
		return nil
	}
	texts, into := make([]string, len(parts)), make([]any, len(parts))
	size, length := len(args), len(with)
	for i := range parts {
		into[i] = &texts[i]
		size, length = size+len(parts[i].args), length+len(parts[i].line)+len(parts[i].from)+len(partFrame)
	}
	all, query := append(make([]any, 0, size), args...), strings.Builder{}
	query.Grow(length)
	query.WriteString(with)
	for i := range parts {
		query.WriteString([]string{"SELECT ", ", "}[min(i, 1)])
		parts[i].writeSQL(&query)
		query.WriteString(" AS p")
		all = append(all, parts[i].args...)
	}
	for _, end := range [...]string{unitSeparator, randomSeparator} {
		if err := t.row(strings.ReplaceAll(query.String(), unitSeparator, end), all, into...); err != nil {
			return err
		}
		if whole, err := unpack(texts, end, parts); whole {
			return err
		}
	}
	return fmt.Errorf("packed rows have other columns than they should: %s", parts[0].from)
}

// unitSeparator is the ASCII separator of the values that are joined into one text.
const unitSeparator = "\x1f"

// randomSeparator is used if a value contains the usual separator. No stored text can contain it, because nobody knows
// it.
var randomSeparator = "\x1f" + rand.Text()

// unpack scans the rows of the texts; whole is false, and nothing is scanned, if a value contains the separator.
func unpack(texts []string, end string, parts []part) (whole bool, err error) {
	for i, text := range texts {
		head, _, _ := strings.Cut(text, end)
		rows, err := strconv.Atoi(head)
		if err != nil || strings.Count(text, end) != rows*parts[i].n {
			return false, err
		}
	}
	r := &packedRow{end: end}
	for i, text := range texts {
		head, rest, _ := strings.Cut(text, end)
		rows, _ := strconv.Atoi(head) // as above
		r.rest = rest
		for range rows {
			if err := parts[i].scan(r); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// packedRow reads packed rows, one by one.
type packedRow struct {
	rest, end string
	strings   []string // of the rows' lists, which share its memory
}

// Scan implements scanner.
func (r *packedRow) Scan(dest ...any) error {
	for _, d := range dest {
		var value string
		value, r.rest, _ = strings.Cut(r.rest, r.end)
		if column, ok := d.(jsonColumn); ok {
			if list, ok := column.v.(*[]string); ok && r.plainStrings(value, list) {
				continue
			}
		}
		if err := assign(d, value); err != nil {
			return err
		}
	}
	return nil
}

// assign stores a value in one of the destinations that rows are read into. An empty text is NULL where that can be.
func assign(dest any, value string) (err error) {
	switch d := dest.(type) {
	case *string:
		*d = value
	case *int:
		*d, err = strconv.Atoi(value)
	case *bool:
		*d = value == "1" || value == "t"
	case *float64:
		*d, err = strconv.ParseFloat(value, 64)
	case **float64:
		if *d = nil; value != "" {
			*d = new(float64)
			err = assign(*d, value)
		}
	case *sql.NullInt64:
		if *d = (sql.NullInt64{Valid: value != ""}); d.Valid {
			d.Int64, err = strconv.ParseInt(value, 10, 64)
		}
	case *sql.NullString:
		*d = sql.NullString{String: value, Valid: value != ""}
	case jsonColumn:
		if value != "" {
			err = json.Unmarshal([]byte(value), d.v)
		}
	case sql.Scanner:
		err = d.Scan(value)
	default:
		v := reflect.ValueOf(dest).Elem()
		if v.Kind() == reflect.String {
			v.SetString(value)
			return nil
		}
		n, err := strconv.ParseInt(value, 10, 64)
		v.SetInt(n)
		return err
	}
	return err
}

// plainStrings reads a JSON list of strings that has no escapes, as nearly all are: its strings need not be copied. It
// leaves anything else alone and returns false.
func (r *packedRow) plainStrings(value string, into *[]string) bool {
	inner, ok := strings.CutPrefix(value, `["`)
	if !ok || strings.ContainsFunc(value, func(r rune) bool { return r == '\\' || r < ' ' || r == utf8.RuneError }) {
		return false
	}
	if inner, ok = strings.CutSuffix(inner, `"]`); !ok || strings.Count(inner, `"`) != 2*strings.Count(inner, `","`) {
		return false
	}
	n := strings.Count(inner, `","`) + 1
	if cap(r.strings)-len(r.strings) < n {
		r.strings = make([]string, 0, max(n, slabRows))
	}
	from := len(r.strings)
	for range n {
		var s string
		s, inner, _ = strings.Cut(inner, `","`)
		r.strings = append(r.strings, s)
	}
	*into = r.strings[from:len(r.strings):len(r.strings)]
	return true
}

// slab is where rows are kept that belong to lists: lists that grow one after the other share its memory.
type slab[T any] struct{ rows []T }

// add returns a list with another row.
func (s *slab[T]) add(list []T, row T) []T {
	if n := cap(s.rows); len(s.rows) == n {
		s.rows = make([]T, 0, min(max(8, 2*n), slabRows))
	}
	s.rows = append(s.rows, row)
	n, k := len(s.rows), len(list)
	if k == 0 || k < n && &list[0] == &s.rows[n-1-k] {
		return s.rows[n-1-k : n : n]
	}
	return append(list, row)
}

// slabRows is the maximum number of rows that are allocated together.
const slabRows = 64
