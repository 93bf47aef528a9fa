package ledger

import "time"

// Stats are a team's figures, past and open work. They are read from sums kept by every write and from an index of the
// open sessions, so that their cost does not grow with the history.
type Stats struct {
	Since  time.Time         // the first day of the period, its first instant, UTC
	Ages   []AgeBand         // of the open sessions, the youngest first
	Weeks  []Week            // the newest ones, oldest first, without gaps; the last is the current week
	Judges []JudgeComparison // of the sessions made in the period, by judge and version
}

// AgeBand counts the open sessions within a range of ages in days. A day is 24 hours.
type AgeBand struct {
	From, To int // To is -1 for no end
	Sessions int
	More     bool // counting stopped at Sessions: there are at least that many
	Oldest   *OpenSession
}

// OpenSession names a session that waits for review.
type OpenSession struct {
	ID, Title string
	CreatedAt time.Time
}

// Week sums up the sessions that were made in a week.
type Week struct {
	Start    time.Time // its first day, by the tenant's week, UTC
	Sessions int
	Claims   int
	Covered  int // claims with at least one match
	Decided  int // claims with a verdict of the machine and a settled one of a person
	Changed  int // of those, with another verdict than the machine's
	Reviewed int // claims that a person has reviewed

	ByVerdict map[Verdict]int // claims by the verdict that stands
}

// JudgeComparison compares a judge with people: the machine's verdicts are the rows, the settled ones the columns.
type JudgeComparison struct {
	Judge, Version string // Version is "" of judgements that came with an import
	Table          Table
}
