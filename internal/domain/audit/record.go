package audit

import (
	"encoding/json"
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

// Records are the rows that a log has recorded, each as its newest events say.
type Records struct {
	rows map[recordKey]map[string]string // digest by column
}

type recordKey struct{ table, id string }

// Add takes in what the next event of the log says.
func (r *Records) Add(list []Record) {
	if r.rows == nil {
		r.rows = map[recordKey]map[string]string{}
	}
	for _, x := range list {
		key := recordKey{x.Table, x.ID}
		if len(x.Columns) == 0 {
			delete(r.rows, key)
			continue
		}
		if r.rows[key] == nil {
			r.rows[key] = map[string]string{}
		}
		for column, digest := range x.Columns {
			r.rows[key][column] = digest
		}
	}
}

// Take returns the digests of a row's columns and forgets them; nil if no event recorded the row.
func (r *Records) Take(table, id string) map[string]string {
	key := recordKey{table, id}
	out := r.rows[key]
	delete(r.rows, key)
	return out
}

// Rest lists what Take was not asked for, without columns, in the order of tables and ids.
func (r *Records) Rest() []Record {
	var out []Record
	for key := range r.rows {
		out = append(out, Record{Table: key.table, ID: key.id})
	}
	slices.SortFunc(out, func(a, b Record) int {
		if c := strings.Compare(a.Table, b.Table); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}
