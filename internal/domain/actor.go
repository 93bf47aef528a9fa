package domain

// Role is what a person may do in a tenant.
type Role string

// The four roles, each allowed what those before it are (spec page 4 "Access").
const (
	Viewer   Role = "viewer"
	Reviewer Role = "reviewer"
	Approver Role = "approver"
	Admin    Role = "admin"
)

// Actor is who asks: every handler gets one and every stored change names it.
type Actor struct {
	Tenant string // tenant id (UUID)
	User   string // shown name
	Role   Role
}
