package auditlog

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// fill computes the leaves of a section from the rows that are inserted, which saves reading them again. The rows of a
// leaf come one after another. Its methods do nothing on nil.
type fill struct {
	x      *Section
	into   map[string][]audit.Hash
	places []int // of the section's columns among the inserted ones, -1 for one that is not inserted and has its empty default
	owner  int   // place of the number of the leaf
	salt   func(leaf int, row []any) []byte

	leaf   int
	rows   []audit.Hash
	values []any
	buffer []byte
}

// Filling returns a fill for rows with these columns, or nil unless the transaction replaces all rows of the section.
// salt returns the salt of a row; if salt is nil, the row has it in its column.
func Filling(t *sqldb.Tx, session int, section, columns string, salt func(leaf int, row []any) []byte) *fill {
	c := LogOf.Of(t).changes[session]
	if c == nil || LogOf.Of(t).Undigested {
		return nil
	}
	if leaves, ok := c.leaves[section]; !ok || leaves != nil {
		return nil
	}
	place := map[string]int{}
	for i, name := range strings.Split(columns, ",") {
		place[strings.TrimSpace(name)] = i
	}
	x := ContentsOf(t).section(section)
	f := &fill{x: x, into: c.filled, owner: place[x.owner], salt: salt, leaf: -1,
		values: make([]any, len(x.Table.Columns))}
	for _, name := range x.Table.Names() {
		at, ok := place[name]
		if !ok {
			at = -1
		}
		f.places = append(f.places, at)
	}
	if salt == nil {
		at := place["salt"]
		f.salt = func(_ int, row []any) []byte { return row[at].([]byte) }
	}
	c.filled[section] = []audit.Hash{}
	return f
}

// FillWith has a fill read the rows of a bulk; nil reads none.
func FillWith(b *sqldb.Bulk, f *fill) {
	if f != nil {
		b.Each = f
	}
}

// Add takes one inserted row.
func (f *fill) Add(row []any) {
	if f == nil {
		return
	}
	leaf := row[f.owner].(int) + f.x.shift
	if leaf != f.leaf {
		f.End()
		f.leaf = leaf
	}
	for i, at := range f.places {
		if at >= 0 {
			f.values[i] = row[at]
		}
	}
	f.rows = append(f.rows, f.x.Table.RowDigest(f.salt(leaf, row), f.values, &f.buffer))
}

// End stores the digest of the rows so far as that of their leaf.
func (f *fill) End() {
	if f == nil || len(f.rows) == 0 {
		return
	}
	leaves := f.into[f.x.name]
	for len(leaves) <= f.leaf {
		leaves = append(leaves, audit.Hash{})
	}
	leaves[f.leaf] = audit.LeafDigest(f.rows)
	f.into[f.x.name], f.rows = leaves, f.rows[:0]
}
