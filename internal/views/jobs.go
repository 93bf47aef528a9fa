package views

import (
	"cmp"
	"time"
)

// JobInput is one import in the background, as it stands.
type JobInput struct {
	ID, Name    string
	Judges      bool   // a session that is there, instead of an import
	State, Step string // as package db names them; Step "" before the first
	Bytes       int64
	Done, Total int
	Attempt     int
	SessionID   string
	Created     bool // false where that session was there already
	Warnings    []Warning
	FaultKind   string // of a failed one
	FaultPath   string
	Fault       string
	CreatedAt   time.Time
	EndedAt     time.Time // zero before
}

func (in *JobInput) open() bool { return in.State == "queued" || in.State == "running" }

// Percent is how far an import is, never further than it is: judging is nearly all of the work, storing the last of it.
func (in *JobInput) Percent() int {
	switch {
	case in.State == "done":
		return 100
	case in.Step == "storing":
		return 99
	case in.Total > 0:
		return min(99, 100*in.Done/in.Total)
	}
	return 0
}

// JobLine is an import, laid out.
type JobLine struct {
	Href, CancelHref, Events string
	Name, Size               string
	State, StateKey          string
	Percent                  int
	PercentText, Step        string
	Counted                  string // "" before there is something to count
	Asked, Ended             Moment
	Session                  string // address of the ledger, "" for none
	Open                     bool
	Heading, Cancel          string
}

// JobProgress is what the page's script is told again and again.
type JobProgress struct {
	Open        bool   `json:"open"`
	Percent     int    `json:"percent"`
	PercentText string `json:"percent_text"`
	Step        string `json:"step"`
	Counted     string `json:"counted"`
}

// Progress is the part of the line that changes while it runs.
func (l *JobLine) Progress() JobProgress {
	return JobProgress{Open: l.Open, Percent: l.Percent, PercentText: l.PercentText, Step: l.Step, Counted: l.Counted}
}

// JobLine lays out one import. Pure.
func (c *Chrome) JobLine(in JobInput) JobLine {
	l := JobLine{
		Href: "/jobs/" + in.ID, CancelHref: "/jobs/" + in.ID + "/cancel", Events: "/jobs/" + in.ID + "/events", Name: in.Name, Size: c.size(in.Bytes),
		State: c.T("job_state_" + in.State), StateKey: in.State, Percent: in.Percent(), Open: in.open(),
		Asked: c.minute(in.CreatedAt), Ended: c.minute(in.EndedAt),
	}
	l.Heading, l.Cancel = c.T("job_heading"), c.T("job_cancel")
	if in.Judges {
		l.Heading, l.Cancel = c.T("judge_again"), c.T("job_cancel_judging")
	}
	l.PercentText = c.Percent(float64(l.Percent) / 100)
	l.Step = c.T("job_step_" + cmp.Or(in.Step, "queued"))
	if in.Total > 0 {
		l.Counted = c.T("job_counted", "N", c.Num(in.Done), "Total", c.Num(in.Total))
	}
	if in.SessionID != "" {
		l.Session = "/sessions/" + in.SessionID
	}
	return l
}

// size writes a number of bytes in MiB, or in KiB where it is small.
func (c *Chrome) size(n int64) string {
	if n < 1<<20 {
		return c.Num(int((n+1023)>>10)) + " KiB"
	}
	return c.Decimal(float64(n)/(1<<20)) + " MiB"
}

// JobPage is one import.
type JobPage struct {
	Chrome
	Job      JobLine
	Known    bool   // its content was there already
	Again    string // that it was interrupted
	Fault    string
	Judges   bool // a session that is there
	Failed   string
	Gone     string
	Warnings []Warning
}

// jobRefresh is how often, in seconds, an open import's page renews itself without JavaScript.
const jobRefresh = 3

// NewJobPage lays out the page. Pure.
func NewJobPage(c Chrome, in JobInput) *JobPage {
	p := &JobPage{
		Chrome: c, Job: c.JobLine(in), Judges: in.Judges, Warnings: in.Warnings,
		Failed: c.T("job_failed_text"), Gone: c.T("job_cancelled_text"),
	}
	if in.Judges {
		p.Failed, p.Gone = c.T("job_judging_failed"), c.T("job_judging_cancelled")
	}
	p.Known = in.State == "done" && !in.Created
	if p.Job.Open {
		p.Refresh = jobRefresh
	}
	if in.Attempt > 1 {
		p.Again = c.T("job_again", "N", c.Num(in.Attempt))
	}
	if in.FaultKind != "" {
		p.Fault = p.fault(in)
	}
	return p
}

// fault is in the reader's language what kind of fault it is; its details are places and limits in English words.
func (p *JobPage) fault(in JobInput) string {
	msg := in.Fault
	if in.FaultPath != "" {
		msg = isolated(in.FaultPath) + ": " + msg
	}
	if p.Lang == "en" {
		return msg
	}
	return p.T("job_fault_"+in.FaultKind) + " " + isolated(msg)
}

// JobsPage is the list of what was done in the background: imports and judgings.
type JobsPage struct {
	Chrome
	Rows                []JobLine
	Hint                string
	Paged               bool
	FirstHref, NextHref string
}

// NewJobsPage lays out the list; claims and mib are from where on an import is done in the background. Pure.
func NewJobsPage(c Chrome, rows []JobInput, next string, paged bool, claims, mib int) *JobsPage {
	p := &JobsPage{Chrome: c, Rows: c.jobLines(rows), Paged: paged, FirstHref: "/jobs"}
	p.Hint = c.T("jobs_hint", "Claims", c.Num(claims), "MiB", c.Num(mib))
	if next != "" {
		p.NextHref = address("/jobs", map[string][]string{"after": {next}})
	}
	return p
}

func (c *Chrome) jobLines(rows []JobInput) []JobLine {
	out := make([]JobLine, len(rows))
	for i, r := range rows {
		out[i] = c.JobLine(r)
	}
	return out
}

// jobStateClass colours a state that is not the plain one.
func jobStateClass(state string) string {
	return map[string]string{"done": "state-on", "failed": "state-bad"}[state]
}
