package exporters

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/prose"
)

// table is a part of the ledger as rows of cells. CSV is one table, XLSX a sheet of each.
type table struct {
	name    string // of the sheet
	columns []column
	// rows yields as many cells as there are columns, in a slice of its own. They are strings, ints, shares and times; nil
	// is an empty cell.
	rows iter.Seq[[]any]
}

// column is one column of a table.
type column struct {
	head  string
	width float64 // in characters
}

// share is a rate from 0 to 1, which tables show as the whole percentage that pages and Markdown show.
type share float64

// tables makes the tables of a ledger in one language.
type tables struct {
	*prose.Lang
	l   *ledger.Ledger
	err error // why the claims could not be read: the rows of some are missing
}

// entries yields the entries that count, in claim order.
func (t *tables) entries(yield func(*ledger.Entry) bool) { t.through(t.l.EachFinding, yield) }

// aside yields those that no longer count.
func (t *tables) aside(yield func(*ledger.Entry) bool) { t.through(t.l.EachAside, yield) }

func (t *tables) through(each func(func(*ledger.Entry) error) error, yield func(*ledger.Entry) bool) {
	enough := errors.New("enough")
	err := each(func(e *ledger.Entry) error {
		if !yield(e) {
			return enough
		}
		return nil
	})
	if t.err == nil && err != enough { //nolint:errorlint // it comes back as it is
		t.err = err
	}
}

func newTables(l *ledger.Ledger, language Language) *tables {
	i := slices.IndexFunc(prose.Langs, func(lang prose.Lang) bool { return lang.Code == string(language) })
	return &tables{Lang: &prose.Langs[i], l: l}
}

// head is a column whose head is a message: of tables or, if they have none of that id, of the PDF and the pages.
func (t *tables) head(id string, width float64) column {
	return column{head: prose.Say(t.Words, id, nil, "table.", "pdf."), width: width}
}

// cellLength is the longest text of a cell, in UTF-16 units: a cell of Excel holds 32,767, of which CSV may need one
// (see guarded).
const cellLength = 32_766

// mostVisible is how many UTF-16 units visible writes for a byte at most: ⟨U+0001⟩.
const mostVisible = 8

// continued returns the table with longer texts than a cell holds continued in columns of their own, which follow all
// others, so that nothing is cut and a row stays one row.
func (t *tables) continued(of table) table {
	more := make([]int, len(of.columns)) // by column: how many further cells its longest text needs
	for row := range of.rows {
		for i, cell := range row {
			if s, ok := cell.(string); ok && len(s) > cellLength/mostVisible {
				more[i] = max(more[i], len(parts(visible(s)))-1)
			}
		}
	}
	out := table{name: of.name, columns: slices.Clone(of.columns)}
	for i, n := range more {
		for k := range n {
			c := of.columns[i]
			c.head = t.Words.Text("table.continued", "Head", c.head, "N", k+2)
			out.columns = append(out.columns, c)
		}
	}
	out.rows = func(yield func([]any) bool) {
		for row := range of.rows {
			for i, cell := range row {
				if s, ok := cell.(string); ok {
					row[i] = visible(s)
				}
			}
			for i, n := range more {
				row = append(row, make([]any, n)...)
				if s, ok := row[i].(string); ok && n > 0 {
					all := parts(s)
					row[i] = all[0]
					for k, part := range all[1:] {
						row[len(row)-n+k] = part
					}
				}
			}
			if !yield(row) {
				return
			}
		}
	}
	return out
}

// parts splits a text into what single cells hold. They are never empty, except that of an empty text.
func parts(s string) []string {
	var out []string
	start, units := 0, 0
	for i, r := range s {
		n := max(utf16.RuneLen(r), 1)
		if units+n > cellLength {
			out = append(out, s[start:i])
			start, units = i, 0
		}
		units += n
	}
	return append(out, s[start:])
}

// visible returns a text as a cell shows it: line breaks are \n, and what could disguise the text, or no XML file may
// hold, is shown as ⟨U+202E⟩, as in Markdown.
func visible(s string) string {
	harmless := func(r rune) bool { return r == '\n' || r == '\t' || r != utf8.RuneError && !prose.Disguises(r) }
	if strings.IndexFunc(s, func(r rune) bool { return !harmless(r) }) < 0 {
		return s
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	var b strings.Builder
	for _, r := range s {
		if harmless(r) || r == utf8.RuneError {
			b.WriteRune(r)
		} else {
			b.WriteString(prose.CodePoint(r))
		}
	}
	return b.String()
}

// written is a cell's text, nil of an empty one.
func written(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// instant is a cell's time, nil of the zero time.
func instant(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Truncate(time.Second)
}
