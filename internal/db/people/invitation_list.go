package people

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

const fromInvitations = `SELECT i.id, i.tenant_id, t.name, i.login, i.role, i.invited_by, u.name, i.request_id, i.invited_at,
	i.expires_at FROM invitations i JOIN tenants t ON t.id = i.tenant_id JOIN users u ON u.id = i.invited_by `

func scanInvitation(r sqldb.Scanner, i *access.Invitation) error {
	return r.Scan(&i.ID, &i.Tenant, &i.TenantName, &i.Login, &i.Role, &i.By, &i.ByName, &i.Request,
		sqldb.TimeInto(&i.At),
		sqldb.TimeInto(&i.ExpiresAt))
}

// Invitations lists the invitations of a tenant that wait, the newest first. One that the person declined is among
// them.
func (store *Store) Invitations(ctx context.Context, tenant string) (out []access.Invitation, err error) {
	err = store.Read(ctx, "Invitations", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, fromInvitations+"WHERE i.tenant_id = ? AND i.expires_at > ? ORDER BY i.invited_at DESC, i.login",
			[]any{tenant, sqldb.Stamp(store.Now())}, scanInvitation)
		return err
	})
	return out, err
}

// forPerson selects the invitations that a person may accept or decline, each with the role that the sender has now in
// the tenant, "" if they may not enter it. The account must have been there when its name was invited, and must be one
// of the whole installation.
const forPerson = `SELECT i.id, i.tenant_id, t.name, i.login, i.role, i.invited_by, u.name, i.request_id, i.invited_at,
	i.expires_at, CASE WHEN m.disabled_at || u.disabled_at = '' THEN m.role ELSE '' END
	FROM users me JOIN invitations i ON i.login = me.login AND i.invited_at >= me.created_at
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
	senders := map[string]access.Role{} // by invitation
	args := []any{userID, sqldb.Stamp(store.Now()), mostForPerson}
	all, err := sqldb.Collect(t, forPerson, args, func(r sqldb.Scanner, i *access.Invitation) error {
		var sender access.Role
		err := r.Scan(&i.ID, &i.Tenant, &i.TenantName, &i.Login, &i.Role, &i.By, &i.ByName, &i.Request,
			sqldb.TimeInto(&i.At),
			sqldb.TimeInto(&i.ExpiresAt), &sender)
		senders[i.ID] = sender
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, i := range all {
		demand, err := demandOf(t, i.Tenant)
		if err != nil {
			return nil, err
		}
		if !access.OfOneTenant(i.Login) && i.Holds(senders[i.ID], demand.On) {
			out = append(out, i)
		}
	}
	return out, nil
}
