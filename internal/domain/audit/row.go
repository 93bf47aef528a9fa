package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gowebpki/jcs"
	"golang.org/x/mod/sumdb/tlog"
)

// Table says what of a table's rows is digested: its columns in the order of their names (docs/integrity.md).
type Table struct {
	Name    string
	Columns []Column
}

// Column is a digested column.
type Column struct {
	Name     string
	Nullable bool // so that NULL and an empty value are different
}

// NewTable returns a table from its columns, separated by spaces, each with "?" at its end if it can be NULL.
func NewTable(name, columns string) Table {
	t := Table{Name: name}
	for c := range strings.FieldsSeq(columns) {
		bare := strings.TrimSuffix(c, "?")
		t.Columns = append(t.Columns, Column{Name: bare, Nullable: bare != c})
	}
	slices.SortFunc(t.Columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	return t
}

// Names lists the columns in the order in which RowDigest takes their values.
func (t *Table) Names() []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Name
	}
	return out
}

// RowDigest returns SHA-256(salt ‖ JCS(row)), where the row is {"row": {column: value}, "table": name} (rule LOG-8). A
// value is nil, an int64, a float64, a string or a []byte, as SQLite stores it, or an int or a bool, which it stores as
// an int64. NULL is left out, and so are 0 and "" of a column that can't be NULL: a column that is added with such a
// value leaves the digests of old rows as they are. buffer is reused; the result does not depend on it.
func (t *Table) RowDigest(salt []byte, values []any, buffer *[]byte) Hash {
	b := append((*buffer)[:0], salt...)
	b = append(b, `{"row":{`...)
	first := true
	for i, c := range t.Columns {
		value := values[i] //nolint:gosec // there is one for each column
		if absent(value, c.Nullable) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, c.Name), ':')
		b = appendValue(b, value)
	}
	b = append(b, `},"table":`...)
	b = append(appendString(b, t.Name), '}')
	*buffer = b
	return sha256.Sum256(b)
}

func absent(v any, nullable bool) bool {
	switch v := v.(type) {
	case nil:
		return true
	case int64:
		return v == 0 && !nullable
	case int:
		return v == 0 && !nullable
	case bool:
		return !v && !nullable
	case float64:
		return v == 0 && !nullable
	case string:
		return v == "" && !nullable
	case []byte:
		return len(v) == 0 && !nullable
	}
	return false
}

// appendValue writes a value as RFC 8785 does. What JSON lacks gets a form of its own, so that a changed database has a
// digest too: bytes are a string of hex, whole numbers beyond 2^53−1 and infinity are strings.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case int:
		return appendValue(b, int64(v))
	case bool:
		if v {
			return append(b, '1')
		}
		return append(b, '0')
	case int64:
		if v > maxExact || v < -maxExact {
			return append(strconv.AppendInt(append(b, '"'), v, 10), '"')
		}
		return strconv.AppendInt(b, v, 10)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= maxExact {
			return strconv.AppendInt(b, int64(v), 10)
		}
		if s, err := jcs.NumberToJSON(v); err == nil {
			return append(b, s...)
		}
		return appendString(b, strconv.FormatFloat(v, 'g', -1, 64))
	case string:
		return appendString(b, v)
	case []byte:
		return appendString(b, hex.EncodeToString(v))
	}
	panic("audit: a value that SQLite does not have")
}

const maxExact = 1<<53 - 1

// appendString writes a string as RFC 8785 does. Invalid UTF-8 is written as it is: two texts never have one form.
func appendString(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	done := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(b, s[done:]...), '"')
}

// LeafDigest returns the digest of the rows that belong together, such as the matches of a claim: the root of the
// Merkle tree over their digests, the zero Hash if none.
func LeafDigest(rows []Hash) Hash {
	if len(rows) == 0 {
		return Hash{}
	}
	nodes := make([]Hash, len(rows))
	for i := range rows {
		nodes[i] = tlog.RecordHash(rows[i][:])
	}
	return treeRoot(nodes)
}

// treeRoot returns the RFC 6962 root of the nodes below it, which it overwrites. Pairing neighbours level by level,
// with the last one moved up if it has none, gives the same tree as splitting at powers of two.
func treeRoot(nodes []Hash) Hash {
	for len(nodes) > 1 {
		n := 0
		for i := 0; i < len(nodes); i += 2 {
			if nodes[n] = nodes[i]; i+1 < len(nodes) {
				nodes[n] = tlog.NodeHash(nodes[i], nodes[i+1])
			}
			n++
		}
		nodes = nodes[:n]
	}
	return nodes[0]
}
