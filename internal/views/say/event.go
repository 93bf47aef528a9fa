package say

import (
	"strings"
	"time"

	"sanad/internal/domain/audit"
)

// Event is one event of the log.
type Event struct {
	Seq            int64
	At             time.Time
	Actor, Name    string // pseudonymous id; shown name, "" if unknown here
	Role, Action   string
	Kind, ObjectID string
	From           string       // address or token, "" if the event does not say
	Details        []Detail     // in the order of their names
	Facts          *audit.Facts // nil if there are none
	Names          *audit.Names // of what it speaks of
}

// Sealed reports whether the event is of a review that is sealed from the reader.
func (e *Event) Sealed() bool {
	return e.Action == "claim.reviewed" && e.review().Sealed
}

// review is what is known of the review that the event records.
func (e *Event) review() audit.ReviewName {
	if e.Names == nil {
		return audit.ReviewName{}
	}
	return e.Names.Reviews[e.text("id")]
}

func (e *Event) text(name string) string {
	if e.Facts == nil {
		return ""
	}
	return e.Facts.Text(name)
}

func (e *Event) number(name string) int {
	if e.Facts == nil {
		return 0
	}
	return e.Facts.Number(name)
}

// Claim is the number of the claim that the event is about, 0 if none.
func (e *Event) Claim() int {
	if e.Kind != "session" {
		return 0
	}
	return e.number("claim")
}

// Detail is one named value of an event.
type Detail struct{ Name, Value string }

// EventWord returns the words for an action; an action without words shows its name.
func (r *Reader) EventWord(action string) string {
	id := "event_" + strings.ReplaceAll(action, ".", "_")
	if s := r.T(id); s != id {
		return s
	}
	return action
}
