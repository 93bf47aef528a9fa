package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// invitationFor returns one of a person's invitations; NotFound for any other.
func (store *Store) invitationFor(t *sqldb.Tx, userID, id string) (access.Invitation, error) {
	all, err := store.invitationsFor(t, userID)
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
func (store *Store) AcceptInvitation(ctx context.Context, who access.Actor,
	id string) (i access.Invitation, err error) {
	err = store.writeRoles(ctx, "AcceptInvitation", func(t *sqldb.Tx) error {
		if i, err = store.invitationFor(t, who.ID, id); err != nil {
			return err
		}
		who.Tenant, who.Role = i.Tenant, i.Role
		return store.acceptAs(t, who, &i, func(inviter access.Actor) error {
			return store.join(t, inviter, who.ID, i.Role, i.ID)
		})
	})
	return i, err
}

// Join makes the account that an invitation by link is for: u has the name, the login name and the password that the
// person chose. The address, the role and in whose name the account is made are the invitation's (rule P-22). In the
// same transaction the link is used up. NotFound as for InvitationByLink; any other error leaves the link as it was.
func (store *Store) Join(ctx context.Context, from access.Actor, hash string, u User) (User, error) {
	u.Login, u.ID, u.CreatedAt = access.FoldLogin(u.Login), store.NewID(), store.Now().UTC()
	u.Contact, u.TOTP, u.TOTPStep, u.Disabled = "", nil, 0, false
	err := store.writeRoles(ctx, "Join", func(t *sqldb.Tx) error {
		i, err := store.invitationByLink(t, hash)
		if err != nil {
			return err
		}
		scope, err := accountScope(t, i.Tenant)
		if err == nil && scope == "" {
			err = access.CheckOwnLogin(u.Login)
		}
		if err != nil {
			return err
		}
		u.Email = i.Email
		from.Tenant, from.ID, from.User, from.Role, from.Human = i.Tenant, u.ID, u.Name, i.Role, true
		return store.acceptAs(t, from, &i, func(inviter access.Actor) error {
			return store.addUser(t, inviter, &u, i.Role, i.ID)
		})
	})
	return u, err
}

// acceptAs gives a membership in the name of who sent the invitation, and ends the invitation in the name of who
// accepts it.
func (store *Store) acceptAs(t *sqldb.Tx, who access.Actor, i *access.Invitation,
	give func(inviter access.Actor) error) error {
	auditlog.LogOf.Of(t).Request = i.Request
	err := give(access.Actor{Tenant: i.Tenant, ID: i.By, User: i.ByName, Role: access.Admin, Human: true})
	auditlog.LogOf.Of(t).Request = ""
	if err != nil {
		return err
	}
	return store.endInvitation(t, who, "invitation.accepted", i)
}
