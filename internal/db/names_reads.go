package db

import "sanad/internal/db/reads"

// What callers know of package reads by the store's name.
const (
	SystemTenant = reads.SystemTenant
)
