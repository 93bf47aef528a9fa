package db

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
func (x *recordTable) together(t *sqldb.Tx, where string, args []any, salt func(keys []any) []byte,
	each func(keys []any, digest string)) error {
	table := audit.NewTable(x.name, strings.Join(x.columns, " "))
	var keys []any
	var rows []audit.Hash
	var buffer []byte
	end := func() {
		if len(rows) > 0 {
			each(keys, audit.Hex(audit.LeafDigest(rows)))
		}
		rows = nil
	}
	names := strings.Join(append(slices.Clone(x.keys), x.order), ", ")
	err := t.Each(x.query(table.Names())+where+" ORDER BY "+names, args, func(r sqldb.Scanner) error {
		row := recordRow{table: x, columns: x.columns}
		if err := r.Scan(row.fields()...); err != nil {
			return err
		}
		if !slices.Equal(keys, row.keys()) {
			end()
			keys = row.keys()
		}
		rows = append(rows, table.RowDigest(salt(keys), row.values[len(keys):], &buffer))
		return nil
	})
	end()
	return err
}
