package ledger

import "time"

// Stats are the figures that a team looks back and ahead with. They are read from sums kept by every write and from an
// index of the open sessions, so that their cost does not grow with the history.
type Stats struct {
	Since  time.Time         // the first day of the period, its first instant, UTC
	Ages   []AgeBand         // of the open sessions, the youngest first
	Weeks  []Week            // the newest, oldest first, none left out; the last one is the current one
	Judges []JudgeComparison // of the sessions made in the period, by judge and version
}

// AgeBand counts the open sessions of an age in days. A day is 24 hours.
type AgeBand struct {
	From, To int // To is -1 for no end
	Sessions int
	More     bool // Sessions is where the count stopped: there are that many or more
	Oldest   *OpenSession
}

// OpenSession names a session that waits.
type OpenSession struct {
	ID, Title string
	CreatedAt time.Time
}

// Week sums up the sessions that were made in a week.
type Week struct {
	Start    time.Time // Monday, its first instant, UTC
	Sessions int
	Claims   int
	Covered  int // claims with at least one match
	Decided  int // claims that the machine gave a verdict and for which a person's stands
	Changed  int // of those, with another verdict than the machine's
}

// JudgeComparison is how a judge compares with people: the machine's verdicts are the rows, those that stand the
// columns.
type JudgeComparison struct {
	Judge, Version string // Version is "" of judgements that came with an import
	Table          Table
}
