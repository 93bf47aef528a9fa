package ledger

import (
	"cmp"

	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// SessionsInput is the sessions list with its filters.
type SessionsInput struct {
	ledger.SessionQuery // Of is empty, or the reader
	Rows                []ledger.SessionRow
	Next                string    // key of the next page, "" if none
	Jobs                []job.Job // the imports that have not ended
	Saved               ui.SavedPart
}

// SessionsPage is the sessions list.
type SessionsPage struct {
	ui.Chrome
	Rows                   []ui.SessionLine
	Columns                []ui.Column
	Text                   string
	States, Verdicts, Flag []ui.Option
	Dues                   []ui.Option
	Filtered, Paged, Mine  bool
	Threads                bool // only sessions with open threads
	Narrowed               bool // by more than words
	Jobs                   []ui.JobLine
	FirstHref, NextHref    string
	Saved                  ui.SavedPart
}

// NewSessionsPage lays out the list. Pure.
func NewSessionsPage(c ui.Chrome, in SessionsInput) *SessionsPage {
	p := &SessionsPage{Chrome: c, Rows: c.SessionLines(in.Rows), Text: in.Text, Paged: in.After != "", Mine: in.Assigned != "",
		Threads: in.SessionQuery.Threads,
		Jobs:    c.JobLines(in.Jobs), Saved: in.Saved}
	p.Narrowed = in.State != "" || in.Verdict != "" || in.Flag != "" || in.Due != "" || p.Mine || p.Threads
	p.Filtered = in.Text != "" || p.Narrowed
	p.States = ui.Options(&p.Chrome, "status_", p.T("all"), append([]ledger.State{ledger.StateOpen}, ledger.States...),
		in.State)
	p.Verdicts = ui.Options(&p.Chrome, "verdict_", p.T("all"), ledger.Verdicts, in.Verdict)
	p.Flag = ui.Options(&p.Chrome, "flag_name_", p.T("all"), ledger.RiskTypes, in.Flag)
	p.Dues = p.DueOptions(in.Due)
	for _, col := range []struct{ sort, label, class string }{
		{"title", "session", ""}, {"claims", "claims", "num c-claims"}, {"", "verdicts", "c-bar"},
		{"coverage", "coverage_short", "num c-cov"},
		{"", "flags_short", "num c-flags"}, {"", "status", "c-status"}, {"", "assigned_to", "c-who"},
		{"created", "created", "num c-when"},
	} {
		p.Columns = append(p.Columns, p.column(in, col.sort, p.T(col.label), col.class))
	}
	p.FirstHref = p.page(nil)
	if in.Next != "" {
		p.NextHref = p.page(map[string]string{"after": in.Next})
	}
	return p
}

// page is this list's address with another key or order; a new order starts at the first page.
func (p *SessionsPage) page(set map[string]string) string {
	q := p.Query("after")
	for k, v := range set {
		q.Set(k, v)
	}
	return ui.Address("/sessions", q)
}

func (p *SessionsPage) column(in SessionsInput, sort, label, class string) ui.Column {
	col := ui.Column{Label: label, Class: class}
	if sort == "" {
		return col
	}
	dir := "desc"
	if sort == "title" {
		dir = "asc"
	}
	if cmp.Or(in.Sort, "created") == sort {
		col.Sorted, dir = "ascending", "desc"
		if in.Descending() {
			col.Sorted, dir = "descending", "asc"
		}
	}
	col.Href = p.page(map[string]string{"sort": sort, "dir": dir})
	return col
}
