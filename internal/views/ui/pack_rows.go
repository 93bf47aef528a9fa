package ui

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
)

// PackLine is one pack, laid out.
type PackLine struct {
	Title, Href, ID, Version, Agent string
	State, StateKey                 string
	Level, Class                    string
	Unresolved, OnHold              bool
	Changed, Retain                 say.Moment
	Signed                          string
	Alarms                          string // of a pack in review: how many an approver acknowledges, "" if none
	Acknowledged                    string // of a signed one: that there were alarms
	Waits                           string // since when it waits, and whether for the reader; "" unless it is in review
	Due                             say.DueMark
}

func (c *Chrome) PackLines(rows []pack.Row) []PackLine {
	out := make([]PackLine, len(rows))
	for i, r := range rows {
		l := PackLine{
			Title: r.Title, Href: "/packs/" + r.PackID, ID: r.PackID, Agent: r.AgentName, Version: c.Num(r.Version),
			State:    c.T("pk_state_" + string(r.State)),
			StateKey: string(r.State), Level: c.T("pk_level_" + string(r.Level)), Class: r.ApprovalClass,
			OnHold: r.OnHold, Changed: c.Moment(r.UpdatedAt),
			Retain: c.Moment(r.RetainUntil), Due: c.Due(&r.Due),
		}
		switch {
		case r.Alarms > 0 && r.State == pack.InReview:
			l.Alarms = c.N("pk_n_alarms", r.Alarms)
		case r.Alarms > 0 && !r.SignedAt.IsZero():
			l.Acknowledged = c.T("pk_alarms_read")
		}
		life := pack.Life{State: r.State, Mandatory: r.Level == pack.Mandatory}
		l.Unresolved = life.Unresolved()
		if r.Need > 1 && r.State == pack.InReview {
			l.Signed = c.T("pk_signed_of", "N", c.Num(r.Approvals), "Need", c.Num(r.Need))
		}
		if r.State == pack.InReview {
			l.Waits = c.WaitsSince(r.SubmittedAt)
			if r.WaitsForYou {
				l.Waits = c.T("pk_waits_you", "Since", l.Waits)
			}
		}
		out[i] = l
	}
	return out
}

// WaitsSince says since when a pack waits, and for how many days.
func (c *Chrome) WaitsSince(since time.Time) string {
	w := pack.Waits{Since: since}
	if n := w.Days(c.Now); n > 0 {
		return c.T("pk_waits_since", "Day", c.Moment(since).Short, "Days", c.N("pk_days", n))
	}
	return c.T("pk_waits_today", "Day", c.Moment(since).Short)
}

// PackQueue is what waits for the reader, laid out.
type PackQueue struct {
	ToDecide                                        []PackLine
	Drafts                                          []PackLine // the reader's own: returned ones first
	Asks                                            []AskView
	Missing                                         []MissingLine
	MoreToDecide, MoreDrafts, MoreAsks, MoreMissing string
}

// Empty reports whether nothing waits.
func (q *PackQueue) Empty() bool {
	return len(q.ToDecide)+len(q.Drafts)+len(q.Asks)+len(q.Missing) == 0
}

// MissingLine is one missing pack, laid out.
type MissingLine struct {
	Title, DecisionID, Agent, Href string
	Decided                        say.Moment
	Reasons                        []string
}

func (c *Chrome) PackQueue(in *pack.Queue) PackQueue {
	q := PackQueue{ToDecide: c.PackLines(in.Packs), Drafts: c.PackLines(append(slices.Clip(in.Returned), in.Drafts...)),
		Missing: c.MissingLines(in.Missing)}
	for _, x := range in.Exports {
		q.Asks = append(q.Asks, c.AskView(x, false))
	}
	more := func(all, shown int) string {
		if all > shown {
			return c.N("pk_n_more", all-shown)
		}
		return ""
	}
	q.MoreToDecide, q.MoreDrafts = more(in.NPacks, len(in.Packs)), more(in.NReturned+in.NDrafts, len(q.Drafts))
	q.MoreAsks, q.MoreMissing = more(in.NExports, len(in.Exports)), more(in.NMissing, len(in.Missing))
	return q
}

func (c *Chrome) MissingLines(rows []pack.DecisionRow) []MissingLine {
	out := make([]MissingLine, len(rows))
	for i, x := range rows {
		out[i] = MissingLine{
			Title: x.Title, DecisionID: x.DecisionID, Agent: x.AgentName, Decided: c.Moment(Instant(x.DecidedAt)),
			Href: "/packs/new?" + url.Values{"decision": {x.DecisionID}}.Encode(),
		}
	}
	return out
}

// Instant parses a time of pack.json; it returns the zero time for anything else.
func Instant(s string) time.Time {
	t, _ := time.Parse(time.RFC3339, s) // stored times were checked; anything else is shown as missing
	return t
}

// AskView is one request.
type AskView struct {
	ID, Who, Format, State, StateKey, Title, PackHref, Reason string
	At                                                        say.Moment
	Grant, Refuse, Take                                       string // addresses of the forms, "" if they don't stand
}

func (c *Chrome) AskView(x pack.ExportRequest, mine bool) AskView {
	v := AskView{
		ID: x.ID, Who: c.ActorName(x.AskedBy, x.AskedName), Format: c.Known("pk_format_", x.Format),
		State: c.Known("pk_ask_", x.State), StateKey: x.State,
		Title: x.Title, PackHref: "/packs/" + x.PackID, At: c.Minute(x.AskedAt), Reason: x.Reason,
	}
	if x.Linked() {
		v.State, v.StateKey = c.T("pk_ask_linked"), "linked"
	}
	base := "/packs/" + x.PackID + "/exports/" + x.ID
	switch {
	case mine && x.State == "granted" && !x.Linked():
		v.Take = base + "/link"
	case !mine && x.State == "asked":
		v.Grant, v.Refuse = base+"/grant", base+"/refuse"
	}
	return v
}

// Apart says of which classes whoever takes part in a review cannot approve the pack, "" where the sign-off policy lets
// them approve all (rule P-21).
func (c *Chrome) Apart(classes []string) string {
	if len(classes) == 0 {
		return ""
	}
	return c.T("review_apart", "Classes", strings.Join(classes, c.T("list_comma")))
}
