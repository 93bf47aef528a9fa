package ui

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
)

// EventRow is one event of the log.
type EventRow struct {
	Seq            int64
	At             time.Time
	Actor, Name    string // pseudonymous id; shown name, "" if unknown here
	Role, Action   string
	Kind, ObjectID string
	From           string   // address or token, "" if the event does not say
	Details        []Detail // in the order of their names
}

// Detail is one named value of an event.
type Detail struct{ Name, Value string }

// EventLine is one event, laid out.
type EventLine struct {
	Seq                             string
	At                              Moment
	Who, WhoID, Role                string
	Known                           bool
	Action                          string
	Object, ObjectHref, ObjectTitle string
	From                            string
	Details                         []Detail
	DetailsLabel                    string
}

// objectPages maps kinds of objects to the pages that show them.
var objectPages = map[string]string{"webhook": "/admin/webhooks/", "session": "/sessions/", "document": "/documents/",
	"user": "/admin/users/", "pack": "/packs/", "bundle": "/bundles/"}

func (c *Chrome) EventLine(r EventRow) EventLine {
	l := EventLine{
		Seq: c.InDigits(strconv.FormatInt(r.Seq, 10)), At: c.Minute(r.At), Who: c.ActorName(r.Actor, r.Name),
		WhoID: r.Actor, Known: true, Role: c.Known("role_", r.Role),
		Action: c.EventWord(r.Action), ObjectTitle: r.ObjectID, From: r.From, Details: r.Details,
	}
	l.Known = l.Who != initialID(r.Actor)
	if r.ObjectID != "" {
		l.Object = c.Known("object_", r.Kind) + " " + Isolated(initialID(r.ObjectID))
		if base, ok := objectPages[r.Kind]; ok {
			l.ObjectHref = base + r.ObjectID
		}
	}
	if r.Actor == domain.Operator {
		l.Role = "" // no role of the tenant
	}
	said := len(r.Details)
	if r.From != "" {
		said++
	}
	l.DetailsLabel = c.N("aud_details", said)
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
