package ledger

import "time"

// Closing is who closed a session, when and why.
type Closing struct {
	At     time.Time
	By     string // shown name
	Reason string // "" if none was given
}

// Whether a session waits for reviews, which is what the queue filters by. State has more detail.
const (
	StatusOpen     = "open"
	StatusReviewed = "reviewed" // every claim is settled, or somebody has closed the session
)

// SessionRow is what a list shows of a session.
type SessionRow struct {
	ID          string
	Title       string
	ExternalID  string
	Status      string // StatusOpen, StatusReviewed
	State       State
	Settled     int // claims
	Differing   int // claims
	Stale       int // claims whose deciding review was made of a judgement that has changed since
	Second      SecondReview
	Seats       Seats
	Claims      int
	ByVerdict   map[Verdict]int
	Unjudged    int
	Reviewed    int
	Coverage    float64
	Flags       int        // how many risk flags
	FlagTypes   []RiskType // which
	MaxSeverity Severity   // of the flags, "" without any
	Reviewer    string     // who reviewed last, "" where nobody has
	CreatedAt   time.Time
	UpdatedAt   time.Time
}
