// Package audit draws the audit log and what its verification found.
package audit

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// EventFamilies are the families of actions that the log can be filtered by.
var EventFamilies = []string{"session", "claim", "document", "decision", "pack", "bundle", "job", "export", "login",
	"identity", "user", "token", "key", "tenant", "webhook", "model", "view", "log", "store", "erasure",
	"answer", "passage", "change", "invitation", "library"}

// LogState is the newest signed state of the log and what its last check found.
type LogState struct {
	Size        int64
	Root, KeyID string
	Frozen      string // why the store is read-only, "" if it is not
	VerifiedAt  time.Time
	VerifiedOK  bool
	ContentAt   time.Time // when the content of all sessions was last checked, zero if not since the start
	Changed     []string  // what of this tenant is not as the log recorded it
}

// Object is something that events are about. Title is "" if it is not known, as of what is gone.
type Object struct{ Kind, ID, Title, Of string }

// ObjectLine is an object as it is shown. Href is the log of it.
type ObjectLine struct{ Kind, Title, Of, Href string }

// Input is the page of the log.
type Input struct {
	Query  audit.Query // its times are the beginnings of days
	People []ui.Option // the actors to filter by: id and name
	Find   string      // what was typed to find an object, where Found are what it names
	Found  []Object
	Object Object // that the list is limited to, if it is
	Rows   []say.Event
	Next   int64
	Head   LogState
	Report *Report
}

// Page is the log.
type Page struct {
	ui.Chrome
	In                  Input
	Actions             []ActionGroup
	People              []ui.Option
	Object              string
	Chosen              ObjectLine // the object; its Href is the log of all
	Found               []ObjectLine
	ByClaim             bool   // the list can be limited to a claim
	From, To            string // first and last day, "" where the list is not limited
	Days                []ui.TrailDay
	Claim               string // its number, "" where the list is not limited
	Size                string
	Verified            say.Moment
	Content             say.Moment
	Filtered, Paged     bool
	FirstHref, NextHref string
	Report              *ReportLines
}

// NewPage lays out the log. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	p := &Page{
		Chrome: c, In: in, Actions: actionGroups(&c, action(&in.Query)),
		Object: in.Query.ObjectID, From: day(in.Query.From), Filtered: in.Query.Filters(), Paged: in.Query.Before > 0,
		Size:     c.N("aud_n", int(in.Head.Size)),
		Verified: c.Minute(in.Head.VerifiedAt), Content: c.Minute(in.Head.ContentAt),
	}
	if !in.Query.To.IsZero() {
		p.To = day(in.Query.To.AddDate(0, 0, -1))
	}
	p.People = []ui.Option{{Value: "", Label: c.T("all"), Selected: in.Query.Actor == ""}}
	for _, o := range in.People {
		o.Label = c.ActorName(o.Value, o.Label)
		p.People = append(p.People, o)
	}
	p.Days = c.Trail(in.Rows)
	if in.Query.Claim > 0 {
		p.Claim = strconv.Itoa(in.Query.Claim)
	}
	p.FirstHref = p.at(0)
	if in.Next > 0 {
		p.NextHref = p.at(in.Next)
	}
	if in.Report != nil {
		p.Report = NewReportLines(&c, *in.Report)
	}
	for _, o := range in.Found {
		p.Found = append(p.Found, p.object(o, [2]string{"object", o.ID}))
	}
	if p.Chosen = p.object(in.Object); p.Chosen.Title == "" {
		p.Chosen.Title = p.Object
	}
	p.ByClaim = in.Object.Kind == "session" || p.Claim != ""
	if left := c.Left("claim"); left != nil {
		p.Claim, p.ByClaim = left.Value, true // it stays in its field, and out of the pages' addresses
	}
	return p
}

// object lays out an object with the address of this list, limited as the further pairs say instead of to an object.
func (p *Page) object(o Object, with ...[2]string) ObjectLine {
	q := p.query()
	for _, name := range []string{"object", "claim", "find"} {
		q.Del(name)
	}
	for _, w := range with {
		q.Set(w[0], w[1])
	}
	return ObjectLine{Kind: p.Known("object_", o.Kind), Title: o.Title, Of: o.Of, Href: ui.Address("/audit", q)}
}

// action is the value of the filter by action: a family, or one action of it.
func action(q *audit.Query) string { return strings.TrimSuffix(q.Action, ".") }

// query is what limits this list, as in its address.
func (p *Page) query() url.Values {
	q := url.Values{}
	for name, v := range map[string]string{"action": action(&p.In.Query), "actor": p.In.Query.Actor, "object": p.Object,
		"claim": p.Claim, "from": p.From, "to": p.To} {
		if v != "" {
			q.Set(name, v)
		}
	}
	return q
}

// at is the address of this list from an event on.
func (p *Page) at(before int64) string {
	q := p.query()
	if before > 0 {
		q.Set("before", strconv.FormatInt(before, 10))
	}
	return ui.Address("/audit", q)
}

// day is a date as in the address, "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
