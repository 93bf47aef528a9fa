package access

// Actor is who makes a request. Every handler gets one, and every stored change names it.
type Actor struct {
	Tenant string // tenant id (UUID)
	ID     string // id (UUID) of the user or machine token, or Operator; the only name of an actor in the log
	User   string // display name, for reviews and pages; never in the log
	Title  string // job title in the tenant, "" for none; what the person signs as; never in the log
	Role   Role
	Token  string // id of the API token that was used, "" for a login
	Scopes string // that the token is narrowed to, separated by spaces; "" for all
	// Unproven is whether the tenant requires a second factor for the role, and the person logged in without one.
	Unproven bool
	Human    bool   // a person, or a token that acts as one; a machine's token may not sign
	From     string // address the request came from, "" if none; in the log
	Trace    string // trace or request id, which links the log to the server's own log lines
	Why      string // the reason given for a change that may need a second administrator (rule P-29), "" if none
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
