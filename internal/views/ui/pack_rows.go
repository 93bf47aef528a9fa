package ui

import (
	"net/url"
	"sanad/internal/domain/pack"
	"time"
)

// PackRow is one pack of a list.
type PackRow struct {
	ID, Title, DecisionID, Agent string
	Version                      int
	State                        pack.State
	Level                        pack.Level
	Class                        string // effective approval class
	OnHold                       bool
	ChangedAt, RetainUntil       time.Time
	Approvals, Need              int
}

// MissingRow is a decision that must have a pack and has none. If only its class is known, Requirement has no rules.
type MissingRow struct {
	DecisionID, Title, Agent string
	DecidedAt                string
	Requirement              pack.Requirement
}

// PackLine is one pack, laid out.
type PackLine struct {
	Title, Href, ID, Version, Agent string
	State, StateKey                 string
	Level, Class                    string
	Unresolved, OnHold              bool
	Changed, Retain                 Moment
	Signed                          string
}

func (c *Chrome) PackLines(rows []PackRow) []PackLine {
	out := make([]PackLine, len(rows))
	for i, r := range rows {
		l := PackLine{
			Title: r.Title, Href: "/packs/" + r.ID, ID: r.ID, Agent: r.Agent, Version: c.Num(r.Version), State: c.T("pk_state_" + string(r.State)),
			StateKey: string(r.State), Level: c.T("pk_level_" + string(r.Level)), Class: r.Class, OnHold: r.OnHold, Changed: c.Moment(r.ChangedAt),
			Retain: c.Moment(r.RetainUntil),
		}
		life := pack.Life{State: r.State, Mandatory: r.Level == pack.Mandatory}
		l.Unresolved = life.Unresolved()
		if r.Need > 1 && r.State == pack.InReview {
			l.Signed = c.T("pk_signed_of", "N", c.Num(r.Approvals), "Need", c.Num(r.Need))
		}
		out[i] = l
	}
	return out
}

// PackQueueInput is what waits for the reader: at most a handful of each, with how many there are.
type PackQueueInput struct {
	ToDecide, Returned                    []PackRow
	Asks                                  []ExportAsk
	Missing                               []MissingRow
	NToDecide, NReturned, NAsks, NMissing int
}

// PackQueue is what waits for the reader, laid out.
type PackQueue struct {
	ToDecide, Returned                                []PackLine
	Asks                                              []AskView
	Missing                                           []MissingLine
	MoreToDecide, MoreReturned, MoreAsks, MoreMissing string
}

// Empty reports whether nothing waits.
func (q *PackQueue) Empty() bool {
	return len(q.ToDecide)+len(q.Returned)+len(q.Asks)+len(q.Missing) == 0
}

// MissingLine is one missing pack, laid out.
type MissingLine struct {
	Title, DecisionID, Agent, Href string
	Decided                        Moment
	Reasons                        []string
}

func (c *Chrome) PackQueue(in PackQueueInput) PackQueue {
	q := PackQueue{ToDecide: c.PackLines(in.ToDecide), Returned: c.PackLines(in.Returned), Missing: c.MissingLines(in.Missing)}
	for _, x := range in.Asks {
		q.Asks = append(q.Asks, c.AskView(x, false))
	}
	more := func(all, shown int) string {
		if all > shown {
			return c.N("pk_n_more", all-shown)
		}
		return ""
	}
	q.MoreToDecide, q.MoreReturned = more(in.NToDecide, len(in.ToDecide)), more(in.NReturned, len(in.Returned))
	q.MoreAsks, q.MoreMissing = more(in.NAsks, len(in.Asks)), more(in.NMissing, len(in.Missing))
	return q
}

func (c *Chrome) MissingLines(rows []MissingRow) []MissingLine {
	out := make([]MissingLine, len(rows))
	for i, x := range rows {
		out[i] = MissingLine{
			Title: x.Title, DecisionID: x.DecisionID, Agent: x.Agent, Decided: c.Moment(Instant(x.DecidedAt)),
			Href: "/packs/new?" + url.Values{"decision": {x.DecisionID}}.Encode(),
		}
		for _, r := range x.Requirement.Rules {
			out[i].Reasons = append(out[i].Reasons, c.Reason(r))
		}
	}
	return out
}

// Reason returns the words for a rule in the reader's language.
func (c *Chrome) Reason(r pack.Reason) string {
	if s := r.Words(c.Lang); s != "" {
		return s
	}
	return r.Name
}

// Instant parses a time of pack.json; it returns the zero time for anything else.
func Instant(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s) // stored times were checked; anything else is shown as missing
	return t
}

// ExportAsk is somebody's request for an export.
type ExportAsk struct {
	ID, PackID, Title, Format string
	Actor, Name               string
	AskedAt                   time.Time
	State                     string // asked, granted, refused
	Linked                    bool   // its link was made
	Reason                    string
}

// AskView is one request.
type AskView struct {
	ID, Who, Format, State, StateKey, Title, PackHref, Reason string
	At                                                        Moment
	Grant, Refuse, Take                                       string // addresses of the forms, "" if they don't stand
}

func (c *Chrome) AskView(x ExportAsk, mine bool) AskView {
	v := AskView{
		ID: x.ID, Who: c.ActorName(x.Actor, x.Name), Format: c.Known("pk_format_", x.Format), State: c.Known("pk_ask_", x.State), StateKey: x.State,
		Title: x.Title, PackHref: "/packs/" + x.PackID, At: c.Minute(x.AskedAt), Reason: x.Reason,
	}
	if x.Linked {
		v.State, v.StateKey = c.T("pk_ask_linked"), "linked"
	}
	base := "/packs/" + x.PackID + "/exports/" + x.ID
	switch {
	case mine && x.State == "granted" && !x.Linked:
		v.Take = base + "/link"
	case !mine && x.State == "asked":
		v.Grant, v.Refuse = base+"/grant", base+"/refuse"
	}
	return v
}
