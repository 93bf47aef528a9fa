package ui

import (
	"sanad/internal/domain/ledger"

	"sanad/internal/views/say"
)

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
	Reviewers               []string // names of the assigned reviewers
	LastBy                  string   // name of the last reviewer if nobody is assigned; "" if none
	Settled                 string   // "12 of 50 settled"
	Threads, ThreadsHref    string   // "2 open threads" and the link to their claims; "" if none
	Stale, StaleHref        string   // "2 reviews to check again" and the link to their claims; "" if none
	Progress                Bar
	Created, Stamp          string
	Due                     say.DueMark
}

// SessionLines lays out the rows of a list of sessions.
func (c *Chrome) SessionLines(rows []ledger.SessionRow) []SessionLine {
	out := make([]SessionLine, len(rows))
	for i, r := range rows {
		out[i] = SessionLine{
			Title: r.Title, Href: "/sessions/" + r.ID, Claims: c.Num(r.Claims), Coverage: c.Percent(r.Coverage),
			Flags: c.Num(r.Flags),
			Bar:   c.VerdictBar(r.ByVerdict, r.Unjudged), Status: c.T("state_" + string(r.State)),
			Settled:  c.T("settled_short", "N", c.Num(r.Settled), "Total", c.Num(r.Claims)),
			Progress: c.ProgressBar(r.Settled, r.Differing, r.Stale, r.Unjudged, r.Claims),
			Created:  c.Date(r.CreatedAt), Stamp: say.Stamp(r.CreatedAt),
		}
		out[i].reviewers(&r)
		out[i].Due = c.Due(&r.Due)
		if r.Threads > 0 {
			out[i].Threads, out[i].ThreadsHref = c.N("n_threads_open", r.Threads), out[i].Href+"?threads=1#ledger"
		}
		if r.Stale > 0 {
			out[i].Stale, out[i].StaleHref = c.N("n_stale", r.Stale), out[i].Href+"?stale=1#ledger"
		}
	}
	return out
}

// reviewers sets the assigned reviewers or, if none, who reviewed last.
func (l *SessionLine) reviewers(r *ledger.SessionRow) {
	for _, seat := range r.Seats {
		if seat.Name != "" {
			l.Reviewers = append(l.Reviewers, seat.Name)
		}
	}
	if len(l.Reviewers) == 0 {
		l.LastBy = r.Reviewer
	}
}
