package audit

import (
	"time"

	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Report is what checking the whole log found.
type Report struct {
	audit.Report
	At time.Time
}

// ReportLines is a report, laid out.
type ReportLines struct {
	Report
	Title, Checked, FirstBad, CheckpointFile string
	At                                       say.Moment
	Faults                                   []string
}

// checkpointFileWords maps the results of comparing the log with the external checkpoint (db.VerifyLog) to message ids.
var checkpointFileWords = map[string]string{
	"agrees": "agrees", "is missing": "missing", "is of an epoch that was abandoned": "abandoned",
	"is not signed by a key of this log": "foreign", "is ahead of the database": "ahead", "is of another tree": "other",
}

func NewReportLines(c *ui.Chrome, r Report) *ReportLines {
	l := &ReportLines{Report: r, Title: c.T("aud_report_bad"), Checked: c.N("aud_n", int(r.Size)), At: c.Minute(r.At),
		CheckpointFile: say.Isolated(r.CheckpointFile)}
	if r.OK() {
		l.Title = c.T("aud_report_ok")
	}
	if r.FirstBad > 0 {
		l.FirstBad = c.Num(int(r.FirstBad))
	}
	for _, f := range r.Faults {
		l.Faults = append(l.Faults, c.T("aud_fault_"+f.Kind, "Seq", c.Num(int(f.Seq)), "Detail", say.Isolated(f.Detail)))
	}
	if word, ok := checkpointFileWords[r.CheckpointFile]; ok {
		l.CheckpointFile = c.T("aud_checkpoint_file_" + word)
	}
	return l
}
