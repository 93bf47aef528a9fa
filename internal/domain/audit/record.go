package audit

import (
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Record is what an event says of a row outside of sessions, such as a membership or a token: the digests of the
// columns that it set (rule LOG-11). It is stored in the event's details, in the list under RecordsKey.
type Record struct {
	Table   string            `json:"table"`
	ID      string            `json:"id"`                // its key, with nothing secret
	Columns map[string]string `json:"columns,omitempty"` // hex digest of each column that was set; none: the row was deleted
}

// RecordsKey is the name of an event's Records in its details.
const RecordsKey = "records"

// RecordsOf returns the Records of an event's details.
func RecordsOf(details json.RawMessage) ([]Record, error) {
	var d struct {
		Records []Record `json:"records"`
	}
	err := json.Unmarshal(details, &d)
	return d.Records, err
}

// ColumnDigest returns the hex digest of one column of a row: that of a row that has this column only
// (Table.RowDigest).
func ColumnDigest(table, column string, salt []byte, value any) string {
	only := Table{Name: table, Columns: []Column{{Name: column, Nullable: true}}}
	var buffer []byte
	return Hex(only.RowDigest(salt, []any{value}, &buffer))
}

// Records are the rows that a log has recorded, each as its newest events say. A long log has many of them, so names
// are kept once, and digests as bytes.
type Records struct {
	rows    map[recordKey][]columnDigest
	names   []string // of tables and columns
	numbers map[string]uint32
}

type recordKey struct {
	table uint32
	id    string
}

type columnDigest struct {
	column uint32
	digest Hash
}

// number returns the place of a name in names.
func (r *Records) number(name string) uint32 {
	n, known := r.numbers[name]
	if !known {
		n = uint32(len(r.names))
		r.names, r.numbers[name] = append(r.names, name), n
	}
	return n
}

// Add takes in what the next event of the log says.
func (r *Records) Add(list []Record) {
	if r.rows == nil {
		r.rows, r.numbers = map[recordKey][]columnDigest{}, map[string]uint32{}
	}
	for _, x := range list {
		key := recordKey{r.number(x.Table), x.ID}
		if len(x.Columns) == 0 {
			delete(r.rows, key)
			continue
		}
		row := r.rows[key]
		if row == nil {
			row = make([]columnDigest, 0, len(x.Columns))
		}
		for _, column := range slices.Sorted(maps.Keys(x.Columns)) {
			d := columnDigest{column: r.number(column)}
			if raw, err := hex.DecodeString(x.Columns[column]); err == nil && len(raw) == len(d.digest) {
				d.digest = Hash(raw) // what is no digest is that of no value
			}
			if i := slices.IndexFunc(row, func(was columnDigest) bool { return was.column == d.column }); i >= 0 {
				row[i] = d
				continue
			}
			row = append(row, d)
		}
		r.rows[key] = row
	}
}

// Take returns the digests of a row's columns and forgets them; nil if no event recorded the row.
func (r *Records) Take(table, id string) map[string]string {
	n, known := r.numbers[table]
	if !known {
		return nil
	}
	key := recordKey{n, id}
	row, known := r.rows[key]
	if !known {
		return nil
	}
	delete(r.rows, key)
	out := make(map[string]string, len(row))
	for _, d := range row {
		out[r.names[d.column]] = Hex(d.digest)
	}
	return out
}

// Rest lists what Take was not asked for, without columns, in the order of tables and ids.
func (r *Records) Rest() []Record {
	var out []Record
	for key := range r.rows {
		out = append(out, Record{Table: r.names[key.table], ID: key.id})
	}
	slices.SortFunc(out, func(a, b Record) int {
		if c := strings.Compare(a.Table, b.Table); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}
