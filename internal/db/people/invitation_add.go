package people

import (
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Invite invites whoever has a login name of the whole installation to by's tenant (rule SEC-24). It reads rows of the
// own tenant only, so neither the answer nor its time tells whether anybody has the name. Conflict if a member of the
// tenant has it, if it is invited already, or if too many invitations wait.
func (store *Store) Invite(ctx context.Context, by access.Actor, login string,
	role access.Role) (i access.Invitation, err error) {
	if err := checkRole(role); err != nil {
		return i, err
	}
	if err := access.MayInvite(by, role); err != nil {
		return i, err
	}
	return store.changeInvite(ctx, "Invite", by,
		&access.Change{Kind: access.InvitePerson, Object: access.FoldLogin(login), Role: role})
}

// InviteByLink invites whoever is first to use a link, to a new account of by's tenant (rule SEC-24). The store is
// given the hash of the link's secret only. Conflict if too many invitations wait.
func (store *Store) InviteByLink(ctx context.Context, by access.Actor,
	link access.Link) (i access.Invitation, err error) {
	link = access.FoldLink(link)
	if err := checkRole(link.Role); err != nil {
		return i, err
	}
	if err := access.MayInvite(by, link.Role); err != nil {
		return i, err
	}
	if err := link.Check(); err != nil {
		return i, err
	}
	return store.changeInvite(ctx, "InviteByLink", by, &access.Change{Kind: access.InvitePerson, Object: store.NewID(),
		Role: link.Role, Name: link.Name, Email: link.Email, Link: link.Hash, LinkDays: link.Days})
}

func (store *Store) changeInvite(ctx context.Context, op string, by access.Actor,
	c *access.Change) (i access.Invitation, err error) {
	err = store.Change(ctx, op, by, c, func(t *sqldb.Tx) error {
		i, err = store.invite(t, by, c)
		return err
	})
	return i, err
}

func (store *Store) invite(t *sqldb.Tx, by access.Actor, c *access.Change) (access.Invitation, error) {
	now := store.Now().UTC()
	i := access.Invitation{Tenant: by.Tenant, Name: c.Name, Email: c.Email, Role: c.Role, By: by.ID, ByName: by.User,
		Sender: by.Role, Request: auditlog.LogOf.Of(t).Request, At: now}
	if c.LinkDays > 0 {
		i.ID, i.ExpiresAt = c.Object, now.Add(time.Duration(c.LinkDays)*24*time.Hour)
		if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
			return i, err
		}
	} else {
		i.ID, i.Login, i.ExpiresAt = store.NewID(), c.Object, now.Add(access.InvitationFor)
		if err := mayBeInvited(t, by.Tenant, i.Login); err != nil {
			return i, err
		}
	}
	if err := store.lapseInvitations(t, by.Tenant); err != nil {
		return i, err
	}
	open := 0
	err := t.Row("SELECT count(*) FROM invitations WHERE tenant_id = ?", []any{by.Tenant}, &open)
	if err == nil && open >= access.MostInvitations {
		err = domain.Refuse(domain.Conflict, "", "refused_invite_many", "N", open)
	}
	if err == nil {
		err = boundInvitations(t, by.Tenant, now)
	}
	if err != nil {
		return i, err
	}
	_, err = t.Exec(`INSERT INTO invitations (tenant_id, id, login, link_hash, name, email, role, invited_by, invited_at,
		expires_at, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		i.Tenant, i.ID, i.Login, c.Link, i.Name, i.Email, string(i.Role), i.By, sqldb.Stamp(i.At),
		sqldb.Stamp(i.ExpiresAt), i.Request)
	if err != nil {
		return i, sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "fault_invite_again"))
	}
	auditlog.Record(t, i.Tenant, auditlog.Wrote("invitations", []any{i.ID}))
	return i, store.AppendEvent(t, by, invitationEvent("invitation.sent", &i))
}

// boundInvitations refuses more invitations than a tenant may send in a day, so that inviting and withdrawing neither
// fills the log nor bothers people.
func boundInvitations(t *sqldb.Tx, tenant string, now time.Time) error {
	sent := 0
	err := t.Row(`SELECT count(*) FROM (SELECT at FROM events WHERE tenant_id = ? AND action = 'invitation.sent'
		ORDER BY seq DESC LIMIT ?) AS newest WHERE at > ?`,
		[]any{tenant, access.MostInvitationsADay, sqldb.Stamp(now.Add(-24 * time.Hour))}, &sent)
	if err == nil && sent >= access.MostInvitationsADay {
		err = domain.Refuse(domain.Conflict, "", "refused_invite_day", "N", sent)
	}
	return err
}

// mayBeInvited returns an error if a name is that of a member, or cannot be one of the whole installation.
func mayBeInvited(t *sqldb.Tx, tenant, login string) error {
	member := false // CROSS JOIN and +: read from the tenant's members, not from all people who have the name
	err := t.Row(`SELECT EXISTS (SELECT 1 FROM memberships m CROSS JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND +u.login = ?)`, []any{tenant, login}, &member)
	if err == nil && member {
		err = domain.Refuse(domain.Conflict, "", "refused_invite_member")
	}
	if err != nil {
		return err
	}
	return access.CheckGlobalLogin(login)
}

// invitationEvent returns an event about an invitation: its role, whether it is a link, and no name.
func invitationEvent(action string, i *access.Invitation) auditlog.Event {
	details := map[string]any{"role": string(i.Role), "expires_at": sqldb.Stamp(i.ExpiresAt)}
	if i.ByLink() {
		details["link"] = true
	}
	return auditlog.Event{Action: action, Kind: "invitation", ObjectID: i.ID, Details: details}
}
