package views

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
