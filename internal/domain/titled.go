package domain

import "time"

// Titled is a session, an evidence pack or a document by its name.
type Titled struct {
	ID, Title string
	SessionID string // of a pack: the one that it copies; of a document: the one that it belongs to
	Session   string // the title of a document's session
	Claims    int    // of a session
	At        time.Time
}

// Titles are the newest sessions, packs and documents of a tenant.
type Titles struct{ Sessions, Packs, Documents []Titled }
