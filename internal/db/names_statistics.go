package db

import "sanad/internal/db/statistics"

// What callers know of package statistics by the store's name.
type (
	statisticsStore = statistics.Store
)
