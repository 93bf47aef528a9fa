// Package library stores the library: documents with versions, their files, and which sessions rest on them.
package library

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/originals"
)

// Store stores the documents of the library.
type Store struct {
	*auditlog.Store
	Needs Needs
}

// Needs is what the facade gives this room.
type Needs struct {
	Files *originals.Files
}
