package access

// MayGrant reports whether an actor may decide about exports; machines never may (rule P-12).
func MayGrant(a Actor) bool {
	return a.Human && a.ID != Operator && a.Role.AtLeast(Approver)
}
