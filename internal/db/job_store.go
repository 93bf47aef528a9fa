package db

import (
	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
)

// jobStore stores work that is done in the background.
type jobStore struct {
	*receipts.Store
	files     *originals.Files
	jobSignal jobSignal
}
