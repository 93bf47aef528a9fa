package db

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/audit"
)

// recordTable is a table outside of sessions. The event of each change of a row holds digests of the columns that were
// set, and `audit verify` compares the rows with them (rule LOG-11). Names are stored in events: only add columns.
type recordTable struct {
	name    string
	keys    []string       // the columns of its primary key besides the tenant
	secret  int            // how many of them, at the end, no event may show: it has a salted digest of them
	chosen  bool           // a caller chose the key: no event may show it, and the salt of its digest goes with the row
	order   string         // its rows of one key are made together and never change: one digest of all, in this order
	columns []string       // that are recorded
	account bool           // one row for all tenants of a person: each of their logs records it
	initial map[string]any // what a row that no event recorded has; nil if there may be none
	made    map[string]any // columns that are younger than the table: what a row has whose event did not know them
}

// trustedKeyTables are the recorded tables of the keys of other installations.
var trustedKeyTables = []recordTable{
	{name: "trusted_keys", keys: []string{"id"}, columns: []string{"name", "public", "added_by", "added_at"}},
}

// keyTables are the recorded tables of the keys of a tenant.
var keyTables = []recordTable{
	{name: "keys", keys: []string{"id"}, columns: []string{"purpose", "public", "created_at", "retired_at"}},
}

// columnList splits a list of columns as SQL has it.
func columnList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// table returns a table by its name.
func (c *contents) table(name string) *recordTable {
	if x := c.findTable(name); x != nil {
		return x
	}
	panic("db: no record table " + name)
}

// findTable returns a table by its name, nil if none.
func (c *contents) findTable(name string) *recordTable {
	for i := range c.tables {
		if c.tables[i].name == name {
			return &c.tables[i]
		}
	}
	return nil
}

// query selects the keys and some columns of a tenant's rows, ready for more conditions; its argument is the tenant.
func (x *recordTable) query(columns []string) string {
	of := "r.tenant_id = ?1"
	switch {
	case x.name == "tenants":
		of = "r.id = ?1"
	case x.account: // the tenants that appendEverywhere logs to
		user := x.keys[0]
		of = fmt.Sprintf(`EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = r.%s AND m.tenant_id = ?1)
			AND (SELECT count(*) FROM memberships m WHERE m.user_id = r.%s
			AND m.tenant_id < ?1) < %d`, user, user, maxTenants)
	}
	return "SELECT " + strings.Join(append(slices.Clone(x.keys), columns...), ", ") + " FROM " + x.name + " r WHERE " + of
}

// owner returns the part of a key that record_salts has.
func (x *recordTable) owner(keys []any) string {
	words := make([]string, len(keys)-x.secret)
	for i := range words {
		words[i] = fmt.Sprint(keys[i])
	}
	return strings.Join(words, "/")
}

// id returns what events call a row.
func (x *recordTable) id(keys []any, salt []byte) string {
	switch {
	case x.chosen:
		return x.chosenID(x.owner(keys), salt)
	case x.secret == 0:
		return x.owner(keys)
	}
	return x.owner(keys) + "/" + audit.ColumnDigest(x.name, "key", salt, fmt.Sprintf("%q", keys[len(keys)-x.secret:]))[:16]
}

// chosenID returns what events call a row whose key a caller chose.
func (x *recordTable) chosenID(owner string, salt []byte) string {
	return audit.ColumnDigest(x.name, "key", salt, owner)[:32]
}

// recordRow is a row that was read with recordTable.query.
type recordRow struct {
	table   *recordTable
	columns []string
	values  []any // keys, then columns
}

func (r *recordRow) fields() []any {
	r.values = make([]any, len(r.table.keys)+len(r.columns))
	out := make([]any, len(r.values))
	for i := range out {
		out[i] = &r.values[i]
	}
	return out
}

func (r *recordRow) keys() []any { return r.values[:len(r.table.keys)] }

// digests returns the digest of each column.
func (r *recordRow) digests(salt []byte) map[string]string {
	out := map[string]string{}
	for i, column := range r.columns {
		out[column] = audit.ColumnDigest(r.table.name, column, salt, r.values[len(r.table.keys)+i])
	}
	return out
}
