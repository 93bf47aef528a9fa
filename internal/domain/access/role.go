package access

// Role is what a person may do in a tenant.
type Role string

// The four roles, each allowed what those before it are (rule P-20).
const (
	Viewer   Role = "viewer"
	Reviewer Role = "reviewer"
	Approver Role = "approver"
	Admin    Role = "admin"
)

// Roles lists all roles, the lowest first.
var Roles = []Role{Viewer, Reviewer, Approver, Admin}

// Valid reports whether r is one of Roles.
func (r Role) Valid() bool { return r.rank() > 0 }

// AtLeast reports whether r has all the permissions of least; false if either is not a role.
func (r Role) AtLeast(least Role) bool {
	return r.rank() > 0 && least.rank() > 0 && r.rank() >= least.rank()
}

// AtMost returns the lower of r and limit.
func (r Role) AtMost(limit Role) Role {
	if r.AtLeast(limit) {
		return limit
	}
	return r
}

func (r Role) rank() int {
	for i, x := range Roles {
		if x == r {
			return i + 1
		}
	}
	return 0
}
