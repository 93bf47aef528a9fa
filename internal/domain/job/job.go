// Package job holds what a piece of work in the background is: its kinds, states, steps and progress.
package job

import (
	"errors"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// MaxAttempts is how often a job is started, so that a job that kills its worker each time is not retried for ever.
const MaxAttempts = 3

// The states of a job, as they are stored. It is open in the first two; the others are its end.
const (
	Queued    = "queued"
	Running   = "running"
	Done      = "done"
	Failed    = "failed"
	Cancelled = "cancelled"
)

// States lists them.
var States = []string{Queued, Running, Done, Failed, Cancelled}

// The kinds of a job, by what its upload is, as they are stored.
const (
	File  = "file"  // one interchange file
	Form  = "form"  // a pasted answer with its documents
	Judge = "judge" // a stored session, judged again
)

// Kinds lists them.
var Kinds = []string{File, Form, Judge}

// The steps of a running job, as they are stored.
const (
	Reading = "reading"
	Judging = "judging"
	Storing = "storing"
)

// Job is one piece of work in the background, as whoever waits for it sees it.
type Job struct {
	ID, Kind, State, Step string // Step is "" before the first
	Name                  string // of the upload
	Bytes                 int64
	Done, Total           int       // claims judged; both 0 until they are counted
	Attempt               int       // how often it was begun; more than once after an interruption
	SessionID             string    // what came of it
	Created               bool      // false where that session was there already
	Verdicts              *Verdicts // of a running one; nil before the first
	Warnings              []domain.Warning
	Fault                 *Fault // of a failed one
	MadeBy                string // id of who asked
	CreatedAt             time.Time
	StartedAt, EndedAt    time.Time // zero before
}

// Open reports whether the job has not ended yet.
func (j *Job) Open() bool { return j.State == Queued || j.State == Running }

// Percent returns the progress of a job. Judging is nearly all of the work, storing the last of it.
func (j *Job) Percent() int {
	switch {
	case j.State == Done:
		return 100
	case j.Step == Storing:
		return 99
	case j.Total > 0:
		return min(99, 100*j.Done/j.Total)
	}
	return 0
}

// Verdicts are the verdicts that a running job has come to. They are stored while it runs, and nothing rests on them:
// a job that is begun again comes to the same ones.
type Verdicts struct {
	By     map[string]int `json:"by"`     // how many claims have each verdict, "" for unjudged
	Newest []Verdict      `json:"newest"` // the newest first, at most MostVerdicts
}

// Verdict is the verdict of one claim.
type Verdict struct {
	Number  int    `json:"number"`
	Text    string `json:"text"` // of the claim, its beginning; "" where it is a stored session's
	Verdict string `json:"verdict"`
}

// MostVerdicts is how many claims a job names.
const MostVerdicts = 20

// With returns the verdicts with one more. v is not changed, so that it may be read meanwhile.
func (v *Verdicts) With(x Verdict) *Verdicts {
	out := &Verdicts{By: map[string]int{x.Verdict: 1}, Newest: []Verdict{x}}
	if v != nil {
		for verdict, n := range v.By {
			out.By[verdict] += n
		}
		out.Newest = append(out.Newest, v.Newest[:min(len(v.Newest), MostVerdicts-1)]...)
	}
	return out
}

// Fault says why a job failed, in words that are safe to show. It is stored.
type Fault struct {
	Path string `json:"path"`
	Msg  string `json:"message"`
	Kind string `json:"kind"` // invalid, too_large, unsupported, gone, unavailable, internal

	Said words.Message `json:"said"` // what Msg says
}

// FaultOf returns a fault with its message in English too.
func FaultOf(kind, path string, m words.Message) Fault {
	return Fault{Path: path, Msg: m.String(), Kind: kind, Said: m}
}

// ErrLost means that work no longer belongs to its worker: it was cancelled, or taken by another worker after a long
// silence. Nothing of this run was stored.
var ErrLost = errors.New("the job is no longer this worker's")

// Lost returns ErrLost unwrapped, so that it does not count as a fault of this program.
func Lost(err error) error {
	if errors.Is(err, ErrLost) {
		return ErrLost
	}
	return err
}
