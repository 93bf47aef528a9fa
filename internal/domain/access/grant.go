package access

import "sanad/internal/domain"

// MayGrant reports whether an actor may decide about exports; machines never may (rule P-12).
func MayGrant(a domain.Actor) bool {
	return a.Human && a.ID != domain.Operator && a.Role.AtLeast(domain.Approver)
}
