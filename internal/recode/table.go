package recode

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"sanad/internal/strictjson"
)

// Tables as pandas writes them: with DataFrame.to_json a column is an object that has a cell for each row; with
// orient="split" the names of the columns stand apart from the rows of cells; with orient="index" the rows have their
// numbers as names, with orient="table" a schema beside them; and to_dict("list"), as data sets are often kept, has a
// list for each column. All are turned into a list of rows.

// leastColumns is how many columns make a table of what may be one object otherwise.
const leastColumns = 3

// errSeen ends the reading of an object of which enough was seen.
var errSeen = errors.New("enough was seen")

// looksTable reports whether the first field of an object may be a column of a table: a list or an object that begins
// with neither, or with the number of a row or the fields of a schema.
func looksTable(head string) bool {
	head = strings.TrimLeft(head, " \t\r\n")
	if head == "" || head[0] != '{' {
		return false
	}
	c, cell, named := strictjson.NewLooseCursor(head, 0), byte('{'), ""
	_ = c.Members(func(string) error {
		seen := func(key string) error {
			cell, named = c.Peek(), key
			return errSeen
		}
		if c.Peek() == '[' {
			return c.Items(func(int) error { return seen("") })
		} else if c.Peek() == '{' {
			return c.Members(seen)
		}
		return errSeen
	})
	return cell != '{' && cell != '[' || isNumber(named) || named == "fields"
}

// isNumber reports whether a name is the number of a row.
func isNumber(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }

// column is a column of a table, or a field that is none.
type column struct {
	name  string
	keys  []string // of the rows; nil for a list
	cells []string // in JSON
}

// tableRows returns the rows of a table, and an input that is none as it is.
func tableRows(src string) (string, error) {
	if rows := namedRows(src); rows != nil {
		return "[" + strings.Join(rows, ",") + "]", nil
	}
	columns := columnsOf(src)
	if columns == nil {
		return src, nil
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for i := range columns[0].cells {
		if i > 0 {
			out.WriteByte(',')
		}
		tableRow(&out, columns, i)
		if out.Len() > mostMade {
			return "", tooLarge(out.Len(), mostMade)
		}
	}
	out.WriteByte(']')
	return out.String(), nil
}

// tableRow writes one row, without its empty cells.
func tableRow(out *bytes.Buffer, columns []column, i int) {
	out.WriteByte('{')
	some := false
	for _, c := range columns {
		if strings.HasPrefix(c.cells[i], "n") {
			continue
		}
		if some {
			out.WriteByte(',')
		}
		some = true
		out.Write(Encode(c.name))
		out.WriteByte(':')
		out.WriteString(c.cells[i])
	}
	out.WriteByte('}')
}

// columnsOf returns the columns of a table, which have a cell for each row; nil if the input is none.
func columnsOf(src string) (out []column) {
	c := strictjson.NewLooseCursor(src, 0)
	err := c.Members(func(name string) error {
		col := column{name: name}
		if err := col.read(c); err != nil {
			return err
		}
		out = append(out, col)
		if len(out) > 1 && !col.like(&out[0]) && !isSplit(out) {
			return errSeen
		}
		return nil
	})
	switch {
	case err != nil || !c.End() || len(out) < leastColumns || len(out[0].cells) == 0:
		return nil
	case isSplit(out):
		return splitColumns(out)
	case slices.ContainsFunc(out, func(col column) bool { return !col.like(&out[0]) }):
		return nil
	}
	return out
}

// read reads a column; errSeen if the value at c is none.
func (col *column) read(c *strictjson.Cursor) error {
	cell := func() error {
		value, err := c.Value()
		col.cells = append(col.cells, value)
		return err
	}
	switch c.Peek() {
	case '[':
		return c.Items(func(int) error { return cell() })
	case '{':
		col.keys = []string{}
		return c.Members(func(key string) error {
			col.keys = append(col.keys, key)
			return cell()
		})
	}
	return errSeen
}

// like reports whether two columns have cells for the same rows.
func (col *column) like(other *column) bool {
	return len(col.cells) == len(other.cells) && (col.keys == nil) == (other.keys == nil) &&
		slices.Equal(col.keys, other.keys)
}

// isSplit reports whether fields are those of a table with orient="split", as many as there are.
func isSplit(fields []column) bool {
	names := []string{"columns", "index", "data"}
	return len(fields) <= len(names) && slices.EqualFunc(fields, names[:len(fields)],
		func(f column, name string) bool { return f.name == name && f.keys == nil })
}

// splitColumns returns the columns of such a table; nil if a row has another number of cells.
func splitColumns(fields []column) []column {
	out := make([]column, len(fields[0].cells))
	for i, name := range fields[0].cells {
		said, err := strictjson.NewLooseCursor(name, 0).Text()
		if err != nil {
			return nil
		}
		out[i].name = said
	}
	for _, row := range fields[2].cells {
		c := strictjson.NewLooseCursor(row, 0)
		n := 0
		if c.Items(func(i int) error {
			value, err := c.Value()
			if n++; i < len(out) {
				out[i].cells = append(out[i].cells, value)
			}
			return err
		}) != nil || n != len(out) {
			return nil
		}
	}
	if len(out) == 0 || len(out[0].cells) == 0 {
		return nil
	}
	return out
}

// namedRows returns the rows that an object has under their numbers, or beside the schema that pandas writes; nil if it
// is none such.
func namedRows(src string) (rows []string) {
	c, schema := strictjson.NewLooseCursor(src, 0), false
	err := c.Members(func(name string) error {
		switch kind := c.Peek(); {
		case name == "schema" && kind == '{' && rows == nil:
			schema = true
			return c.Skip()
		case name == "data" && kind == '[' && schema:
			return c.Items(func(int) error { return rowInto(&rows, c) })
		case !schema && isNumber(name) && kind == '{':
			return rowInto(&rows, c)
		}
		return errSeen
	})
	if err != nil || !c.End() {
		return nil
	}
	return rows
}

// rowInto adds the object at c to rows.
func rowInto(rows *[]string, c *strictjson.Cursor) error {
	if c.Peek() != '{' {
		return errSeen
	}
	row, err := c.Value()
	*rows = append(*rows, row)
	return err
}
