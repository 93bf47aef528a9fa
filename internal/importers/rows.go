package importers

import (
	"encoding/json"
	"errors"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// row is one JSON value of a file: the whole file, an item of its list, or a line of JSONL.
type row struct {
	src  string
	path string // "" for the whole file, else "[3]"
	line int    // of the file, from 1, at which it begins; 0 where it was not counted
}

// maxRows is how many rows may be held in memory at once: of a file that is read as a whole, or whose rows form
// sessions together. Files of rows that are sessions of their own may have any number.
const maxRows = 400_000

// heldRows returns the rows of an input, and refuses one with too many.
func heldRows(src string) (sliceRows, error) {
	rows := rowsOf(src)
	return rows, checkRows(len(rows))
}

func checkRows(n int) error {
	if n > maxRows {
		return domain.Refuse(domain.TooLarge, at("", maxRows, ""), "refused_rows_many", "Most", maxRows)
	}
	return nil
}

// rowsOf splits an input into rows; none if it is malformed. It stops after the first that is one too many.
func rowsOf(src string) []row {
	c := strictjson.NewLooseCursor(src, 0)
	if c.Take('[') {
		return listRows(c)
	}
	var out []row
	for !c.End() && len(out) <= maxRows {
		value, err := c.Value()
		if err != nil {
			return nil
		}
		out = append(out, row{src: value, path: at("", len(out), "")})
	}
	if len(out) == 1 {
		out[0].path = ""
	}
	return out
}

// listRows returns the items of a list; c is after the opening bracket.
func listRows(c *strictjson.Cursor) (out []row) {
	for len(out) <= maxRows && !c.Take(']') {
		if len(out) > 0 && !c.Take(',') {
			return nil
		}
		value, err := c.Value()
		if err != nil {
			return nil
		}
		out = append(out, row{src: value, path: at("", len(out), "")})
	}
	if len(out) <= maxRows && !c.End() {
		return nil
	}
	return out
}

// loose reads what other programs write: fields that are not known are ignored, and so is a number that no JSON can say
// (rule F-2). What is read raw shares the memory of the row.
var loose = strictjson.Options{Ignore: true, Loose: true, Share: true}

// into reads a row into v.
func (r row) into(v any) error {
	return under(r.path, decode(r.src, v, loose))
}

// sub reads a part of a row, which may have one of several types, into v.
func sub(path string, raw json.RawMessage, v any) error {
	if len(raw) == 0 {
		return nil
	}
	return under(path, domainFault(strictjson.DecodeShared(raw, v, loose)))
}

// under prefixes an error's path with the place where it begins.
func under(path string, err error) error {
	if path == "" {
		return err
	}
	return moved(err, func(below string) string { return joined(path, below) })
}

// moved returns an error of ours with another path; any other error, or nil, unchanged.
func moved(err error, to func(path string) string) error {
	var ours *domain.Error
	if !errors.As(err, &ours) {
		return err
	}
	out := *ours
	out.Path = to(ours.Path)
	return &out
}

// begins returns the first byte of a raw value, 0 if none or it is null.
func begins(raw json.RawMessage) byte {
	if len(raw) == 0 || raw[0] == 'n' {
		return 0
	}
	return raw[0]
}

// rowSource returns the rows of a file in order, any number of times. An error of do ends the reading.
type rowSource interface {
	each(do func(row) error) error
}

// sliceRows are rows in memory.
type sliceRows []row

func (s sliceRows) each(do func(row) error) error {
	for _, r := range s {
		if err := do(r); err != nil {
			return err
		}
	}
	return nil
}

// either returns the first of two values that is there.
func either(a, b json.RawMessage) json.RawMessage {
	if begins(a) != 0 {
		return a
	}
	return b
}
