package people

import (
	"context"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// WithdrawInvitation takes an invitation of a's tenant back.
func (store *Store) WithdrawInvitation(ctx context.Context, a access.Actor, id string) error {
	return store.Write(ctx, sqldb.EveryTenant, "WithdrawInvitation", func(t *sqldb.Tx) error {
		i, err := sqldb.First(sqldb.Collect(t,
			fromInvitations+"WHERE i.tenant_id = ? AND i.id = ? AND i.expires_at > ?",
			[]any{a.Tenant, id, sqldb.Stamp(store.Now())}, scanInvitation))
		if err != nil {
			return err
		}
		return store.endInvitation(t, a, "invitation.withdrawn", &i)
	})
}

// endInvitation deletes an invitation and logs why.
func (store *Store) endInvitation(t *sqldb.Tx, by access.Actor, action string, i *access.Invitation) error {
	if _, err := t.Exec("DELETE FROM invitations WHERE tenant_id = ? AND id = ?", i.Tenant, i.ID); err != nil {
		return err
	}
	auditlog.Record(t, i.Tenant, auditlog.Deleted("invitations", i.ID))
	return store.AppendEvent(t, by, invitationEvent(action, i))
}

// LapseInvitations ends those whose time is over, in every tenant.
func (store *Store) LapseInvitations(ctx context.Context) error {
	var tenants []string
	err := store.Read(ctx, "LapseInvitations", func(t *sqldb.Tx) (err error) {
		tenants, err = sqldb.Collect(t, "SELECT DISTINCT tenant_id FROM invitations WHERE expires_at <= ? ORDER BY tenant_id",
			[]any{sqldb.Stamp(store.Now())}, sqldb.ScanText)
		return err
	})
	for _, tenant := range tenants { // the log of one may be read-only
		err = errors.Join(err, store.Write(ctx, sqldb.EveryTenant, "LapseInvitations",
			func(t *sqldb.Tx) error { return store.lapseInvitations(t, tenant) }))
	}
	return err
}

func (store *Store) lapseInvitations(t *sqldb.Tx, tenant string) error {
	late, err := sqldb.Collect(t, fromInvitations+
		"WHERE i.tenant_id = ? AND i.expires_at <= ? ORDER BY i.invited_at, i.login, i.rowid",
		[]any{tenant, sqldb.Stamp(store.Now())}, scanInvitation)
	for k := range late {
		if err := store.endInvitation(t, auditlog.SystemActor(tenant), "invitation.lapsed", &late[k]); err != nil {
			return err
		}
	}
	return err
}

// DeclineInvitation hides an invitation from a person, and others of that tenant until it would have ended. The tenant
// is not told, because that would tell that somebody has the name: its list and its log stay as they are, and the
// system's log has the event.
func (store *Store) DeclineInvitation(ctx context.Context, who access.Actor, id string) error {
	return store.Write(ctx, sqldb.EveryTenant, "DeclineInvitation", func(t *sqldb.Tx) error {
		i, err := store.invitationFor(t, who.ID, id)
		if err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM declined_invitations WHERE until <= ? OR user_id = ? AND tenant_id = ?",
			sqldb.Stamp(store.Now()), who.ID, i.Tenant); err != nil {
			return err
		}
		if _, err := t.Exec("INSERT INTO declined_invitations (user_id, tenant_id, until) VALUES (?, ?, ?)",
			who.ID, i.Tenant, sqldb.Stamp(i.ExpiresAt)); err != nil {
			return err
		}
		who.Tenant = reads.SystemTenant
		return store.AppendEvent(t, who, invitationEvent("invitation.declined", &i))
	})
}
