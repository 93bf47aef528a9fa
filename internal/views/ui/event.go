package ui

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// EventRow is one event of the log.
type EventRow struct {
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
func (r *EventRow) Sealed() bool {
	return r.Action == "claim.reviewed" && r.review().Sealed
}

// review is what is known of the review that the event records.
func (r *EventRow) review() audit.ReviewName {
	if r.Names == nil {
		return audit.ReviewName{}
	}
	return r.Names.Reviews[r.text("id")]
}

func (r *EventRow) text(name string) string {
	if r.Facts == nil {
		return ""
	}
	return r.Facts.Text(name)
}

func (r *EventRow) number(name string) int {
	if r.Facts == nil {
		return 0
	}
	return r.Facts.Number(name)
}

// Detail is one named value of an event.
type Detail struct{ Name, Value string }

// EventLine is one event, laid out.
type EventLine struct {
	Seq                  string
	At                   Moment
	Clock                string // the time of day
	Said                 []Piece
	Action, WhoID, Role  string
	Object, ObjectID     string // kind and id
	From                 string
	Details              []Detail
	ClaimHref, ActorHref string // the log of its claim, "" if none, and of its actor
	ClaimNumber          string
	ObjectHref           string // the log of its object

	same string // what events that are shown as one have in common
}

// EventLine lays out one event.
func (c *Chrome) EventLine(r EventRow) EventLine {
	t := teller{c, &r}
	l := EventLine{
		Seq: c.InDigits(strconv.FormatInt(r.Seq, 10)), At: c.Minute(r.At), Clock: c.InDigits(r.At.UTC().Format("15:04")),
		Said: t.say(), Action: r.Action, WhoID: r.Actor, Role: c.Known("role_", r.Role), Object: c.Known("object_", r.Kind),
		ObjectID: r.ObjectID, From: r.From, Details: r.Details, same: t.same(),
		ActorHref:  Address("/audit", url.Values{"actor": {r.Actor}}),
		ObjectHref: Address("/audit", url.Values{"object": {r.ObjectID}}),
	}
	if r.Actor == domain.Operator {
		l.Role = "" // no role of the tenant
	}
	if n := r.number("claim"); n > 0 && r.Kind == "session" {
		l.ClaimNumber, l.ClaimHref = c.Num(n), Address("/audit",
			url.Values{"claim": {strconv.Itoa(n)}, "object": {r.ObjectID}})
	}
	return l
}

// EventWord returns the words for an action; an action without words shows its name.
func (c *Chrome) EventWord(action string) string {
	id := "event_" + strings.ReplaceAll(action, ".", "_")
	if s := c.T(id); s != id {
		return s
	}
	return action
}

// TrailDay is the events of one day.
type TrailDay struct {
	Date, Stamp string
	Groups      []TrailGroup
}

// TrailGroup is one event, or equal ones of one person in a row, shown as one that opens to the list.
type TrailGroup struct {
	Said  []Piece // of all of them, nil for one
	Lines []EventLine
}

// Trail lays out events in their order, by day, with equal ones in a row as one.
func (c *Chrome) Trail(rows []EventRow) []TrailDay {
	var out []TrailDay
	for i := range rows {
		line, stamp := c.EventLine(rows[i]), rows[i].At.UTC().Format(time.DateOnly)
		if n := len(out); n == 0 || out[n-1].Stamp != stamp {
			out = append(out, TrailDay{Date: c.Date(rows[i].At), Stamp: stamp})
		}
		day := &out[len(out)-1]
		if n := len(day.Groups); n > 0 && line.same != "" && day.Groups[n-1].Lines[0].same == line.same {
			g := &day.Groups[n-1]
			g.Lines = append(g.Lines, line)
			g.Said = (&teller{c, &rows[i]}).sayMany(len(g.Lines))
			continue
		}
		day.Groups = append(day.Groups, TrailGroup{Lines: []EventLine{line}})
	}
	return out
}
