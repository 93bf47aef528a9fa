package ledger

import (
	"slices"
	"time"

	"sanad/internal/domain/text"
)

// FindKind is what a search finds.
type FindKind string

// The kinds, in the order in which they are listed.
const (
	FindClaims   FindKind = "claim"
	FindAnswers  FindKind = "answer"  // a part of 4,000 code points of one
	FindPassages FindKind = "passage" // a chunk of a document
	FindNotes    FindKind = "note"    // the reason or comment of a review
)

// FindKinds lists them in that order. A kind is stored by its place in it: append only (pinned by db/stored_test.go).
var FindKinds = []FindKind{FindClaims, FindAnswers, FindPassages, FindNotes}

// Valid reports whether k is one of the four.
func (k FindKind) Valid() bool { return slices.Contains(FindKinds, k) }

// HasVerdict reports whether what is found is of a claim.
func (k FindKind) HasVerdict() bool { return k == FindClaims || k == FindNotes }

// Found is one thing that a search found.
type Found struct {
	Kind         FindKind
	SessionID    string
	SessionTitle string
	State        State     // of the session
	At           time.Time // when the session came in, or the note was written
	Excerpt      text.Excerpt
	Claim        int     // position of the claim, of that beside what was found in an answer, -1 for none
	Verdict      Verdict // effective, of a claim or the claim of a note
	Confidence   float64 // the machine's
	Overridden   bool    // the verdict is a person's
	Actor        string  // who wrote a note
	DocumentID   string  // of a passage, as all below
	Document     string  // its title, else its file name
	Filename     string
	Chunk        int // position
	Page         int // 0 where there are no pages
	Withdrawn    bool
}

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

// The pages whose filters may be kept, as they are stored.
const (
	SavedSessions = "sessions"
	SavedLedger   = "ledger" // of any session
	SavedSearch   = "search"
)

// SavedPages lists them in display order.
var SavedPages = []string{SavedSessions, SavedLedger, SavedSearch}

// SavedView is the filters of a page, kept under a name.
type SavedView struct {
	ID        string
	Page      string // one of SavedPages
	Name      string
	Query     string // the page's parameters, encoded
	Shared    bool   // everybody of the tenant sees it
	Own       bool   // it is the reader's
	Owner     string // name of whose it is
	CreatedAt time.Time
}
