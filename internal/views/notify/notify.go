// Package notify draws what a person is told of.
package notify

import (
	"net/url"
	"strconv"

	"sanad/internal/domain/notify"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Input is one page of a person's notifications.
type Input struct {
	Notices []notify.Notice // newest first
	Unread  bool            // only those
	Next    int64           // the number to go on before, 0 on the last page
}

// Page lists notifications by day.
type Page struct {
	ui.Chrome
	Days    []Day
	Unread  bool
	Last    string // number of the newest one that is shown, "" for none
	AnyNew  bool
	NextURL string
	Kept    string
}

// Day has the notifications of one day.
type Day struct {
	Name  string
	Lines []Line
}

// Line is one notification.
type Line struct {
	Href, Text, Title string
	Read              string // where it is marked as read, "" once it is
	At                say.Moment
}

// NewPage lays out a page of notifications. Pure.
func NewPage(c ui.Chrome, in Input) *Page {
	p := &Page{Chrome: c, Unread: in.Unread, Kept: c.T("ntf_kept", "N", c.Num(notify.KeptMax), "Days",
		c.Num(int(notify.KeptFor.Hours()/24)))}
	for i := range in.Notices {
		n := &in.Notices[i]
		day := c.FullDate(n.At)
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].Name != day {
			p.Days = append(p.Days, Day{Name: day})
		}
		d := &p.Days[len(p.Days)-1]
		d.Lines = append(d.Lines, p.line(n))
		p.AnyNew = p.AnyNew || !n.Read
		if i == 0 {
			p.Last = strconv.FormatInt(n.No, 10)
		}
	}
	if in.Next > 0 {
		q := url.Values{"before": {strconv.FormatInt(in.Next, 10)}}
		if in.Unread {
			q.Set("unread", "1")
		}
		p.NextURL = ui.Address("/notifications", q)
	}
	return p
}

// line words one notification: who did what, and where.
func (p *Page) line(n *notify.Notice) Line {
	by := n.By
	if by == "" {
		by = p.T("ntf_somebody")
	}
	l := Line{Href: n.Href(), Title: n.Title, At: p.Minute(n.At)}
	l.At.Short = p.Clock(n.At) // the heading says the day
	switch {
	case n.Many() > 0:
		l.Text, l.Title = p.N("ntf_"+string(n.Kind)+"_many", n.Many(), "Name", p.Named(by)), p.T("assigned_to_you")
	case n.ObjectKind == notify.Deputies:
		l.Text, l.Title = p.ofDeputy(n, by)
	case n.Kind == notify.Due:
		l.Text = p.T("ntf_due_" + n.Place)
	case n.Claim > 0:
		l.Text = p.T("ntf_"+string(n.Kind)+"_claim", "Name", p.Named(by), "N", p.Num(n.Claim))
	default:
		l.Text = p.T("ntf_"+string(n.Kind), "Name", p.Named(by))
	}
	if l.Title == "" {
		l.Title = p.T("ntf_untitled")
	}
	if !n.Read {
		l.Read = "/notifications/" + strconv.FormatInt(n.No, 10) + "/read"
	}
	return l
}

// ofDeputy words what is told of a deputy, and names where it leads.
func (p *Page) ofDeputy(n *notify.Notice, by string) (text, title string) {
	what, packs := n.OfDeputy()
	names := []any{"Name", p.Named(by), "Other", p.Named(n.Title)}
	if packs > 0 {
		return p.N("ntf_deputy_"+what+"_packs", packs, names...), p.T("ntf_deputy_packs")
	}
	return p.T("ntf_deputy_"+what, names...), p.T("dep_title")
}
