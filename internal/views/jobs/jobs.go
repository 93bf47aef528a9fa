// Package jobs draws work in the background.
package jobs

import (
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Page is one job.
type Page struct {
	ui.Chrome
	Job      ui.JobLine
	Known    bool   // the content was stored before, so nothing was added
	Again    string // the note that it was interrupted and started again; "" if it was not
	Fault    string // why it failed; "" if it did not
	Judges   bool   // it judges a stored session, rather than importing one
	Failed   string // the heading of a failure
	Gone     string // the text of a cancellation
	Cancels  string // what a cancellation will leave
	Warnings []domain.Warning
	Tallies  []Tally       // of the verdicts so far, while it runs
	Judged   []JudgedClaim // the newest of them
}

// Tally is how many claims have a verdict.
type Tally struct {
	Badge ui.Badge
	Count string
}

// JudgedClaim is a claim that a running job has judged.
type JudgedClaim struct {
	Badge  ui.Badge
	Number string
	Text   string // its beginning, "" for a claim of a stored session
}

// jobRefresh is the interval, in seconds, at which the page of an unfinished import reloads without JavaScript.
const jobRefresh = 3

// NewPage lays out the page. Pure.
func NewPage(c ui.Chrome, in job.Job) *Page {
	p := &Page{
		Chrome: c, Job: c.JobLine(in), Judges: in.Kind == job.Judge, Warnings: in.Warnings,
		Failed: c.T("job_failed_text"), Gone: c.T("job_cancelled_text"),
		Cancels: c.T("job_cancel_help"),
	}
	if in.Kind == job.Judge {
		p.Failed, p.Gone = c.T("job_judging_failed"), c.T("job_judging_cancelled")
		p.Cancels = c.T("job_cancel_judging_help")
	}
	p.Known = in.State == job.Done && !in.Created
	if p.Job.Open {
		p.Refresh = jobRefresh
	}
	p.judged(in.Verdicts)
	if in.Attempt > 1 {
		p.Again = c.T("job_again", "N", c.Num(in.Attempt))
	}
	if in.Fault != nil {
		p.Fault = p.fault(in.Fault)
	}
	return p
}

// judged lays out the verdicts so far.
func (p *Page) judged(so *job.Verdicts) {
	if so == nil || !p.Job.Open {
		return
	}
	for _, v := range append(slices.Clone(ledger.Verdicts), ledger.Unjudged) {
		if n := so.By[string(v)]; n > 0 {
			p.Tallies = append(p.Tallies, Tally{p.VerdictBadge(v, 1), p.Num(n)})
		}
	}
	for _, x := range so.Newest {
		p.Judged = append(p.Judged, JudgedClaim{p.VerdictBadge(ledger.Verdict(x.Verdict), 1), p.Num(x.Number), x.Text})
	}
}

// fault returns what is wrong, and where. What is wrong with an uploaded file names it.
func (p *Page) fault(f *job.Fault) string {
	if f.Path == "" || strings.HasPrefix(f.Path, "files[") {
		return p.Said(f.Said)
	}
	return say.Isolated(f.Path) + ": " + p.Said(f.Said)
}

// ListPage is the list of what was done in the background: imports and judgings.
type ListPage struct {
	ui.Chrome
	Rows                []ui.JobLine
	Hint                string
	Paged               bool
	FirstHref, NextHref string
}

// NewListPage lays out the list. read is from how many claims that the embedded judge reads, and claims and mib above
// how many claims or MiB, an import is a job. Pure.
func NewListPage(c ui.Chrome, rows []job.Job, next string, paged bool, read, claims, mib int) *ListPage {
	p := &ListPage{Chrome: c, Rows: c.JobLines(rows), Paged: paged, FirstHref: "/jobs"}
	p.Hint = c.T("jobs_hint", "Read", c.Num(read), "Claims", c.Num(claims), "MiB", c.Num(mib))
	if next != "" {
		p.NextHref = ui.Address("/jobs", map[string][]string{"after": {next}})
	}
	return p
}
