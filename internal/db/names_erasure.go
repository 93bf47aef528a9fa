package db

import "sanad/internal/db/erasure"

// What callers know of package erasure by the store's name.
type (
	erasureStore = erasure.Store
)
