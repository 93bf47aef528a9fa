package ledger

import (
	"time"

	"sanad/internal/domain/due"
	"sanad/internal/domain/text"
)

// StateOpen selects the sessions that wait for reviews: those in State new or in review.
const StateOpen = "open"

// SessionQuery says which sessions to list, and how.
type SessionQuery struct {
	Text  string // words that must all occur in title, question, external id or claims, in any inflection
	State string // StateOpen, a State, "" for all
	// id of a person: sessions that they are to review; for open sessions, those that wait for them
	Of      string
	Verdict string    // sessions with at least one claim with this verdict
	Flag    string    // sessions with this risk flag
	Due     due.State // late or soon; "" for all
	Sort    string    // created (or ""), title, coverage, claims
	Desc    bool
	After   string // the next of the previous page
	Limit   int
}

// FindQuery says what to search for, and where.
type FindQuery struct {
	Text     string // words that must all occur
	Near     text.Nearness
	Kind     FindKind // "" for all kinds, one after another
	Verdict  Verdict
	Unjudged bool  // instead of Verdict; either excludes answers and passages
	State    State // of the session, "" for all
	// when the session was imported or the note written: at or after From and before To; zero for no limit
	From, To time.Time
	After    string // the next of the previous page
	Limit    int
}

// Kinds returns the kinds that can pass the filters.
func (q *FindQuery) Kinds() []FindKind {
	var out []FindKind
	for _, k := range FindKinds {
		if (q.Kind == "" || q.Kind == k) && (k.HasVerdict() || q.Verdict == "" && !q.Unjudged) {
			out = append(out, k)
		}
	}
	return out
}
