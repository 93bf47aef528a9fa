package reads

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
)

// Policy returns the newest policy that a tenant has set, the default one if none.
func Policy(t *sqldb.Tx, tenant string) (*pack.Policy, error) {
	var p pack.Policy
	err := t.Row("SELECT content FROM policies WHERE tenant_id = ? ORDER BY version DESC LIMIT 1", []any{tenant},
		sqldb.JSONInto(&p))
	if sqldb.NoRow(err) {
		return pack.DefaultPolicy(), nil
	}
	return &p, err
}
