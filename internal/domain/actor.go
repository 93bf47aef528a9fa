package domain

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

// Actor is who makes a request. Every handler gets one, and every stored change names it.
type Actor struct {
	Tenant string // tenant id (UUID)
	ID     string // id (UUID) of the user or machine token, or Operator; the only name of an actor in the log
	User   string // display name, for reviews and pages; never in the log
	Role   Role
	Token  string // id of the API token that was used, "" for a login
	Human  bool   // a person, or a token that acts as one; a machine's token may not sign
	From   string // address the request came from, "" if none; in the log
	Trace  string // trace or request id, which links the log to the server's own log lines
}

// Operator is the id of anyone who works at the server's command line.
const Operator = "operator"

// System is the id of the server itself, for events that nobody asked for.
const System = "system"

// Anonymous is the id of a client that has not been identified.
const Anonymous = "anonymous"

// AtCommandLine returns the operator as an actor in a tenant.
func AtCommandLine(tenant string) Actor {
	return Actor{Tenant: tenant, ID: Operator, User: Operator, Role: Admin}
}
