package access

// LacksFactor reports whether somebody must not act in their role before they log in with a second factor (rule
// SEC-25): the tenant requires one, the role is at least an approver's or an auditor's, and the person has none.
func LacksFactor(required bool, role Role, has bool) bool {
	return required && !has && (role == Auditor || role.AtLeast(Approver))
}

// NeedsFactor reports whether an action is kept from who lacks a required second factor: what a reviewer may not do.
func NeedsFactor(what Action) bool {
	least, known := least[what]
	return !known || least.AtLeast(Approver)
}
