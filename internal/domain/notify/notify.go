// Package notify holds the rules of what people are told of (rule N-3).
package notify

import (
	"strconv"
	"time"
)

// Kind is why somebody is told of something. Kinds are stored.
type Kind string

// The kinds.
const (
	Assigned  Kind = "assigned"  // they are to review a session
	Mentioned Kind = "mentioned" // a comment addresses them
	Returned  Kind = "returned"  // a pack that they made was returned
	ToSign    Kind = "to_sign"   // a pack in review waits for their approval
	Waits     Kind = "waits"     // a pack has waited for their approval for days: a reminder
	Due       Kind = "due"       // what they are to do is due tomorrow, or late (due.Told is its place)
)

// Kinds lists them.
var Kinds = []Kind{Assigned, Mentioned, Returned, ToSign, Waits, Due}

// What a notification is about.
const (
	Session = "session"
	Pack    = "pack"
)

// The bounds: how long notifications are kept, and how many of one person; and how many are shown on a page.
const (
	KeptFor = 90 * 24 * time.Hour
	KeptMax = 1000
	PerPage = 50
)

// Message is something that a person is to be told of.
type Message struct {
	To, By     string // ids
	Kind       Kind
	ObjectKind string // Session or Pack
	ObjectID   string
	Claim      int    // number from 1, 0 if none
	Place      string // as in Notice
	Key        string // of what happened: a person is told of it once
}

// Notice is one notification as it is shown: what it is about is read at that moment.
type Notice struct {
	No         int64
	Kind       Kind
	ObjectKind string
	ObjectID   string
	Title      string // of the session or pack, "" if it has none
	Claim      int    // number from 1, 0 if it is about no claim
	Place      string // id of a comment on a pack; of what is due, soon or late
	By         string // shown name of who did it, "" for the server and for people who have left
	At         time.Time
	Read       bool
}

// Href is the exact place that a notification leads to.
func (n *Notice) Href() string {
	switch {
	case n.ObjectKind == Session && n.Claim > 0:
		number := strconv.Itoa(n.Claim)
		return "/sessions/" + n.ObjectID + "?claim=" + number + "#claim-" + number
	case n.ObjectKind == Session:
		return "/sessions/" + n.ObjectID
	case n.Kind == Mentioned:
		return "/packs/" + n.ObjectID + "#comment-" + n.Place
	}
	return "/packs/" + n.ObjectID
}
