package db

import "sanad/internal/db/originals"

// jobStore stores work that is done in the background.
type jobStore struct {
	*receiptStore
	files     *originals.Files
	jobSignal jobSignal
}
