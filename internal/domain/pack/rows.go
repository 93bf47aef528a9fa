package pack

import (
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/text"
)

// DecisionRow is what a list shows of a decision.
type DecisionRow struct {
	DecisionID    string
	Title         string
	AgentName     string
	EntityID      string
	ApprovalClass string // the effective one
	Level         Level
	SessionID     string
	DecidedAt     string
	CreatedAt     time.Time
	PackID        string // of the newest pack, "" without one
	PackState     State
	Missing       bool // it must have a pack and has none
}

// Row is what a list shows of a pack.
type Row struct {
	PackID        string
	DecisionID    string
	Version       int
	Supersedes    string
	SupersededBy  string
	State         State
	Revision      int
	Title         string
	AgentName     string
	ApprovalClass string // the effective one
	Level         Level
	SessionID     string
	Digest        string // from submission on
	Alarms        int    // that an approver acknowledges, as of submission
	Need          int    // approvers
	Approvals     int
	OnHold        bool
	MadeBy        string // id of who opened it
	CreatedAt     time.Time
	UpdatedAt     time.Time
	SubmittedAt   time.Time // zero until it is
	SignedAt      time.Time // zero until it is
	RetainUntil   time.Time
	Due           due.Date // without who set it
	WaitsForYou   bool     // the reader may approve it; set by lists for a reader
}

// FileRow is a stored file of a pack.
type FileRow struct {
	Name      string // FileJSON, …
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

// ExportRequest is a request for a copy of a pack, and the personal link it leads to.
type ExportRequest struct {
	ID        string
	PackID    string
	Title     string // the pack's
	Format    string // zip, json, markdown, pdf
	State     string
	AskedBy   string // id
	AskedName string // as shown
	AskedAt   time.Time
	Reason    string // why it is asked for, or was refused
	DecidedBy string // id, "" while asked
	DecidedAt time.Time
	LinkedAt  time.Time // zero until the link is made
	ExpiresAt time.Time // of the link
}

// Linked reports whether the link of a granted request was made.
func (e ExportRequest) Linked() bool { return !e.LinkedAt.IsZero() }

// Purge is a requested purge: the outcome of its dry run, and who confirmed it.
type Purge struct {
	ID          string
	PackID      string
	Title       string // "" once it is done
	State       string
	AskedBy     string
	AskedName   string
	AskedAt     time.Time
	Files       int // what the dry run found
	Bytes       int64
	Decision    bool // the decision is purged too, as no other pack is about it
	ConfirmedBy string
	ConfirmedAt time.Time
}

// Queue is what waits for somebody: at most a handful of each, with how many there are.
type Queue struct {
	// in review, and open to their decision, as they neither made nor approved them; longest waiting first
	Packs     []Row
	Exports   []ExportRequest // that they may grant
	Missing   []DecisionRow
	Returned  []Row // that they made, without a newer version
	Drafts    []Row // that they made or edited
	NPacks    int   // all of them
	NExports  int
	NMissing  int
	NReturned int
	NDrafts   int
}

// Query selects the packs to list, newest first. An empty field does not filter.
type Query struct {
	State      State
	Level      Level
	DecisionID string
	SessionID  string
	Due        due.State // late or soon; "" for all
	Waits      WaitsFor
	Reader     access.Actor // for Waits
	Text       string       // words that must all occur in title, ids, agent or entity
	Near       text.Nearness
	After      string // the next of the previous page
	Limit      int
}

// WaitsFor selects the packs that wait for somebody's approval. Values are names in the API.
type WaitsFor string

// ForMe selects those that the reader may approve.
const ForMe WaitsFor = "me"

// DecisionQuery selects the decisions to list, newest first. An empty field does not filter.
type DecisionQuery struct {
	Missing bool // only those that need a pack and have none
	Level   Level
	Text    string
	Near    text.Nearness
	After   string
	Limit   int
}
