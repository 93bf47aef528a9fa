package ledger

import (
	"time"

	"sanad/internal/domain/due"
	"sanad/internal/domain/text"
)

// StateOpen selects the sessions that wait for reviews: those in State new or in review.
const StateOpen State = "open"

// AssignedMe selects the sessions that the reader is to review.
const AssignedMe = "me"

// SessionQuery says which sessions to list, and how.
type SessionQuery struct {
	Text  string // words that must all occur in title, question, external id or claims, in any inflection
	State State  // StateOpen, another State, "" for all
	// sessions that Reader is to review; for open sessions, those that wait for them
	Assigned string    // AssignedMe, "" for all
	Reader   string    // id of a person
	Reviewer string    // id of a person who has a seat, "" for all
	Verdict  Verdict   // sessions with at least one claim with this verdict
	Flag     RiskType  // sessions with this risk flag
	Threads  bool      // sessions with an open thread of comments
	Due      due.State // late or soon; "" for all
	Sort     string    // created (or ""), title, coverage, claims
	Dir      string    // asc, desc, "" for the newest first and otherwise the lowest first
	After    string    // the next of the previous page
	Limit    int
}

// Descending reports whether the highest come first.
func (q *SessionQuery) Descending() bool {
	return q.Dir == "desc" || q.Dir == "" && (q.Sort == "" || q.Sort == "created")
}

// FindQuery says what to search for, and where.
type FindQuery struct {
	Text    string // words that must all occur
	Near    text.Nearness
	Kind    FindKind // "" for all kinds, one after another
	Verdict Verdict  // one of FilterVerdicts; any excludes answers and passages
	State   State    // of the session, "" for all
	// when the session was imported or the note written: at or after From and before To; zero for no limit
	From, To time.Time
	After    string // the next of the previous page
	Limit    int
}

// Kinds returns the kinds that can pass the filters.
func (q *FindQuery) Kinds() []FindKind {
	var out []FindKind
	for _, k := range FindKinds {
		if (q.Kind == "" || q.Kind == k) && (k.HasVerdict() || q.Verdict == "") {
			out = append(out, k)
		}
	}
	return out
}
