package access

// Role is what a person may do in a tenant.
type Role string

// The roles (rule P-20). Each of the first four is allowed what those before it are. An auditor reads everything, the
// log included, and changes nothing.
const (
	Viewer   Role = "viewer"
	Reviewer Role = "reviewer"
	Approver Role = "approver"
	Admin    Role = "admin"
	Auditor  Role = "auditor"
)

// Roles lists all roles: the lowest first, then the auditor's, which is beside them.
var Roles = []Role{Viewer, Reviewer, Approver, Admin, Auditor}

// Valid reports whether r is one of Roles.
func (r Role) Valid() bool { return r.rank() > 0 }

// May reports whether a role is allowed an action.
func (r Role) May(what Action) bool {
	if r == Auditor {
		return audits[what]
	}
	least, known := least[what]
	return known && r.AtLeast(least)
}

// AtLeast reports whether r has all the permissions of least; false if either is not a role. Of the other roles only
// an administrator has those of an auditor, and an auditor has those of no other role.
func (r Role) AtLeast(least Role) bool {
	switch {
	case r == Auditor:
		return least == Auditor
	case least == Auditor:
		return r == Admin
	}
	return r.rank() > 0 && least.rank() > 0 && r.rank() >= least.rank()
}

// AtMost returns the lower of r and limit; "", which is allowed nothing, if neither has all permissions of the other.
func (r Role) AtMost(limit Role) Role {
	switch {
	case r.AtLeast(limit):
		return limit
	case limit.AtLeast(r):
		return r
	}
	return ""
}

// ReadsWithdrawn reports whether a role is shown the text of documents that were withdrawn (rule ER-3).
func (r Role) ReadsWithdrawn() bool { return r == Auditor || r.AtLeast(Reviewer) }

func (r Role) rank() int {
	for i, x := range Roles {
		if x == r {
			return i + 1
		}
	}
	return 0
}
