package ui

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
)

// EventLine is one event, laid out.
type EventLine struct {
	Seq                  string
	At                   say.Moment
	Clock                string // the time of day
	Said                 []say.Piece
	Action, WhoID, Role  string
	Object, ObjectID     string // kind and id
	From                 string
	Details              []say.Detail
	ClaimHref, ActorHref string // the log of its claim, "" if none, and of its actor
	ClaimNumber          string
	ObjectHref           string // the log of its object

	same string // what events that are shown as one have in common
}

// EventLine lays out one event.
func (c *Chrome) EventLine(e say.Event) EventLine {
	l := EventLine{
		Seq: c.InDigits(strconv.FormatInt(e.Seq, 10)), At: c.Minute(e.At), Clock: c.Clock(e.At),
		Said: c.opened(c.Sentence(&e)), Action: e.Action, WhoID: e.Actor, Role: c.Known("role_", e.Role),
		Object: c.Known("object_", e.Kind), ObjectID: e.ObjectID, From: e.From, Details: e.Details, same: e.Same(),
		ActorHref:  Address("/audit", url.Values{"actor": {e.Actor}}),
		ObjectHref: LogOf(e.ObjectID),
	}
	if e.Actor == access.Operator {
		l.Role = "" // no role of the tenant
	}
	if n := e.Claim(); n > 0 {
		l.ClaimNumber, l.ClaimHref = c.Num(n), Address("/audit",
			url.Values{"claim": {strconv.Itoa(n)}, "object": {e.ObjectID}})
	}
	return l
}

// opened leaves the links out of a sentence that the reader may not open.
func (c *Chrome) opened(said []say.Piece) []say.Piece {
	for i := range said {
		admin, library := strings.HasPrefix(said[i].Href, "/admin/"), strings.HasPrefix(said[i].Href, "/library/")
		if admin && !c.May.Manage || library && !c.May.ReadLibrary {
			said[i].Href = ""
		}
	}
	return said
}

// LogOf is the address of the log of one object.
func LogOf(id string) string { return Address("/audit", url.Values{"object": {id}}) }

// TrailDay is the events of one day.
type TrailDay struct {
	Date, Stamp string
	Groups      []TrailGroup
}

// TrailGroup is one event, or equal ones of one person in a row, shown as one that opens to the list.
type TrailGroup struct {
	Said  []say.Piece // of all of them, nil for one
	Lines []EventLine
}

// Trail lays out events in their order, by day, with equal ones in a row as one.
func (c *Chrome) Trail(rows []say.Event) []TrailDay {
	var out []TrailDay
	for i := range rows {
		line, stamp := c.EventLine(rows[i]), c.Local(rows[i].At).Format(time.DateOnly)
		if n := len(out); n == 0 || out[n-1].Stamp != stamp {
			out = append(out, TrailDay{Date: c.FullDate(rows[i].At), Stamp: stamp})
		}
		day := &out[len(out)-1]
		if n := len(day.Groups); n > 0 && line.same != "" && day.Groups[n-1].Lines[0].same == line.same {
			g := &day.Groups[n-1]
			g.Lines = append(g.Lines, line)
			g.Said = c.opened(c.SentenceOfMany(rows[i+1-len(g.Lines) : i+1]))
			continue
		}
		day.Groups = append(day.Groups, TrailGroup{Lines: []EventLine{line}})
	}
	return out
}
