// Package audit draws the audit log and what its verification found.
package audit

import (
	"net/url"
	"strconv"
	"time"

	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// EventFamilies are the families of actions that the log can be filtered by.
var EventFamilies = []string{"session", "claim", "document", "decision", "pack", "bundle", "job", "export", "login",
	"identity", "user", "token", "key", "tenant", "webhook", "model", "view", "log", "store", "erasure",
	"answer", "passage", "change", "invitation"}

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

// Input is the page of the log.
type Input struct {
	Query  audit.Query // its times are the beginnings of days
	People []ui.Option // the actors to filter by: id and name
	Rows   []say.Event
	Next   int64
	Head   LogState
	Report *Report
}

// Page is the log.
type Page struct {
	ui.Chrome
	In                  Input
	Families, People    []ui.Option
	Object              string
	From, To            string // first and last day, "" where the list is not limited
	Days                []ui.TrailDay
	Claim               string // its number, "" where the list is not limited
	Size                string
	Root                string // shortened
	Verified            say.Moment
	Content             say.Moment
	Filtered, Paged     bool
	FirstHref, NextHref string
	Report              *ReportLines
}

// NewPage lays out the log. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	p := &Page{
		Chrome: c, In: in, Families: ui.Options(&c, "family_", c.T("all"), EventFamilies, in.Query.Family()),
		Object: in.Query.ObjectID, From: day(in.Query.From), Filtered: in.Query.Filters(), Paged: in.Query.Before > 0,
		Size: c.N("aud_n", int(in.Head.Size)), Root: shortRoot(in.Head.Root),
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
	if left := c.Left("claim"); left != nil {
		p.Claim = left.Value // it stays in its field, and out of the pages' addresses
	}
	return p
}

// at is the address of this list from an event on.
func (p *Page) at(before int64) string {
	q := url.Values{}
	for name, v := range map[string]string{"action": p.In.Query.Family(), "actor": p.In.Query.Actor,
		"object": p.Object, "claim": p.Claim, "from": p.From, "to": p.To} {
		if v != "" {
			q.Set(name, v)
		}
	}
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

// shortRoot is enough of a hash to compare at a glance.
func shortRoot(root string) string {
	if len(root) > 16 {
		return root[:16] + "…"
	}
	return root
}
