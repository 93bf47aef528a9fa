package views

import (
	"net/url"
	"strconv"
	"time"
)

// EventFamilies are the families of actions the log is filtered by.
var EventFamilies = []string{"session", "claim", "document", "decision", "pack", "bundle", "job", "export", "login", "identity", "user", "token", "key", "tenant", "webhook", "view", "log", "store"}

// AuditFilter is what the list is narrowed to, as it stands in the address.
type AuditFilter struct{ Family, Actor, Object, From, To string }

func (f AuditFilter) set() bool { return f != AuditFilter{} }

// AuditHead is the newest signed state of the log and what its last check found.
type AuditHead struct {
	Size        int64
	Root, KeyID string
	Frozen      string // why the store only reads, "" where all is well
	VerifiedAt  time.Time
	VerifiedOK  bool
}

// AuditInput is the page of the log.
type AuditInput struct {
	Filter AuditFilter
	People []Option // who may be filtered by: id and name
	Rows   []EventRow
	Next   int64
	Paged  bool
	Head   AuditHead
	Report *AuditReport
}

// AuditPage is the log.
type AuditPage struct {
	Chrome
	In                  AuditInput
	Families, People    []Option
	Rows                []EventLine
	Size                string
	Root                string // shortened
	Verified            Moment
	Filtered            bool
	FirstHref, NextHref string
	Report              *ReportLines
}

// NewAuditPage lays out the log. Pure.
func NewAuditPage(c Chrome, in AuditInput) *AuditPage {
	p := &AuditPage{
		Chrome: c, In: in, Families: options(&c, "family_", c.T("all"), EventFamilies, in.Filter.Family), Filtered: in.Filter.set(),
		Size: c.N("aud_n", int(in.Head.Size)), Root: shortRoot(in.Head.Root), Verified: c.minute(in.Head.VerifiedAt),
	}
	p.People = []Option{{"", c.T("all"), in.Filter.Actor == ""}}
	for _, o := range in.People {
		o.Label = c.actorName(o.Value, o.Label)
		p.People = append(p.People, o)
	}
	for _, r := range in.Rows {
		p.Rows = append(p.Rows, c.eventLine(r))
	}
	p.FirstHref = p.at(0)
	if in.Next > 0 {
		p.NextHref = p.at(in.Next)
	}
	if in.Report != nil {
		p.Report = reportLines(&c, *in.Report)
	}
	return p
}

// at is the address of this list from an event on.
func (p *AuditPage) at(before int64) string {
	q := url.Values{}
	f := p.In.Filter
	for name, v := range map[string]string{"action": f.Family, "actor": f.Actor, "object": f.Object, "from": f.From, "to": f.To} {
		if v != "" {
			q.Set(name, v)
		}
	}
	if before > 0 {
		q.Set("before", strconv.FormatInt(before, 10))
	}
	return address("/audit", q)
}

// shortRoot is enough of a hash to compare at a glance.
func shortRoot(root string) string {
	if len(root) > 16 {
		return root[:16] + "…"
	}
	return root
}
