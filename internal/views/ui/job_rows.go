package ui

import (
	"cmp"

	"sanad/internal/domain/job"
	"sanad/internal/views/say"
)

// JobLine is an import, laid out.
type JobLine struct {
	Href, CancelHref, Events string
	Name, Size               string
	State, StateKey          string
	Percent                  int
	PercentText, Step        string
	Counted                  string // "" before there is something to count
	Asked, Ended             say.Moment
	Session                  string // address of the ledger, "" if none
	Open                     bool
	Heading, Cancel          string
	Warning                  string // why the endpoint that it asks did not answer just now, "" if it did
}

// JobProgress is what the page's script receives repeatedly while a job runs.
type JobProgress struct {
	Open        bool   `json:"open"`
	Percent     int    `json:"percent"`
	PercentText string `json:"percent_text"`
	Step        string `json:"step"`
	Counted     string `json:"counted"`
	Warning     string `json:"warning"`
}

// Progress is the part of the line that changes while it runs.
func (l *JobLine) Progress() JobProgress {
	return JobProgress{Open: l.Open, Percent: l.Percent, PercentText: l.PercentText, Step: l.Step, Counted: l.Counted,
		Warning: l.Warning}
}

// JobLine lays out one import. Pure.
func (c *Chrome) JobLine(in job.Job) JobLine {
	l := JobLine{
		Href: "/jobs/" + in.ID, CancelHref: "/jobs/" + in.ID + "/cancel", Events: "/jobs/" + in.ID + "/events",
		Name: in.Name, Size: c.Size(in.Bytes),
		State: c.T("job_state_" + in.State), StateKey: in.State, Percent: in.Percent(), Open: in.Open(),
		Asked: c.Minute(in.CreatedAt), Ended: c.Minute(in.EndedAt),
	}
	l.Heading, l.Cancel = c.T("job_heading"), c.T("job_cancel")
	if in.Kind == job.Judge {
		l.Heading, l.Cancel = c.T("judge_again"), c.T("job_cancel_judging")
	}
	l.PercentText = c.Percent(float64(l.Percent) / 100)
	l.Step = c.T("job_step_" + cmp.Or(in.Step, job.Queued))
	if in.Total > 0 {
		l.Counted = c.T("job_counted", "N", c.Num(in.Done), "Total", c.Num(in.Total))
	}
	if l.Open && len(in.Warnings) > 0 {
		l.Warning = c.T("job_warning", "Why", c.Said(in.Warnings[0].Said))
	}
	if in.SessionID != "" {
		l.Session = "/sessions/" + in.SessionID
	}
	return l
}

func (c *Chrome) JobLines(rows []job.Job) []JobLine {
	out := make([]JobLine, len(rows))
	for i, r := range rows {
		out[i] = c.JobLine(r)
	}
	return out
}

// JobStateClass returns the style of a state that needs one.
func JobStateClass(state string) string {
	return map[string]string{job.Done: "state-on", job.Failed: "state-bad"}[state]
}
