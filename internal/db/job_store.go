package db

import (
	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
)

// jobStore stores work that is done in the background.
type jobStore struct {
	*receipts.Store
	jobSignal jobSignal
	Needs     jobNeeds
}

// jobNeeds is what the facade gives this room.
type jobNeeds struct {
	Files *originals.Files
}
