package people

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// mayChangeAccount returns nil if by may change the parts of a user's account that all tenants share: the
// user, the operator, and an admin of the user's only tenant may. If the user is not a member of by's tenant,
// it returns NotFound.
func mayChangeAccount(t *sqldb.Tx, by access.Actor, userID string) error {
	if by.ID == userID || by.ID == access.Operator {
		return userExists(t, userID)
	}
	if _, err := standingOf(t, by.Tenant, userID); err != nil {
		return err
	}
	var others int
	err := t.Row("SELECT count(*) FROM memberships WHERE user_id = ? AND tenant_id <> ?", []any{userID, by.Tenant},
		&others)
	if err == nil && others > 0 {
		err = &domain.Error{Kind: domain.Denied,
			Message: words.Msg("refused_person_other_tenants")}
	}
	return err
}

// appendEverywhere logs a change of an account in each tenant of the user, or in the system's log if the user has no
// tenant. records are the rows of the account that changed; what somebody without a tenant has is recorded when they
// join one.
func (store *Store) appendEverywhere(t *sqldb.Tx, by access.Actor, userID string, ev auditlog.Event,
	records ...auditlog.RecordRef) error {
	return store.appendInEach(t, by, userID, func(string) (auditlog.Event, error) { return ev, nil }, records...)
}

// appendInEach is appendEverywhere with an event for each tenant.
func (store *Store) appendInEach(t *sqldb.Tx, by access.Actor, userID string,
	eventIn func(tenant string) (auditlog.Event, error),
	records ...auditlog.RecordRef) error {
	actors, err := sqldb.Collect(t, "SELECT tenant_id, role FROM memberships WHERE user_id = ? ORDER BY tenant_id LIMIT ?",
		[]any{userID, auditlog.MaxTenants},
		func(r sqldb.Scanner, a *access.Actor) error { return r.Scan(&a.Tenant, &a.Role) })
	if err != nil {
		return err
	}
	if actors == nil {
		actors = []access.Actor{{Tenant: reads.SystemTenant}}
	}
	for _, in := range actors {
		as := by
		as.Tenant = in.Tenant
		if by.ID == userID {
			as.Role = in.Role // its role in that tenant
		}
		if in.Tenant != reads.SystemTenant {
			auditlog.Record(t, in.Tenant, records...)
		}
		ev, err := eventIn(in.Tenant)
		if err != nil {
			return err
		}
		if err := store.AppendEvent(t, as, ev); err != nil {
			return err
		}
	}
	return nil
}
