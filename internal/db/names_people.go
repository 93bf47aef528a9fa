package db

import "sanad/internal/db/people"

// What callers know of package people by the store's name.
type (
	AskedError  = people.AskedError
	Membership  = people.Membership
	NewPassword = people.NewPassword
	SignedIn    = people.SignedIn
	Tenant      = people.Tenant
	User        = people.User
	peopleStore = people.Store
)

// What callers know of package people by the store's name.
var (
	TOTPContext = people.TOTPContext
)
