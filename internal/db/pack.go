package db

import (
	"time"

	"sanad/internal/domain/pack"
)

// PackView is everything about one pack.
type PackView struct {
	Content  pack.Content
	Life     *pack.Life
	Chain    pack.Chain        // Life, then the versions it supersedes, the newest first
	Versions []pack.Row        // of all versions of the pack, the oldest first
	JSON     []byte            // pack.json's bytes from submission on, nil for a draft
	Files    []pack.FileRow    // what is stored, by name; pack.json from submission on, the others from sign-off on
	Events   []StoredEvent     // what the log says of the pack, the oldest first
	Holds    []pack.HoldChange // the oldest first
	Texts    map[int]string    // of a draft: the stored document's whole text by source position, for Content.Validate
	SignedAt time.Time         // zero until it is
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

// Answering is how a request with an Idempotency-Key gets its receipt: Receipt makes it of what was done, in the same
// transaction. The zero Answering is a request without a key. Where the key has been answered already, nothing is
// done and the error is a *ReplayError.
type Answering struct {
	Key     string
	Receipt func(*PackView) (*Receipt, error)
}
