package db

import (
	"fmt"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// recordRef is a row that the next event of its tenant records.
type recordRef struct {
	name    string       // of the table
	table   *recordTable // known once it is recorded
	keys    []any
	columns []string // that were set; none for all
	gone    bool
}

// wrote says that columns of a row were set; without columns, all of them, as for a new row.
func wrote(table string, keys []any, columns ...string) recordRef {
	return recordRef{name: table, keys: keys, columns: columns}
}

// deleted says that a row was deleted.
func deleted(table string, keys ...any) recordRef {
	return recordRef{name: table, keys: keys, gone: true}
}

// record says that rows of recorded tables were changed; the next event of the tenant's log holds their digests. A
// transaction that ends without such an event fails.
func record(t *sqldb.Tx, tenant string, refs ...recordRef) {
	if len(refs) == 0 {
		return
	}
	if logOf.Of(t).records == nil {
		logOf.Of(t).records = map[string][]recordRef{}
	}
	for _, ref := range refs {
		ref.table = contentsOf(t).table(ref.name)
		if len(ref.columns) == 0 {
			ref.columns = ref.table.columns
		}
		logOf.Of(t).records[tenant] = append(logOf.Of(t).records[tenant], ref)
	}
}

// recorded returns what the next event of a tenant's log says of the rows that were changed since the last one.
func (s *auditLog) recorded(t *sqldb.Tx, tenant string) ([]audit.Record, error) {
	var out []audit.Record
	for _, ref := range logOf.Of(t).records[tenant] {
		r, err := recordOf(t, tenant, &ref)
		if err != nil {
			return nil, fmt.Errorf("recording %s: %w", ref.table.name, err)
		}
		out = append(out, r)
	}
	delete(logOf.Of(t).records, tenant)
	return out, nil
}

// recordOf returns what an event says of one row.
func recordOf(t *sqldb.Tx, tenant string, ref *recordRef) (audit.Record, error) {
	x := ref.table
	salt, err := recordSalt(t, tenant, x, ref.keys)
	if err != nil {
		return audit.Record{}, err
	}
	out := audit.Record{Table: x.name, ID: x.id(ref.keys, salt)}
	if ref.gone {
		if x.secret == 0 {
			_, err = t.Exec("DELETE FROM record_salts WHERE tenant_id = ? AND tbl = ? AND id = ?", tenant, x.name,
				x.owner(ref.keys))
		}
		return out, err
	}
	if x.order != "" {
		where := ""
		for _, key := range x.keys {
			where += " AND r." + key + " = ?"
		}
		err := x.together(t, where, append([]any{tenant}, ref.keys...), func([]any) []byte { return salt },
			func(_ []any, digest string) { out.Columns = map[string]string{allRows: digest} })
		return out, err
	}
	query, args := x.query(ref.columns), []any{tenant}
	for i, key := range x.keys {
		query, args = query+" AND r."+key+" = ?", append(args, ref.keys[i])
	}
	row := recordRow{table: x, columns: ref.columns}
	if err := t.Row(query, args, row.fields()...); err != nil {
		return out, err
	}
	out.Columns = row.digests(salt)
	return out, nil
}

// recordSalt returns the salt of a row, a new one if it has none.
func recordSalt(t *sqldb.Tx, tenant string, x *recordTable, keys []any) (salt []byte, err error) {
	owner := x.owner(keys)
	err = t.Row("SELECT salt FROM record_salts WHERE tenant_id = ? AND tbl = ? AND id = ?", []any{tenant, x.name, owner},
		&salt)
	if !sqldb.NoRow(err) {
		return salt, err
	}
	if salt, err = newSalt(t); err != nil {
		return nil, err
	}
	_, err = t.Exec("INSERT INTO record_salts (tenant_id, tbl, id, salt) VALUES (?, ?, ?, ?)", tenant, x.name, owner, salt)
	return salt, err
}

// accountRecords returns a person's rows that are the same in all tenants, for the log of a tenant that they join.
func accountRecords(t *sqldb.Tx, userID string) ([]recordRef, error) {
	out := []recordRef{wrote("users", []any{userID})}
	for _, name := range []string{"recovery_codes", "identities"} {
		x := contentsOf(t).table(name)
		second := x.keys[1]
		if err := t.Each("SELECT "+strings.Join(x.keys, ", ")+" FROM "+name+" WHERE user_id = ? ORDER BY "+second,
			[]any{userID}, func(r sqldb.Scanner) error {
				row := recordRow{table: x}
				err := r.Scan(row.fields()...)
				out = append(out, wrote(name, row.keys()))
				return err
			}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// deletedPack says that a pack is about to be deleted, with the rows that belong to it.
func deletedPack(t *sqldb.Tx, tenant, packID string) error {
	record(t, tenant, deleted("evidence_packs", packID))
	for _, name := range []string{"pack_makers", "pack_holds", "pack_comments", "pack_approvals", "pack_edits",
		"pack_attachments", "pack_exports"} {
		if err := deletedRows(t, tenant, name, " AND r.pack_id = ?2", packID); err != nil {
			return err
		}
	}
	return nil
}

// deletedRows says that the rows of a table that fulfil a condition are about to be deleted.
func deletedRows(t *sqldb.Tx, tenant, table, where string, args ...any) error {
	x := contentsOf(t).table(table)
	return t.Each(x.query(nil)+where+" ORDER BY "+strings.Join(x.keys, ", "), append([]any{tenant}, args...),
		func(r sqldb.Scanner) error {
			row := recordRow{table: x}
			err := r.Scan(row.fields()...)
			record(t, tenant, deleted(table, row.keys()...))
			return err
		})
}

// maxTenants is the maximum number of logs that record one change of an account.
const maxTenants = 100
