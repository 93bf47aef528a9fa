package ledger

import (
	"time"

	"sanad/internal/domain/due"
)

// Whether a session waits for reviews, which is what the queue filters by. State has more detail.
const (
	StatusOpen     = "open"
	StatusReviewed = "reviewed" // every claim is settled, or somebody has closed the session
)

// AnswerRow is a version of an answer in the list of them.
type AnswerRow struct {
	SessionID string
	Version   int // from 1
	Title     string
	At        time.Time // when it came in
	Claims    int
	New       int // claims that are new in it
}

// NewestAnswer names the session with the newest version of an answer.
type NewestAnswer struct {
	SessionID string
	Version   int
}

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
	Threads     int // open ones
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
	Due         due.Date   // without who set it
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Queue is sessions that wait: what is late or due first, then the riskiest, then the oldest.
type Queue struct {
	Rows    []SessionRow // the first ones
	Waiting int          // all of them
}

// HomeQueue is the most sessions of a first page's queue.
const HomeQueue = 10

// Home is the content of a tenant's first page.
type Home struct {
	Queue         []SessionRow // open sessions, most urgent first, at most HomeQueue
	ByVerdict     map[Verdict]int
	Unjudged      int
	Sessions      int
	Claims        int
	Reviewed      int           // claims
	CoverageByDay []DayCoverage // the last 30 days with sessions, oldest first
}

// DayCoverage is how well the claims of one day's sessions are covered by evidence.
type DayCoverage struct {
	Day      time.Time // its first instant, UTC
	Coverage float64   // claims with at least one match / claims, 0 to 1
	Support  float64   // supported claims / claims, 0 to 1
	Sessions int
	Claims   int
}
