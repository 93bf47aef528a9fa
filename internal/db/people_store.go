package db

// peopleStore stores tenants, people, machines, their roles, passwords, tokens and keys, and changes that wait for a second
// administrator.
type peopleStore struct {
	*auditLog
	roles  func() // Options.RolesChanged; may be nil
	failed failedLogins
}
