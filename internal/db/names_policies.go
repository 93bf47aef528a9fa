package db

import "sanad/internal/db/policies"

// What callers know of package policies by the store's name.
type (
	policyStore = policies.Store
)
