package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

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
func (s *Store) InvitationsFor(ctx context.Context, userID string) (out []access.Invitation, err error) {
	err = s.Read(ctx, "InvitationsFor", func(t *sqldb.Tx) error {
		out, err = s.invitationsFor(t, userID)
		return err
	})
	return out, err
}

func (s *Store) invitationsFor(t *sqldb.Tx, userID string) (out []access.Invitation, err error) {
	senders := map[string]access.Role{} // by invitation
	args := []any{userID, sqldb.Stamp(s.Now()), mostForPerson}
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

// invitationFor returns one of a person's invitations; NotFound for any other.
func (s *Store) invitationFor(t *sqldb.Tx, userID, id string) (access.Invitation, error) {
	all, err := s.invitationsFor(t, userID)
	for i := range all {
		if all[i].ID == id && err == nil {
			return all[i], nil
		}
	}
	if err == nil {
		err = sqldb.NotFound()
	}
	return access.Invitation{}, err
}

// AcceptInvitation makes a person a member of the tenant that invited them. The membership is given in the name of who
// invited them, for whom it counts under rule P-22.
func (s *Store) AcceptInvitation(ctx context.Context, who access.Actor, id string) (i access.Invitation, err error) {
	err = s.writeRoles(ctx, "AcceptInvitation", func(t *sqldb.Tx) error {
		if i, err = s.invitationFor(t, who.ID, id); err != nil {
			return err
		}
		auditlog.LogOf.Of(t).Request = i.Request
		err := s.join(t, access.Actor{Tenant: i.Tenant, ID: i.By, User: i.ByName, Role: access.Admin, Human: true},
			who.ID, i.Role)
		auditlog.LogOf.Of(t).Request = ""
		if err != nil {
			return err
		}
		who.Tenant, who.Role = i.Tenant, i.Role
		return s.endInvitation(t, who, "invitation.accepted", &i)
	})
	return i, err
}

// DeclineInvitation hides an invitation from a person, and others of that tenant until it would have ended. The tenant
// is not told, because that would tell that somebody has the name: its list and its log stay as they are, and the
// system's log has the event.
func (s *Store) DeclineInvitation(ctx context.Context, who access.Actor, id string) error {
	return s.Write(ctx, sqldb.EveryTenant, "DeclineInvitation", func(t *sqldb.Tx) error {
		i, err := s.invitationFor(t, who.ID, id)
		if err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM declined_invitations WHERE until <= ? OR user_id = ? AND tenant_id = ?",
			sqldb.Stamp(s.Now()), who.ID, i.Tenant); err != nil {
			return err
		}
		if _, err := t.Exec("INSERT INTO declined_invitations (user_id, tenant_id, until) VALUES (?, ?, ?)",
			who.ID, i.Tenant, sqldb.Stamp(i.ExpiresAt)); err != nil {
			return err
		}
		who.Tenant = reads.SystemTenant
		return s.AppendEvent(t, who, invitationEvent("invitation.declined", &i))
	})
}
