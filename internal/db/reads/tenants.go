// Package reads holds what several rooms of the store read of tables that are another's. It writes nothing.
package reads

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// SystemTenant is the installation's own tenant: its log has the events that belong to no other tenant. It
// has no members.
const SystemTenant = "00000000-0000-0000-0000-000000000000"

// TenantExists returns NotFound if the tenant does not exist.
func TenantExists(t *sqldb.Tx, tenant string) error {
	var one int
	return t.Row("SELECT 1 FROM tenants WHERE id = ?", []any{tenant}, &one)
}

// WeekStart returns the day that a tenant's weeks begin with.
func WeekStart(t *sqldb.Tx, tenant string) (day access.WeekStart, err error) {
	err = t.Row("SELECT week_start FROM tenants WHERE id = ?", []any{tenant}, &day)
	return day, err
}

// AcceptsMembers returns NotFound if a tenant does not exist or is the system tenant, which has no members.
func AcceptsMembers(t *sqldb.Tx, tenant string) error {
	if tenant == SystemTenant {
		return sqldb.NotFound()
	}
	return TenantExists(t, tenant)
}
