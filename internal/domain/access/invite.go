package access

import (
	"strings"
	"time"

	"sanad/internal/domain"
)

// The bounds of invitations.
const (
	InvitationFor       = 14 * 24 * time.Hour // how long one waits for the person who has the name
	LinkDays            = 7                   // how long a link can be used, in days, unless its sender says otherwise
	MostLinkDays        = 30                  // and at most
	MostInvitations     = 100                 // of a tenant that can wait at once
	MostInvitationsADay = 200                 // that a tenant can send within 24 hours, withdrawn ones included
)

// Invitation asks somebody to join a tenant with a role (rule SEC-24): whoever has a login name of the whole
// installation, or whoever uses a link first, who gets a new account. Whether anybody has the name is not known to the
// tenant before that person accepts.
type Invitation struct {
	ID                 string
	Tenant, TenantName string
	Login              string // folded; "" for a link
	Name, Email        string // of the new account that a link makes, "" if none; the person chooses another name
	Role               Role
	By, ByName         string // the administrator who sent it
	Sender             Role   // that the sender has now, "" if they may not enter the tenant any more
	Request            string // id of the request that a second administrator confirmed, "" if none
	At, ExpiresAt      time.Time
	Void               bool // nobody can accept it as things stand; set by lists
}

// ByLink reports whether the invitation is for whoever uses its link.
func (i *Invitation) ByLink() bool { return i.Login == "" }

// Link is what an administrator says of an invitation by link.
type Link struct {
	Hash        string // SHA-256 of its secret
	Role        Role
	Name, Email string // of the new account, "" if none
	Days        int    // how long it can be used, from when it takes effect
}

// Check returns an error if there can be no such link.
func (l *Link) Check() error {
	if l.Days < 1 || l.Days > MostLinkDays {
		return domain.Refuse(domain.Invalid, "days", "refused_link_days", "N", MostLinkDays)
	}
	if l.Name != "" {
		if err := CheckName("name", l.Name); err != nil {
			return err
		}
	}
	return CheckEmail(l.Email)
}

// CheckOwnLogin returns an error if a folded login name cannot be one that somebody who uses a link chooses: with an @
// it could be taken for another's address.
func CheckOwnLogin(login string) error {
	if !localForm.MatchString(login) || CheckLogin(login) != nil {
		return domain.Refuse(domain.Invalid, "login", "refused_login_own")
	}
	return nil
}

// FoldLink returns a link with its name and address in the form in which they are stored.
func FoldLink(l Link) Link {
	l.Name, l.Email = strings.TrimSpace(l.Name), FoldLogin(l.Email)
	return l
}

// MayInvite returns why somebody may not invite with a role, nil if they may: only a person whose own role is no lower,
// and who is an administrator.
func MayInvite(who Actor, role Role) error {
	if !who.Human || !who.Role.AtLeast(Admin) || !who.Role.AtLeast(role) {
		return denied("refused_invite_person")
	}
	return nil
}

// Holds reports whether an invitation can still be accepted as far as who sent it goes. demanded says that the tenant
// requires a second administrator now.
func (i *Invitation) Holds(demanded bool) bool {
	sender := Actor{ID: i.By, Role: i.Sender, Human: true}
	if MayInvite(sender, i.Role) != nil {
		return false
	}
	return !demanded || i.Request != "" || !NeedsSecond(sender, &Change{Kind: InvitePerson, Role: i.Role})
}
