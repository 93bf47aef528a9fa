package backup

import (
	"fmt"
	"strconv"
	"strings"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/models"
	"sanad/internal/db/packs"
	"sanad/internal/db/people"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/db/webhooks"
	"sanad/internal/keys"
)

// sealedTable is a table with a column that is sealed with the master key. Whatever seals something new in the
// database adds its table here, so that the master key can be replaced (rule SEC-26).
type sealedTable struct {
	name, column string
	keys         []string // that say which row it is, all of them text
	where        string   // of the rows that have something sealed
	context      func(keys []any) string
}

// sealedTables are all of them, in the order in which they are sealed again.
var sealedTables = []sealedTable{
	{name: "keys", column: "sealed", keys: []string{"tenant_id", "purpose", "id"}, where: "true",
		context: contextOf(func(k []string) string { return auditlog.SealContext(k[0], k[1], k[2]) })},
	{name: "log_seals", column: "sealed", keys: []string{"tenant_id"}, where: "true",
		context: contextOf(func(k []string) string { return auditlog.LogSealContext(k[0]) })},
	{name: "tenant_secrets", column: "sealed", keys: []string{"tenant_id", "purpose"}, where: "true",
		context: contextOf(func(k []string) string { return packs.TenantSecretContext(k[0], k[1]) })},
	{name: "evidence_packs", column: "secret", keys: []string{"tenant_id", "pack_id"}, where: "true",
		context: contextOf(func(k []string) string { return packs.PackSecretContext(k[0], k[1]) })},
	{name: "users", column: "totp", keys: []string{"id"}, where: "totp IS NOT NULL",
		context: contextOf(func(k []string) string { return people.TOTPContext(k[0]) })},
	{name: "webhooks", column: "sealed", keys: []string{"tenant_id", "id"}, where: "true",
		context: contextOf(func(k []string) string { return webhooks.WebhookContext(k[0], k[1]) })},
	{name: "model_endpoints", column: "sealed", keys: []string{"tenant_id", "id"}, where: "length(sealed) > 0",
		context: contextOf(func(k []string) string { return models.ModelContext(k[0], k[1]) })},
	{name: "receipts", column: "body", keys: []string{"tenant_id", "key"},
		where:   "length(body) > 0 AND substr(body, 1, 1) NOT IN (x'7b', x'5b')", // see openAnswer
		context: contextOf(func(k []string) string { return receipts.AnswerContext(k[0], k[1]) })},
	{name: "master_keys", column: "receipts", keys: []string{"fingerprint"}, where: "length(receipts) > 0",
		context: contextOf(func(k []string) string { return auditlog.EarlierContext(k[0]) })},
}

// contextOf makes the keys of a row texts.
func contextOf(of func(keys []string) string) func([]any) string {
	return func(values []any) string {
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = fmt.Sprint(v)
		}
		return of(texts)
	}
}

// resealBatch is how many values are in memory at once.
const resealBatch = 500

// sealedValue is one of them, with the keys of its row.
type sealedValue struct {
	keys   []any
	sealed []byte
}

// batch returns the next rows after one.
func (x *sealedTable) batch(t *sqldb.Tx, after []any) ([]sealedValue, error) {
	names := strings.Join(x.keys, ", ")
	query := "SELECT " + names + ", " + x.column + " FROM " + x.name + " WHERE (" + names + ") > (" +
		sqldb.Placeholders(len(x.keys)) + ") AND " + x.where + " ORDER BY " + names + " LIMIT " + strconv.Itoa(resealBatch)
	return sqldb.Collect(t, query, after, func(r sqldb.Scanner, v *sealedValue) error {
		v.keys = make([]any, len(x.keys))
		fields := make([]any, 0, len(x.keys)+1)
		for i := range v.keys {
			fields = append(fields, &v.keys[i])
		}
		return r.Scan(append(fields, &v.sealed)...)
	})
}

// reseal seals the values of all rows with another key, and returns how many there are.
func (x *sealedTable) reseal(t *sqldb.Tx, from, to *keys.Box) (n int, err error) {
	after := make([]any, len(x.keys))
	for i := range after {
		after[i] = ""
	}
	update := fmt.Sprintf("UPDATE %s SET %s = ? WHERE %s = ?", x.name, x.column, strings.Join(x.keys, " = ? AND "))
	for {
		rows, err := x.batch(t, after)
		if err != nil {
			return n, err
		}
		for _, v := range rows {
			sealed, err := from.Reseal(to, x.context(v.keys), v.sealed)
			if err != nil {
				return n, fmt.Errorf("%s.%s of %v: %w", x.name, x.column, v.keys, err)
			}
			changed, err := t.Exec(update, append([]any{sealed}, v.keys...)...)
			if err := sqldb.RefuseUnlessOne(changed, err,
				fmt.Errorf("%s of %v is not one row", x.name, v.keys)); err != nil {
				return n, err
			}
			n, after = n+1, v.keys
		}
		if len(rows) < resealBatch {
			return n, nil
		}
	}
}
