package access

import (
	"time"
)

// The bounds of invitations.
const (
	InvitationFor       = 14 * 24 * time.Hour // how long one waits for the person
	MostInvitations     = 100                 // of a tenant that can wait at once
	MostInvitationsADay = 200                 // that a tenant can send within 24 hours, withdrawn ones included
)

// Invitation asks whoever has a login name of the whole installation to join a tenant with a role (rule SEC-24).
// Whether anybody has the name is not known to the tenant before that person accepts.
type Invitation struct {
	ID                 string
	Tenant, TenantName string
	Login              string // folded
	Role               Role
	By, ByName         string // the administrator who sent it
	Request            string // id of the request that a second administrator confirmed, "" if none
	At, ExpiresAt      time.Time
}

// MayInvite returns why somebody may not invite with a role, nil if they may: only a person whose own role is no lower,
// and who is an administrator.
func MayInvite(who Actor, role Role) error {
	if !who.Human || !who.Role.AtLeast(Admin) || !who.Role.AtLeast(role) {
		return denied("refused_invite_person")
	}
	return nil
}

// Holds reports whether an invitation can still be accepted as far as who sent it goes, by now in the role by, "" if
// they may not enter the tenant any more. demanded says that the tenant requires a second administrator now.
func (i *Invitation) Holds(by Role, demanded bool) bool {
	sender := Actor{ID: i.By, Role: by, Human: true}
	if MayInvite(sender, i.Role) != nil {
		return false
	}
	return !demanded || i.Request != "" || !NeedsSecond(sender, &Change{Kind: InvitePerson, Role: i.Role})
}
