package auditlog

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/audit"
)

// RecordTable is a table outside of sessions. The event of each change of a row holds digests of the columns that were
// set, and `audit verify` compares the rows with them (rule LOG-11). Names are stored in events: only add columns.
type RecordTable struct {
	Name    string
	Keys    []string       // the columns of its primary key besides the tenant
	Secret  int            // how many of them, at the end, no event may show: it has a salted digest of them
	Chosen  bool           // a caller chose the key: no event may show it, and the salt of its digest goes with the row
	Order   string         // its rows of one key are made together and never change: one digest of all, in this order
	Columns []string       // that are recorded
	Account bool           // one row for all tenants of a person: each of their logs records it
	Initial map[string]any // what a row that no event recorded has; nil if there may be none
	Made    map[string]any // columns that are younger than the table: what a row has whose event did not know them
}

// TrustedKeyTables are the recorded tables of the keys of other installations.
var TrustedKeyTables = []RecordTable{
	{Name: "trusted_keys", Keys: []string{"id"}, Columns: []string{"name", "public", "added_by", "added_at"}},
}

// KeyTables are the recorded tables of the keys of a tenant.
var KeyTables = []RecordTable{
	{Name: "keys", Keys: []string{"id"}, Columns: []string{"purpose", "public", "created_at", "retired_at"}},
}

// ColumnList splits a list of columns as SQL has it.
func ColumnList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// table returns a table by its name.
func (contents *Contents) table(name string) *RecordTable {
	if x := contents.FindTable(name); x != nil {
		return x
	}
	panic("db: no record table " + name)
}

// FindTable returns a table by its name, nil if none.
func (contents *Contents) FindTable(name string) *RecordTable {
	for i := range contents.Tables {
		if contents.Tables[i].Name == name {
			return &contents.Tables[i]
		}
	}
	return nil
}

// Query selects the keys and some columns of a tenant's rows, ready for more conditions; its argument is the tenant.
func (recordTable *RecordTable) Query(columns []string) string {
	of := "r.tenant_id = ?1"
	switch {
	case recordTable.Name == "tenants":
		of = "r.id = ?1"
	case recordTable.Account: // the tenants that appendEverywhere logs to
		user := recordTable.Keys[0]
		of = fmt.Sprintf(`EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = r.%s AND m.tenant_id = ?1)
			AND (SELECT count(*) FROM memberships m WHERE m.user_id = r.%s
			AND m.tenant_id < ?1) < %d`, user, user, MaxTenants)
	}
	return "SELECT " + strings.Join(append(slices.Clone(recordTable.Keys), columns...),
		", ") + " FROM " + recordTable.Name + " r WHERE " + of
}

// owner returns the part of a key that record_salts has.
func (recordTable *RecordTable) owner(keys []any) string {
	words := make([]string, len(keys)-recordTable.Secret)
	for i := range words {
		words[i] = fmt.Sprint(keys[i])
	}
	return strings.Join(words, "/")
}

// id returns what events call a row.
func (recordTable *RecordTable) id(keys []any, salt []byte) string {
	switch {
	case recordTable.Chosen:
		return recordTable.chosenID(recordTable.owner(keys), salt)
	case recordTable.Secret == 0:
		return recordTable.owner(keys)
	}
	return recordTable.owner(keys) + "/" + audit.ColumnDigest(recordTable.Name, "key", salt,
		fmt.Sprintf("%q", keys[len(keys)-recordTable.Secret:]))[:16]
}

// chosenID returns what events call a row whose key a caller chose.
func (recordTable *RecordTable) chosenID(owner string, salt []byte) string {
	return audit.ColumnDigest(recordTable.Name, "key", salt, owner)[:32]
}

// RecordRow is a row that was read with RecordTable.Query.
type RecordRow struct {
	Table   *RecordTable
	Columns []string
	Values  []any // keys, then columns
}

// Fields returns where a row's keys and columns are scanned to.
func (recordRow *RecordRow) Fields() []any {
	recordRow.Values = make([]any, len(recordRow.Table.Keys)+len(recordRow.Columns))
	out := make([]any, len(recordRow.Values))
	for i := range out {
		out[i] = &recordRow.Values[i]
	}
	return out
}

// Keys returns the values of the keys.
func (recordRow *RecordRow) Keys() []any { return recordRow.Values[:len(recordRow.Table.Keys)] }

// digests returns the digest of each column.
func (recordRow *RecordRow) digests(salt []byte) map[string]string {
	out := map[string]string{}
	for i, column := range recordRow.Columns {
		out[column] = audit.ColumnDigest(recordRow.Table.Name, column, salt,
			recordRow.Values[len(recordRow.Table.Keys)+i])
	}
	return out
}
