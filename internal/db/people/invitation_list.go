package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

const (
	selectInvitation = `SELECT i.id, i.tenant_id, t.name, i.login, i.name, i.email, i.role, i.invited_by, u.name,
		CASE WHEN m.disabled_at || u.disabled_at = '' THEN m.role ELSE '' END, i.request_id, i.invited_at, i.expires_at `
	fromInvitations = selectInvitation + `FROM invitations i JOIN tenants t ON t.id = i.tenant_id
		JOIN users u ON u.id = i.invited_by
		LEFT JOIN memberships m ON m.tenant_id = i.tenant_id AND m.user_id = i.invited_by `
)

func scanInvitation(r sqldb.Scanner, i *access.Invitation) error {
	return r.Scan(&i.ID, &i.Tenant, &i.TenantName, &i.Login, &i.Name, &i.Email, &i.Role, &i.By, &i.ByName, &i.Sender,
		&i.Request, sqldb.TimeInto(&i.At), sqldb.TimeInto(&i.ExpiresAt))
}

// Invitations lists the invitations of a tenant that wait, the newest first. One that the person declined is among
// them, and so is one that nobody can accept as things stand, which says so.
func (store *Store) Invitations(ctx context.Context, tenant string) (out []access.Invitation, err error) {
	err = store.Read(ctx, "Invitations", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, fromInvitations+
			"WHERE i.tenant_id = ? AND i.expires_at > ? ORDER BY i.invited_at DESC, i.login, i.rowid",
			[]any{tenant, sqldb.Stamp(store.Now())}, scanInvitation)
		if err != nil {
			return err
		}
		demand, err := demandOf(t, tenant)
		for n := range out {
			out[n].Void = !out[n].Holds(demand.On)
		}
		return err
	})
	return out, err
}

// InvitationByLink returns the invitation that a link is for, by the hash of its secret. The error is NotFound for a
// link that was used or withdrawn, whose time is over, whose sender may not invite any more, and that never was.
func (store *Store) InvitationByLink(ctx context.Context, hash string) (i access.Invitation, err error) {
	err = store.Read(ctx, "InvitationByLink", func(t *sqldb.Tx) error {
		i, err = store.invitationByLink(t, hash)
		return err
	})
	return i, err
}

func (store *Store) invitationByLink(t *sqldb.Tx, hash string) (access.Invitation, error) {
	i, err := sqldb.First(sqldb.Collect(t, fromInvitations+
		"WHERE i.link_hash = ? AND i.link_hash <> '' AND i.expires_at > ?",
		[]any{hash, sqldb.Stamp(store.Now())}, scanInvitation))
	if err != nil {
		return i, err
	}
	demand, err := demandOf(t, i.Tenant)
	if err == nil && !i.Holds(demand.On) {
		err = sqldb.NotFound()
	}
	return sqldb.OrZero(i, err)
}

// forPerson selects the invitations that a person may accept or decline. The account must have been there when its name
// was invited, and must be one of the whole installation.
const forPerson = selectInvitation + `FROM users me
	JOIN invitations i ON i.login = me.login AND i.invited_at >= me.created_at
	JOIN tenants t ON t.id = i.tenant_id JOIN users u ON u.id = i.invited_by
	JOIN memberships m ON m.tenant_id = i.tenant_id AND m.user_id = i.invited_by
	WHERE me.id = ?1 AND me.disabled_at = '' AND i.expires_at > ?2
		AND NOT EXISTS (SELECT 1 FROM memberships x WHERE x.tenant_id = i.tenant_id AND x.user_id = ?1)
		AND NOT EXISTS (SELECT 1 FROM declined_invitations d WHERE d.user_id = ?1 AND d.tenant_id = i.tenant_id AND d.until > ?2)
	ORDER BY i.invited_at DESC, t.slug LIMIT ?3`

// mostForPerson is how many invitations a person is shown at once.
const mostForPerson = 100

// InvitationsFor lists the invitations that a person may accept or decline, the newest first.
func (store *Store) InvitationsFor(ctx context.Context, userID string) (out []access.Invitation, err error) {
	err = store.Read(ctx, "InvitationsFor", func(t *sqldb.Tx) error {
		out, err = store.invitationsFor(t, userID)
		return err
	})
	return out, err
}

func (store *Store) invitationsFor(t *sqldb.Tx, userID string) (out []access.Invitation, err error) {
	all, err := sqldb.Collect(t, forPerson, []any{userID, sqldb.Stamp(store.Now()), mostForPerson}, scanInvitation)
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		demand, err := demandOf(t, i.Tenant)
		if err != nil {
			return nil, err
		}
		if !access.OfOneTenant(i.Login) && i.Holds(demand.On) {
			out = append(out, i)
		}
	}
	return out, nil
}
