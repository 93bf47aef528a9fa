// Package jobs stores work that is done in the background.
package jobs

import (
	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
)

// Store stores work that is done in the background.
type Store struct {
	*receipts.Store
	JobSignal jobSignal
	Needs     Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Files *originals.Files
}
