package domain

import "time"

// The states of a job, as they are stored. It is open in the first two; the others are its end.
const (
	JobQueued    = "queued"
	JobRunning   = "running"
	JobDone      = "done"
	JobFailed    = "failed"
	JobCancelled = "cancelled"
)

// JobStates lists them.
var JobStates = []string{JobQueued, JobRunning, JobDone, JobFailed, JobCancelled}

// The kinds of a job, by what its upload is, as they are stored.
const (
	JobFile  = "file"  // one interchange file
	JobForm  = "form"  // a pasted answer with its documents
	JobJudge = "judge" // a stored session, judged again
)

// JobKinds lists them.
var JobKinds = []string{JobFile, JobForm, JobJudge}

// The steps of a running job, as they are stored.
const (
	JobReading = "reading"
	JobJudging = "judging"
	JobStoring = "storing"
)

// Job is one piece of work in the background, as whoever waits for it sees it.
type Job struct {
	ID, Kind, State, Step string // Step is "" before the first
	Name                  string // of the upload
	Bytes                 int64
	Done, Total           int          // claims judged; both 0 until they are counted
	Attempt               int          // how often it was begun; more than once after an interruption
	SessionID             string       // what came of it
	Created               bool         // false where that session was there already
	Verdicts              *JobVerdicts // of a running one; nil before the first
	Warnings              []Warning
	Fault                 *JobFault // of a failed one
	MadeBy                string    // id of who asked
	CreatedAt             time.Time
	StartedAt, EndedAt    time.Time // zero before
}

// Open reports whether the job has not ended yet.
func (j *Job) Open() bool { return j.State == JobQueued || j.State == JobRunning }

// Percent returns the progress of a job. Judging is nearly all of the work, storing the last of it.
func (j *Job) Percent() int {
	switch {
	case j.State == JobDone:
		return 100
	case j.Step == JobStoring:
		return 99
	case j.Total > 0:
		return min(99, 100*j.Done/j.Total)
	}
	return 0
}

// JobVerdicts are the verdicts that a running job has come to. They are stored while it runs, and nothing rests on them:
// a job that is begun again comes to the same ones.
type JobVerdicts struct {
	By     map[string]int `json:"by"`     // how many claims have each verdict, "" for unjudged
	Newest []JobVerdict   `json:"newest"` // the newest first, at most MostJobVerdicts
}

// JobVerdict is the verdict of one claim.
type JobVerdict struct {
	Number  int    `json:"number"`
	Text    string `json:"text"` // of the claim, its beginning; "" where it is a stored session's
	Verdict string `json:"verdict"`
}

// MostJobVerdicts is how many claims a job names.
const MostJobVerdicts = 20

// With returns the verdicts with one more. v is not changed, so that it may be read meanwhile.
func (v *JobVerdicts) With(x JobVerdict) *JobVerdicts {
	out := &JobVerdicts{By: map[string]int{x.Verdict: 1}, Newest: []JobVerdict{x}}
	if v != nil {
		for verdict, n := range v.By {
			out.By[verdict] += n
		}
		out.Newest = append(out.Newest, v.Newest[:min(len(v.Newest), MostJobVerdicts-1)]...)
	}
	return out
}

// JobFault says why a job failed, in words that are safe to show. It is stored.
type JobFault struct {
	Path string `json:"path"`
	Msg  string `json:"message"`
	Kind string `json:"kind"` // invalid, too_large, unsupported, gone, unavailable, internal

	Said Message `json:"said"` // what Msg says
}

// FaultOfJob returns a fault with its message in English too.
func FaultOfJob(kind, path string, m Message) JobFault {
	return JobFault{Path: path, Msg: m.String(), Kind: kind, Said: m}
}
