package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// AddMember gives an existing user a role in by's tenant. Only the operator may do this, since a tenant's admin does
// not know which other users exist. Conflict if the user has one.
func (store *Store) AddMember(ctx context.Context, by access.Actor, userID string, role access.Role) error {
	if err := checkRole(role); err != nil {
		return err
	}
	return store.writeRoles(ctx, "AddMember", func(t *sqldb.Tx) error {
		if err := operatorOnly(by); err != nil {
			return err
		}
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return err
		}
		if err := userExists(t, userID); err != nil {
			return err
		}
		return store.join(t, by, userID, role, "")
	})
}

// join adds a membership and logs it, with the id of the invitation that it comes from, "" if none.
func (store *Store) join(t *sqldb.Tx, by access.Actor, userID string, role access.Role, invitation string) error {
	_, err := t.Exec(`INSERT INTO memberships (tenant_id, user_id, role, title, disabled_at, created_at)
		VALUES (?, ?, ?, '', '', ?)`,
		by.Tenant, userID, string(role), sqldb.Stamp(store.Now()))
	if err != nil {
		return sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "refused_invite_member"))
	}
	account, err := auditlog.AccountRecords(t, userID)
	if err != nil {
		return err
	}
	auditlog.Record(t, by.Tenant, append(account, auditlog.Wrote("memberships", []any{userID}))...)
	details := map[string]any{"role": string(role)}
	if invitation != "" {
		details["invitation"] = invitation
	}
	return store.AppendEvent(t, by, userEvent("user.added", userID, details))
}
