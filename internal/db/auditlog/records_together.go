package auditlog

import (
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// allRows is the name under which an event holds the digest of all rows of a key.
const allRows = "rows"

// together reads the rows of a table whose rows of one key are recorded together, and calls each with every key and the
// digest of its rows. where narrows the query down; the first argument is the tenant.
func (x *RecordTable) together(t *sqldb.Tx, where string, args []any, salt func(keys []any) []byte,
	each func(keys []any, digest string)) error {
	table := audit.NewTable(x.Name, strings.Join(x.Columns, " "))
	var keys []any
	var rows []audit.Hash
	var buffer []byte
	end := func() {
		if len(rows) > 0 {
			each(keys, audit.Hex(audit.LeafDigest(rows)))
		}
		rows = nil
	}
	names := strings.Join(append(slices.Clone(x.Keys), x.Order), ", ")
	err := t.Each(x.Query(table.Names())+where+" ORDER BY "+names, args, func(r sqldb.Scanner) error {
		row := RecordRow{Table: x, Columns: x.Columns}
		if err := r.Scan(row.Fields()...); err != nil {
			return err
		}
		if !slices.Equal(keys, row.Keys()) {
			end()
			keys = row.Keys()
		}
		rows = append(rows, table.RowDigest(salt(keys), row.Values[len(keys):], &buffer))
		return nil
	})
	end()
	return err
}
