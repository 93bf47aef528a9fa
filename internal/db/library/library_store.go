// Package library stores the library: documents with versions, their files, and which sessions rest on them.
package library

import (
	"sanad/internal/db/originals"
	"sanad/internal/db/receipts"
)

// Store stores the documents of the library.
type Store struct {
	*receipts.Store
	Needs Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Files *originals.Files
}
