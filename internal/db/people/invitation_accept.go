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
		auditlog.LogOf.Of(t).Request = i.Request
		err := store.join(t, access.Actor{Tenant: i.Tenant, ID: i.By, User: i.ByName, Role: access.Admin, Human: true},
			who.ID, i.Role)
		auditlog.LogOf.Of(t).Request = ""
		if err != nil {
			return err
		}
		who.Tenant, who.Role = i.Tenant, i.Role
		return store.endInvitation(t, who, "invitation.accepted", &i)
	})
	return i, err
}
