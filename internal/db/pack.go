package db

import (
	"time"

	"sanad/internal/domain/pack"
)

// PackView is everything about one pack.
type PackView struct {
	Content  pack.Content
	Life     *pack.Life
	Chain    pack.Chain     // Life, then the versions it supersedes, the newest first
	Versions []PackRow      // of all versions of the pack, the oldest first
	JSON     []byte         // pack.json's bytes from submission on, nil for a draft
	Files    []PackFileRow  // what is stored, by name; pack.json from submission on, the others from sign-off on
	Events   []StoredEvent  // what the log says of the pack, the oldest first
	Holds    []HoldChange   // the oldest first
	Texts    map[int]string // of a draft: the stored document's whole text by source position, for Content.Validate
	SignedAt time.Time      // zero until it is
}

// PackRow is what a list shows of a pack.
type PackRow struct {
	PackID        string
	DecisionID    string
	Version       int
	Supersedes    string
	SupersededBy  string
	State         pack.State
	Revision      int
	Title         string
	AgentName     string
	ApprovalClass string // the effective one
	Level         pack.Level
	SessionID     string
	Digest        string // from submission on
	Need          int    // approvers
	Approvals     int
	OnHold        bool
	MadeBy        string // id of who opened it
	CreatedAt     time.Time
	UpdatedAt     time.Time
	SubmittedAt   time.Time // zero until it is
	SignedAt      time.Time // zero until it is
	RetainUntil   time.Time
}

// PackQuery says which packs to list, the newest first.
type PackQuery struct {
	State      pack.State // "" for all
	Level      pack.Level // "" for all
	DecisionID string     // "" for all
	SessionID  string     // "" for all
	Text       string     // words that all stand in title, ids, agent or entity, in any form
	After      string     // the next of the page before
	Limit      int
}

// PackFileRow is a stored file of a pack.
type PackFileRow struct {
	Name      string // pack.FileJSON, …
	MediaType string
	Size      int64
	SHA256    string // hex
}

// HoldChange is a legal hold that was set or lifted.
type HoldChange struct {
	Set    bool
	Actor  string
	At     time.Time
	Reason string
}

// Answering is how a request with an Idempotency-Key gets its receipt: Receipt makes it of what was done, in the same
// transaction. The zero Answering is a request without a key. Where the key has been answered already, nothing is done and
// the error is a *ReplayError.
type Answering struct {
	Key     string
	Receipt func(*PackView) (*Receipt, error)
}
