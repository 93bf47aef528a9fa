// Package notify holds the rules of what people are told of (rule N-3).
package notify

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/access"
)

// Kind is why somebody is told of something. Kinds are stored.
type Kind string

// The kinds.
const (
	Assigned   Kind = "assigned"   // they are to review a session
	Unassigned Kind = "unassigned" // many were assigned, and some are no longer theirs to review
	Mentioned  Kind = "mentioned"  // a comment addresses them
	Replied    Kind = "replied"    // somebody replied in a thread that they wrote in or were addressed in
	Resolved   Kind = "resolved"   // somebody resolved such a thread
	Returned   Kind = "returned"   // a pack that they made was returned
	ToSign     Kind = "to_sign"    // a pack in review waits for their approval
	Waits      Kind = "waits"      // a pack has waited for their approval for days: a reminder
	Deputy     Kind = "deputy"     // of deputies for approvals: they are one, have one, or one approved for them
	Due        Kind = "due"        // what they are to do is due tomorrow, or late (due.Told is its place)
)

// Kinds lists them.
var Kinds = []Kind{Assigned, Unassigned, Mentioned, Replied, Resolved, Returned, ToSign, Waits, Deputy, Due}

// OfThread is the kind of what the people of a thread are told.
func OfThread(resolved bool) Kind {
	if resolved {
		return Resolved
	}
	return Replied
}

// What a notification is about.
const (
	Session  = "session"
	Sessions = "sessions" // several, how many is its place; its id is the tenant's
	Pack     = "pack"
	Deputies = "deputy" // a deputy for approvals; its id is the deputy's
)

// What a person is told of a deputy: its place, followed by how many packs wait for them ("begun/3").
const (
	DeputyNamed = "named" // you will be one
	DeputyBegun = "begun" // you are one
	DeputyOver  = "over"  // you are no longer one
	DeputyGiven = "given" // somebody named one for you
	DeputyBack  = "back"  // you no longer have one

	DeputyCancelled    = "cancelled"     // you will not be one after all
	DeputyCancelledFor = "cancelled_for" // you will not have one after all
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
	ObjectKind string // Session, Sessions, Pack or Deputies
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
	Title      string // of the session or pack, "" if it has none; of a deputy the name of the other person
	Claim      int    // number from 1, 0 if it is about no claim
	Place      string // id of a comment on a pack; soon or late; how many sessions; or what a person is told of a deputy
	By         string // shown name of who did it, "" for the server and for people who have left
	At         time.Time
	Read       bool
}

// Many returns how many sessions it is about, 0 if it is about one thing.
func (n *Notice) Many() int {
	if n.ObjectKind != Sessions {
		return 0
	}
	many, _ := strconv.Atoi(n.Place) // stored by us
	return many
}

// OfDeputy returns what is told of a deputy, and how many packs wait; "" if it is about something else.
func (n *Notice) OfDeputy() (what string, packs int) {
	if n.ObjectKind != Deputies {
		return "", 0
	}
	what, number, _ := strings.Cut(n.Place, "/")
	packs, _ = strconv.Atoi(number) // stored by us
	return what, packs
}

// Seen returns what somebody must be allowed to do, to what, to be told of it.
func (n *Notice) Seen(tenant string) (access.Action, access.Object) {
	switch n.ObjectKind {
	case Deputies:
		return access.ReadPack, access.Object{Kind: "tenant", ID: tenant}
	case Pack:
		return access.ReadPack, access.Object{Kind: "evidence_pack", ID: n.ObjectID}
	case Sessions:
		return access.ReadLedger, access.Object{Kind: "tenant", ID: tenant}
	}
	return access.ReadLedger, access.Object{Kind: "session", ID: n.ObjectID}
}

// Href is the exact place that a notification leads to.
func (n *Notice) Href() string {
	what, packs := n.OfDeputy()
	switch {
	case packs > 0:
		return "/packs?waits=me"
	case what != "":
		return "/account#deputy"
	case n.ObjectKind == Session && n.Claim > 0:
		number := strconv.Itoa(n.Claim)
		return "/sessions/" + n.ObjectID + "?claim=" + number + "#claim-" + number
	case n.ObjectKind == Session:
		return "/sessions/" + n.ObjectID
	case n.ObjectKind == Sessions: // the reader's own
		return "/sessions?state=open&assigned=me"
	case n.Place != "" && n.Kind != Due && n.Kind != Deputy:
		return "/packs/" + n.ObjectID + "#comment-" + n.Place
	}
	return "/packs/" + n.ObjectID
}
