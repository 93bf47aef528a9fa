package app

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// judges are the judges that a session may be judged again by. "" is the default.
var judges = map[string]func() judge.Judge{
	"":        func() judge.Judge { return judge.NewLexical() },
	"lexical": func() judge.Judge { return judge.NewLexical() },
}

// RejudgeInput is what a caller asks for.
type RejudgeInput struct {
	Judge    string `json:"judge"` // "" for the default
	BundleID string `json:"bundle_id"`
}

// Check refuses an unknown judge and a bundle that the tenant does not have, naming the field.
func (in *RejudgeInput) Check(ctx context.Context, store *db.Store, tenant string) error {
	if judges[in.Judge] == nil {
		return domain.Invalidf("judge", "There is no such judge here; choose lexical, or leave it out.")
	}
	if in.BundleID == "" {
		return nil
	}
	_, err := store.BundleArtifact(ctx, tenant, in.BundleID)
	if domain.KindOf(err) == domain.NotFound {
		return domain.Invalidf("bundle_id", "There is no such bundle; build it first.")
	}
	return err
}

// rejudgeJob is the stored input of a job. The same request for the same revision is the same job.
type rejudgeJob struct {
	SessionID string `json:"session_id"`
	Revision  int    `json:"revision"`
	RejudgeInput
}

// Rejudger judges a stored session again.
type Rejudger struct {
	Store *db.Store
	Actor domain.Actor
	Now   time.Time
	NewID func() string

	Job   *db.ClaimedJob                           // the job that this belongs to; nil while a caller waits for it
	Watch func(step string, done, total int) error // is called with a job's progress, and ends it by returning an error
}

// NeedsJob reports whether a session is too large to be judged while a caller waits: by its claims, or by the bytes
// that a judge has to read.
func NeedsJob(s *ledger.Session) bool {
	n := len(s.Answer)
	for i := range s.Documents {
		for j := range s.Documents[i].Chunks {
			n += len(s.Documents[i].Chunks[j].Text)
		}
	}
	return len(s.Claims) > judge.MaxClaims || n > SmallImport
}

// Rejudge judges all claims of the loaded session, including those that came with matches, outside of any transaction.
// It then stores the run in one transaction, in which check is given the session as it is by then, and receipt makes
// the answer to an Idempotency-Key. If another run or a changed document came first, the error is a Conflict and
// nothing is stored.
func (r Rejudger) Rejudge(
	ctx context.Context, loaded *ledger.Session, ask db.JudgeAsk, name string,
	check func(*ledger.Session) error, receipt func(*db.Judged) (*db.Receipt, error),
) (*db.Judged, error) {
	judged, err := r.judge(ctx, loaded, name)
	if err != nil {
		return nil, err
	}
	tenant, err := r.Store.Tenant(ctx, r.Actor.Tenant)
	if err != nil {
		return nil, err
	}
	ask.Job = r.Job
	return r.Store.JudgeSession(ctx, r.Actor, ask, func(number int, now *ledger.Session) (*db.Judged, error) {
		if err := check(now); err != nil {
			return nil, err
		}
		if !now.SameInput(loaded) {
			return nil, domain.Conflictf("The session was judged or a document of it changed meanwhile; ask again.")
		}
		out := &db.Judged{Number: number, Changes: now.TakeRun(judged, r.Now)}
		l := ledger.Assess(now, tenant.FreshnessMonths)
		out.Ledger = &l
		if receipt != nil {
			out.Receipt, err = receipt(out)
		}
		return out, err
	})
}

// judge returns a copy of the session, judged by the named judge, with its citations resolved and checked again.
func (r Rejudger) judge(ctx context.Context, loaded *ledger.Session, name string) (*ledger.Session, error) {
	judged := *loaded
	judged.Run.ID = r.NewID()
	judged.Documents = slices.Clone(loaded.Documents)
	for i := range judged.Documents {
		if d := &judged.Documents[i]; !d.Citable() {
			d.Status = ledger.Deleted // judges skip these
		}
	}
	judged.Claims = slices.Clone(loaded.Claims)
	for i := range judged.Claims {
		c := &judged.Claims[i]
		c.Given, c.Matches, c.Citations = false, nil, slices.Clone(c.Citations)
	}
	watch := func(int, int) error { return ctx.Err() }
	if r.Watch != nil {
		watch = func(begun, all int) error { return r.Watch(domain.JobJudging, begun, all) }
	}
	start := time.Now() // a duration for operators, not part of any result
	if _, err := judge.RunWatched(&judged, judges[name](), r.Now, watch); err != nil {
		return nil, err
	}
	judged.Run.Duration = time.Since(start)
	if r.Watch != nil {
		n := len(judged.Claims)
		if err := r.Watch(domain.JobStoring, n, n); err != nil {
			return nil, err
		}
	}
	if err := resolveCitations(ctx, r.Store, r.Actor.Tenant, &judged); err != nil {
		return nil, err
	}
	checkAnswer(&judged)
	return &judged, nil
}

// QueueRejudge adds the job that judges a session again, or finds it: created reports which. If receipt is given, it is
// called with the job to be added and makes the answer to an Idempotency-Key.
func QueueRejudge(
	ctx context.Context, store *db.Store, who domain.Actor, loaded *ledger.Session, in RejudgeInput,
	receipt func(domain.Job) (*db.Receipt, error),
) (job domain.Job, created bool, err error) {
	data, err := json.Marshal(rejudgeJob{loaded.ID, loaded.Revision, in})
	if err != nil {
		return domain.Job{}, false, err
	}
	upload, err := store.PutJobInput(ctx, bytes.NewReader(data))
	if err != nil {
		return domain.Job{}, false, err
	}
	queued := domain.Job{
		ID: upload.ID, Kind: domain.JobJudge, State: domain.JobQueued, Name: loaded.Title, Bytes: upload.Bytes,
		CreatedAt: upload.At,
	}
	var r *db.Receipt
	if receipt != nil {
		if r, err = receipt(queued); err != nil {
			store.DropJobInput(ctx, upload)
			return domain.Job{}, false, err
		}
	}
	return store.AddJob(ctx, who, upload, domain.JobJudge, loaded.Title, r)
}

// rejudge does a job that judges a session again. It judges the session as it is now, so that reviews made since the
// job was asked for are kept.
func (w *Worker) rejudge(b *heartbeat, job *db.ClaimedJob, data []byte) error {
	var in rejudgeJob
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if judges[in.Judge] == nil {
		return domain.Invalidf("judge", "There is no such judge here.")
	}
	loaded, err := w.Store.Session(b.ctx, job.Actor.Tenant, in.SessionID)
	if err != nil {
		return err
	}
	r := Rejudger{
		Store: w.Store, Actor: job.Actor, Now: w.Now().UTC().Truncate(time.Microsecond), NewID: w.NewID,
		Job: job, Watch: b.watch,
	}
	_, err = r.Rejudge(b.ctx, loaded, db.JudgeAsk{SessionID: in.SessionID, BundleID: in.BundleID}, in.Judge,
		func(*ledger.Session) error { return nil }, nil)
	return err
}
