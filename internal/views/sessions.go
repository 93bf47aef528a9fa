package views

import (
	"net/url"
	"time"

	"sanad/internal/domain/ledger"
)

// SessionRow is one session of a list.
type SessionRow struct {
	ID, Title string
	Claims    int
	ByVerdict map[ledger.Verdict]int
	Unjudged  int
	Coverage  float64
	Flags     int
	State     ledger.State
	Settled   int
	Differing int
	Stale     int // reviews to look at again
	Seats     ledger.Seats
	Reviewer  string // who reviewed last
	CreatedAt time.Time
}

// SessionsInput is the sessions list with its filters.
type SessionsInput struct {
	Rows                        []SessionRow
	Next                        string // key of the next page, "" for none
	Text, Status, Verdict, Flag string
	Sort                        string
	Desc                        bool
	Paged                       bool       // not the first page
	Mine                        bool       // those that the reader is to review
	Jobs                        []JobInput // the imports that have not ended
	Saved                       SavedPart
}

// SessionsPage is the sessions list.
type SessionsPage struct {
	Chrome
	Rows                     []SessionLine
	Columns                  []Column
	Text                     string
	Statuses, Verdicts, Flag []Option
	Filtered, Paged, Mine    bool
	Jobs                     []JobLine
	FirstHref, NextHref      string
	Saved                    SavedPart
}

// Column is a sortable column head.
type Column struct {
	Label, Class, Href string
	Sorted             string // ascending, descending, or ""
}

// SessionLine is one row, laid out.
type SessionLine struct {
	Title, Href             string
	Claims, Coverage, Flags string
	Bar                     Bar
	Status                  string
	Reviewers               []string // the shown names of those who are to review it
	LastBy                  string   // of who reviewed last, where nobody is to; "" for nobody
	Settled                 string   // "12 of 50 settled"
	Stale, StaleHref        string   // "2 reviews to look at again" and to their claims, "" for none
	Progress                Bar
	Created, Stamp          string
}

// NewSessionsPage lays out the list. Pure.
func NewSessionsPage(c Chrome, in SessionsInput) *SessionsPage {
	p := &SessionsPage{Chrome: c, Rows: c.sessionLines(in.Rows), Text: in.Text, Paged: in.Paged, Mine: in.Mine, Jobs: c.jobLines(in.Jobs), Saved: in.Saved}
	p.Filtered = in.Text != "" || in.Status != "" || in.Verdict != "" || in.Flag != "" || in.Mine
	p.Statuses = options(&p.Chrome, "status_", p.T("all"), []string{"open", "new", "in_review", "reviewed", "closed"}, in.Status)
	p.Verdicts = options(&p.Chrome, "verdict_", p.T("all"), ledger.Verdicts, ledger.Verdict(in.Verdict))
	p.Flag = options(&p.Chrome, "flag_name_", p.T("all"), ledger.RiskTypes, ledger.RiskType(in.Flag))
	for _, col := range []struct{ sort, label, class string }{
		{"title", "session", ""}, {"claims", "claims", "num c-claims"}, {"", "verdicts", "c-bar"}, {"coverage", "coverage_short", "num c-cov"},
		{"", "flags_short", "num c-flags"}, {"", "status", "c-status"}, {"", "reviewer", "c-who"}, {"created", "created", "num c-when"},
	} {
		p.Columns = append(p.Columns, p.column(in, col.sort, p.T(col.label), col.class))
	}
	p.FirstHref = p.page(nil)
	if in.Next != "" {
		p.NextHref = p.page(map[string]string{"after": in.Next})
	}
	return p
}

// page is this list's address with another key or order; a new order starts at its first page.
func (p *SessionsPage) page(set map[string]string) string {
	q := url.Values{}
	for k, v := range p.url.Query() {
		if k != "after" {
			q[k] = v
		}
	}
	for k, v := range set {
		q.Set(k, v)
	}
	return address("/sessions", q)
}

func (p *SessionsPage) column(in SessionsInput, sort, label, class string) Column {
	col := Column{Label: label, Class: class}
	if sort == "" {
		return col
	}
	dir := "desc"
	if sort == "title" {
		dir = "asc"
	}
	if in.Sort == sort {
		col.Sorted, dir = "ascending", "desc"
		if in.Desc {
			col.Sorted, dir = "descending", "asc"
		}
	}
	col.Href = p.page(map[string]string{"sort": sort, "dir": dir})
	return col
}

func (c *Chrome) sessionLines(rows []SessionRow) []SessionLine {
	out := make([]SessionLine, len(rows))
	for i, r := range rows {
		out[i] = SessionLine{
			Title: r.Title, Href: "/sessions/" + r.ID, Claims: c.Num(r.Claims), Coverage: c.Percent(r.Coverage), Flags: c.Num(r.Flags),
			Bar: c.bar(r.ByVerdict, r.Unjudged), Status: c.T("state_" + string(r.State)),
			Settled: c.T("settled_short", "N", c.Num(r.Settled), "Total", c.Num(r.Claims)), Progress: c.progressBar(r.Settled, r.Differing, r.Stale, r.Unjudged, r.Claims), Created: c.Date(r.CreatedAt), Stamp: stamp(r.CreatedAt),
		}
		out[i].reviewers(&r)
		if r.Stale > 0 {
			out[i].Stale, out[i].StaleHref = c.N("n_stale", r.Stale), out[i].Href+"?stale=1#ledger"
		}
	}
	return out
}

// reviewers names who is to review a session, else who did last.
func (l *SessionLine) reviewers(r *SessionRow) {
	for _, seat := range r.Seats {
		if seat.Name != "" {
			l.Reviewers = append(l.Reviewers, seat.Name)
		}
	}
	if len(l.Reviewers) == 0 {
		l.LastBy = r.Reviewer
	}
}
