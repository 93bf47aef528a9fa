package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// SetSecondFactor says whether approvers and administrators of a's tenant need a second factor. Who switches it on has
// one themselves (Conflict), unless it is the operator: so there is somebody who can switch it off. Where a second
// administrator is demanded, switching it off needs one.
func (store *Store) SetSecondFactor(ctx context.Context, a access.Actor, on bool) error {
	c := &access.Change{Kind: access.ChangeFactor, On: on}
	return store.Change(ctx, "SetSecondFactor", a, c,
		func(t *sqldb.Tx) error { return store.setSecondFactor(t, a, on) })
}

func (store *Store) setSecondFactor(t *sqldb.Tx, a access.Actor, on bool) error {
	if !a.Role.AtLeast(access.Admin) {
		return domain.Refuse(domain.Denied, "", "refused_change_person")
	}
	if err := reads.AcceptsMembers(t, a.Tenant); err != nil {
		return err
	}
	if on && a.ID != access.Operator {
		seen, created := store.living()
		var has bool
		err := t.Row(`SELECT EXISTS (SELECT 1 FROM users WHERE id = ?1 AND totp IS NOT NULL) OR EXISTS (SELECT 1 FROM logins
			WHERE user_id = ?1 AND vouched = 1 AND seen_at > ?2 AND created_at > ?3)`, []any{a.ID, seen, created}, &has)
		if err != nil {
			return err
		}
		if !has {
			return domain.Refuse(domain.Conflict, "", "refused_factor_own")
		}
	}
	n, err := t.Exec("UPDATE tenants SET second_factor = ? WHERE id = ? AND second_factor <> ?", on, a.Tenant, on)
	if err != nil || n == 0 {
		return err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("tenants", []any{a.Tenant}, "second_factor"))
	return store.AppendEvent(t, a, tenantEvent("tenant.changed", a.Tenant, map[string]any{"second_factor": on}))
}

// keepsFactor refuses (Conflict) that the last administrator with one-time codes turns them off in a tenant that
// requires a second factor: nobody else could act there, or switch the requirement off.
func keepsFactor(t *sqldb.Tx, userID string) error {
	var last bool
	err := t.Row(`SELECT EXISTS (SELECT 1 FROM memberships m JOIN tenants n ON n.id = m.tenant_id
		WHERE m.user_id = ?1 AND m.role = 'admin' AND m.disabled_at = '' AND n.second_factor = 1
		AND NOT EXISTS (SELECT 1 FROM memberships o JOIN users u ON u.id = o.user_id
			WHERE o.tenant_id = m.tenant_id AND o.user_id <> ?1 AND o.role = 'admin' AND o.disabled_at = ''
			AND u.disabled_at = '' AND u.totp IS NOT NULL))`, []any{userID}, &last)
	if err == nil && last {
		err = domain.Refuse(domain.Conflict, "", "fault_factor_last")
	}
	return err
}
