package auditlog

import (
	"fmt"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// RecordRef is a row that the next event of its tenant records.
type RecordRef struct {
	name    string       // of the table
	table   *RecordTable // known once it is recorded
	keys    []any
	columns []string // that were set; none for all
	gone    bool
}

// Wrote says that columns of a row were set; without columns, all of them, as for a new row.
func Wrote(table string, keys []any, columns ...string) RecordRef {
	return RecordRef{name: table, keys: keys, columns: columns}
}

// Deleted says that a row was deleted.
func Deleted(table string, keys ...any) RecordRef {
	return RecordRef{name: table, keys: keys, gone: true}
}

// Record says that rows of recorded tables were changed; the next event of the tenant's log holds their digests. A
// transaction that ends without such an event fails.
func Record(t *sqldb.Tx, tenant string, refs ...RecordRef) {
	if len(refs) == 0 {
		return
	}
	if LogOf.Of(t).records == nil {
		LogOf.Of(t).records = map[string][]RecordRef{}
	}
	for _, ref := range refs {
		ref.table = ContentsOf(t).table(ref.name)
		if len(ref.columns) == 0 {
			ref.columns = ref.table.Columns
		}
		LogOf.Of(t).records[tenant] = append(LogOf.Of(t).records[tenant], ref)
	}
}

// recorded returns what the next event of a tenant's log says of the rows that were changed since the last one.
func (store *Store) recorded(t *sqldb.Tx, tenant string) ([]audit.Record, error) {
	var out []audit.Record
	for _, ref := range LogOf.Of(t).records[tenant] {
		r, err := recordOf(t, tenant, &ref)
		if err != nil {
			return nil, fmt.Errorf("recording %s: %w", ref.table.Name, err)
		}
		out = append(out, r)
	}
	delete(LogOf.Of(t).records, tenant)
	return out, nil
}

// recordOf returns what an event says of one row.
func recordOf(t *sqldb.Tx, tenant string, ref *RecordRef) (audit.Record, error) {
	x := ref.table
	salt, err := recordSalt(t, tenant, x, ref.keys)
	if err != nil {
		return audit.Record{}, err
	}
	out := audit.Record{Table: x.Name, ID: x.id(ref.keys, salt)}
	if ref.gone {
		if x.Secret == 0 {
			_, err = t.Exec("DELETE FROM record_salts WHERE tenant_id = ? AND tbl = ? AND id = ?", tenant, x.Name,
				x.owner(ref.keys))
		}
		return out, err
	}
	if x.Order != "" {
		where := ""
		for _, key := range x.Keys {
			where += " AND r." + key + " = ?"
		}
		err := x.together(t, where, append([]any{tenant}, ref.keys...), func([]any) []byte { return salt },
			func(_ []any, digest string) { out.Columns = map[string]string{allRows: digest} })
		return out, err
	}
	query, args := x.Query(ref.columns), []any{tenant}
	for i, key := range x.Keys {
		query, args = query+" AND r."+key+" = ?", append(args, ref.keys[i])
	}
	row := RecordRow{Table: x, Columns: ref.columns}
	if err := t.Row(query, args, row.Fields()...); err != nil {
		return out, err
	}
	out.Columns = row.digests(salt)
	return out, nil
}

// recordSalt returns the salt of a row, a new one if it has none.
func recordSalt(t *sqldb.Tx, tenant string, x *RecordTable, keys []any) (salt []byte, err error) {
	owner := x.owner(keys)
	err = t.Row("SELECT salt FROM record_salts WHERE tenant_id = ? AND tbl = ? AND id = ?",
		[]any{tenant, x.Name, owner},
		&salt)
	if !sqldb.NoRow(err) {
		return salt, err
	}
	if salt, err = NewSalt(t); err != nil {
		return nil, err
	}
	_, err = t.Exec("INSERT INTO record_salts (tenant_id, tbl, id, salt) VALUES (?, ?, ?, ?)", tenant, x.Name, owner,
		salt)
	return salt, err
}

// AccountRecords returns a person's rows that are the same in all tenants, for the log of a tenant that they join.
func AccountRecords(t *sqldb.Tx, userID string) ([]RecordRef, error) {
	out := []RecordRef{Wrote("users", []any{userID})}
	for _, name := range []string{"recovery_codes", "identities"} {
		x := ContentsOf(t).table(name)
		second := x.Keys[1]
		if err := t.Each("SELECT "+strings.Join(x.Keys, ", ")+" FROM "+name+" WHERE user_id = ? ORDER BY "+second,
			[]any{userID}, func(r sqldb.Scanner) error {
				row := RecordRow{Table: x}
				err := r.Scan(row.Fields()...)
				out = append(out, Wrote(name, row.Keys()))
				return err
			}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DeletedPack says that a pack is about to be deleted, with the rows that belong to it.
func DeletedPack(t *sqldb.Tx, tenant, packID string) error {
	Record(t, tenant, Deleted("evidence_packs", packID))
	for _, name := range []string{"pack_makers", "pack_holds", "pack_comments", "pack_approvals", "pack_edits",
		"pack_attachments", "pack_exports"} {
		if err := DeletedRows(t, tenant, name, " AND r.pack_id = ?2", packID); err != nil {
			return err
		}
	}
	return nil
}

// DeletedRows says that the rows of a table that fulfil a condition are about to be deleted.
func DeletedRows(t *sqldb.Tx, tenant, table, where string, args ...any) error {
	x := ContentsOf(t).table(table)
	return t.Each(x.Query(nil)+where+" ORDER BY "+strings.Join(x.Keys, ", "), append([]any{tenant}, args...),
		func(r sqldb.Scanner) error {
			row := RecordRow{Table: x}
			err := r.Scan(row.Fields()...)
			Record(t, tenant, Deleted(table, row.Keys()...))
			return err
		})
}

// MaxTenants is the maximum number of logs that record one change of an account.
const MaxTenants = 100

// allRows is the name under which an event holds the digest of all rows of a key.
const allRows = "rows"

// together reads the rows of a table whose rows of one key are recorded together, and calls each with every key and the
// digest of its rows. where narrows the query down; the first argument is the tenant.
func (recordTable *RecordTable) together(t *sqldb.Tx, where string, args []any, salt func(keys []any) []byte,
	each func(keys []any, digest string)) error {
	table := audit.NewTable(recordTable.Name, strings.Join(recordTable.Columns, " "))
	var keys []any
	var rows []audit.Hash
	var buffer []byte
	end := func() {
		if len(rows) > 0 {
			each(keys, audit.Hex(audit.LeafDigest(rows)))
		}
		rows = nil
	}
	names := strings.Join(append(slices.Clone(recordTable.Keys), recordTable.Order), ", ")
	err := t.Each(recordTable.Query(table.Names())+where+" ORDER BY "+names, args, func(r sqldb.Scanner) error {
		row := RecordRow{Table: recordTable, Columns: recordTable.Columns}
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
