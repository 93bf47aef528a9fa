package app

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/importers"
	"sanad/internal/lake"
)

// judges are the judges that a session may be judged again by without a network. "" is the default.
var judges = map[string]func(own judge.Judge) judge.Judge{
	"":         func(own judge.Judge) judge.Judge { return own },
	"embedded": func(own judge.Judge) judge.Judge { return own },
	"lexical":  func(judge.Judge) judge.Judge { return judge.NewLexical() },
}

// RejudgeInput is what a caller asks for.
type RejudgeInput struct {
	Judge    string `json:"judge"` // "" for the default; else embedded, lexical, or the id or name of an endpoint
	BundleID string `json:"bundle_id"`
	Scope    string `json:"scope,omitempty"`    // of an endpoint: which claims it is asked about, "" for judge.Rest
	Comments bool   `json:"comments,omitempty"` // remarks on the documents' texts are evidence
}

// AsksModel reports whether a judge over the network is asked.
func (in *RejudgeInput) AsksModel() bool { return judges[in.Judge] == nil }

func (in *RejudgeInput) scope() judge.Scope { return cmp.Or(judge.Scope(in.Scope), judge.Rest) }

// Check refuses an unknown judge and a bundle that the tenant does not have, naming the field. The name of an endpoint
// is replaced by its id.
func (in *RejudgeInput) Check(ctx context.Context, store *db.Store, tenant string) error {
	if err := in.checkJudge(ctx, store, tenant); err != nil {
		return err
	}
	if in.BundleID == "" {
		return nil
	}
	_, err := store.BundleArtifact(ctx, tenant, in.BundleID)
	if domain.KindOf(err) == domain.NotFound {
		return domain.Refuse(domain.Invalid, "bundle_id", "refused_own_bundle")
	}
	return err
}

func (in *RejudgeInput) checkJudge(ctx context.Context, store *db.Store, tenant string) error {
	if !in.AsksModel() {
		if in.Scope != "" {
			return domain.Refuse(domain.Invalid, "scope", "refused_only_endpoint_asked")
		}
		return nil
	}
	e, err := JudgeEndpoint(ctx, store, tenant, in.Judge)
	if err != nil {
		return err
	}
	in.Judge, in.Scope = e.ID, string(in.scope())
	if in.scope() != judge.Rest && in.scope() != judge.Every {
		return domain.Refuse(domain.Invalid, "scope", "refused_such_scope_choose")
	}
	return nil
}

// JudgeEndpoint returns the endpoint with an id or name that can judge a session. An error names the field judge.
func JudgeEndpoint(ctx context.Context, store *db.Store, tenant, idOrName string) (model.Endpoint, error) {
	e, err := store.ModelEndpoint(ctx, tenant, idOrName)
	if domain.KindOf(err) == domain.NotFound && err != nil {
		return e, domain.Refuse(domain.Invalid, "judge", "refused_own_judge")
	}
	if err != nil {
		return e, err
	}
	return e, mayJudge(&e)
}

// rejudgeJob is the stored input of a job. The same request for the same revision is the same job.
type rejudgeJob struct {
	SessionID string `json:"session_id"`
	Revision  int    `json:"revision"` // as shown to somebody without reviews
	RejudgeInput
	Add    *AddInput                `json:"add,omitempty"`    // documents to be added, nil if none
	Answer *importers.RevisedAnswer `json:"answer,omitempty"` // the revised answer, nil if none
	Reword *ledger.Rewording        `json:"reword,omitempty"` // claims that come in the place of others, nil if none
}

// AddInput is documents that are added to a session: files from a form, or what a caller of the API sent.
type AddInput struct {
	Files     []importers.File          `json:"files,omitempty"`
	Documents []importers.AddedDocument `json:"documents,omitempty"`
}

// Read reads the documents. Where there are both files and documents, the files are those that documents name in the
// lake.
func (in *AddInput) Read(ctx context.Context, opt importers.Options) (*importers.Added, error) {
	switch {
	case len(in.Documents) > 0 && len(in.Files) > 0:
		return importers.AddedOfLake(ctx, in.Documents, in.Files, opt)
	case len(in.Files) == 0:
		return importers.ReadAdded(in.Documents, opt)
	}
	return importers.UploadedDocuments(ctx, in.Files, opt)
}

// Size returns the bytes that there are to read.
func (in *AddInput) Size() int {
	n := 0
	for i := range in.Files {
		n += len(in.Files[i].Data)
	}
	for i := range in.Documents {
		n += in.Documents[i].Size()
	}
	return n
}

// Rejudger judges a stored session again.
type Rejudger struct {
	Store    *db.Store
	Actor    access.Actor
	Now      time.Time
	NewID    func() string
	Lake     *lake.Lake // that bundles are read from, nil if none
	Embedded *Embedded  // judge; nil compares words only

	Job   *db.ClaimedJob                           // the job that this belongs to; nil while a caller waits for it
	Watch func(step string, done, total int) error // is called with a job's progress, and ends it by returning an error
	Told  Told                                     // nil if nobody is told of verdicts as they come

	model *modelRun // that judges, nil for the embedded judge
}

// Rejudge judges all claims of the loaded session, including those that came with matches, outside of any transaction.
// It then stores the run in one transaction, in which check is given the session as it is by then, and receipt makes
// the answer to an Idempotency-Key. If another run or a changed document came first, the error is a Conflict and
// nothing is stored.
func (r Rejudger) Rejudge(
	ctx context.Context, loaded *ledger.Session, req db.JudgeRequest, in RejudgeInput,
	check func(*ledger.Session) error, receipt func(*db.Judged) (*db.Receipt, error),
) (*db.Judged, error) {
	read := *loaded
	read.Run.ReadComments(in.Comments)
	judged, items, err := r.judgeFrom(ctx, &read, req.BundleID, in.Judge)
	if err != nil {
		return nil, err
	}
	add := func(now *ledger.Session) error { return now.AddDocuments(items, r.Now) }
	apply, err := r.taken(ctx, loaded, judged, check, add, receipt)
	if err != nil {
		return nil, err
	}
	if r.Job != nil { // a nil pointer would be a job
		req.Job = r.Job
	}
	return r.Store.JudgeSession(ctx, r.Actor, req, apply)
}

// Add gives the loaded session more documents and judges the claims whose result may change (judge.RunAdded), with the
// transaction, the arguments and the errors of Rejudge.
func (r Rejudger) Add(
	ctx context.Context, loaded *ledger.Session, req db.JudgeRequest, added *importers.Added,
	check func(*ledger.Session) error, receipt func(*db.Judged) (*db.Receipt, error),
) (*db.Judged, error) {
	documents := identified(added.Documents, r.NewID)
	grown := *loaded
	if err := grown.AddDocuments(documents, r.Now); err != nil {
		return nil, err
	}
	judged, err := r.judge(ctx, &grown, "", func(s *ledger.Session, own judge.Embedded, watch func(begun, all int) error) error {
		return judge.RunAdded(s, len(loaded.Documents), run(ctx, own, r.Actor, r.Told), r.Now, watch)
	})
	if err != nil {
		return nil, err
	}
	add := func(now *ledger.Session) error { return now.AddDocuments(documents, r.Now) }
	apply, err := r.taken(ctx, loaded, judged, check, add, receipt)
	if err != nil {
		return nil, err
	}
	if r.Job != nil { // a nil pointer would be a job
		req.Job = r.Job
	}
	return r.Store.AddDocuments(ctx, r.Actor, req, documents, originalsOf(added.Originals), apply)
}

// Reword puts claims in the place of others of the loaded session (ledger.Session.Reword) and judges them, with the
// transaction, the arguments and the errors of Rejudge. added are their positions.
func (r Rejudger) Reword(
	ctx context.Context, loaded *ledger.Session, req db.JudgeRequest, in *ledger.Rewording,
	check func(*ledger.Session) error, receipt func(judged *db.Judged, added []int) (*db.Receipt, error),
) (added []int, err error) {
	grown := *loaded
	grown.Claims = slices.Clone(loaded.Claims)
	if added, err = grown.Reword(in, r.Actor, r.NewID, r.Now); err != nil {
		return nil, err
	}
	judged, err := r.judge(ctx, &grown, "", func(s *ledger.Session, own judge.Embedded, watch func(begun, all int) error) error {
		return judge.RunReworded(s, added, run(ctx, own, r.Actor, r.Told), r.Now, watch)
	})
	if err != nil {
		return nil, err
	}
	grow := func(now *ledger.Session) error {
		_, err := now.Reword(in, r.Actor, r.NewID, r.Now)
		return err
	}
	var answer func(*db.Judged) (*db.Receipt, error)
	if receipt != nil {
		answer = func(j *db.Judged) (*db.Receipt, error) { return receipt(j, added) }
	}
	apply, err := r.taken(ctx, loaded, judged, check, grow, answer)
	if err != nil {
		return nil, err
	}
	if r.Job != nil { // a nil pointer would be a job
		req.Job = r.Job
	}
	_, err = r.Store.JudgeSession(ctx, r.Actor, req, apply)
	return added, err
}

// CheckRewording refuses a rewording that the loaded session does not allow (ledger.Session.Reword).
func CheckRewording(loaded *ledger.Session, in *ledger.Rewording, who access.Actor) error {
	grown := *loaded
	grown.Claims = slices.Clone(loaded.Claims)
	_, err := grown.Reword(in, who, func() string { return "" }, loaded.UpdatedAt)
	return err
}

// CheckAdded refuses documents that the loaded session cannot take (ledger.Session.AddDocuments).
func CheckAdded(loaded *ledger.Session, added *importers.Added) error {
	grown := *loaded
	return grown.AddDocuments(added.Documents, loaded.UpdatedAt)
}

// identified assigns ids to documents and their chunks.
func identified(documents []ledger.Document, next func() string) []ledger.Document {
	s := ledger.Session{Documents: documents}
	s.Identify(next)
	return s.Documents
}

// taken returns what JudgeSession applies to the stored session: check, then grow, then the run of judged.
func (r Rejudger) taken(
	ctx context.Context, loaded, judged *ledger.Session, check, grow func(*ledger.Session) error,
	receipt func(*db.Judged) (*db.Receipt, error),
) (func(number int, now *ledger.Session) (*db.Judged, error), error) {
	tenant, err := r.Store.Tenant(ctx, r.Actor.Tenant)
	if err != nil {
		return nil, err
	}
	return func(number int, now *ledger.Session) (*db.Judged, error) {
		if err := check(now); err != nil {
			return nil, err
		}
		if !now.SameInput(loaded) {
			return nil, domain.Refuse(domain.Conflict, "", "refused_own_changed")
		}
		if err := grow(now); err != nil {
			return nil, err
		}
		out := &db.Judged{Number: number, Changes: now.TakeRun(judged, r.Now)}
		l := ledger.Assess(now, tenant.FreshnessMonths)
		out.Ledger = &l
		if receipt != nil {
			out.Receipt, err = receipt(out)
		}
		return out, err
	}, nil
}

// judge returns a copy of the session, judged by do from the items of a bundle, or, without one, from the session's
// own documents. Its citations are resolved and checked again.
func (r Rejudger) judge(
	ctx context.Context, loaded *ledger.Session, bundleID string,
	do func(s *ledger.Session, own judge.Embedded, watch func(begun, all int) error) error,
) (*ledger.Session, error) {
	own, err := r.Embedded.For(ctx, r.Store, r.Actor.Tenant)
	if err != nil {
		return nil, err
	}
	judged := *loaded
	judged.Run.ID = r.NewID()
	judged.Documents = slices.Clone(loaded.Documents)
	unread(&judged, bundleID)
	judged.Claims = slices.Clone(loaded.Claims)
	for i := range judged.Claims {
		c := &judged.Claims[i]
		c.Citations = slices.Clone(c.Citations)
	}
	watch := func(int, int) error { return ctx.Err() }
	if r.Watch != nil {
		watch = func(begun, all int) error { return r.Watch(job.Judging, begun, all) }
	}
	start := time.Now() // a duration for operators, not part of any result
	if err := do(&judged, own, watch); err != nil {
		return nil, err
	}
	judged.Run.Duration, judged.Run.BundleID = time.Since(start), bundleID
	judged.KeepAttached(loaded, func(c *ledger.Claim, m ledger.Match) ledger.Match {
		again := own.Attached(loaded, c, m.Chunk, m.Quote.Span)
		again.Attached = m.Attached
		return again
	})
	if r.Watch != nil {
		n := len(judged.Claims)
		if err := r.Watch(job.Storing, n, n); err != nil {
			return nil, err
		}
	}
	if err := resolveCitations(ctx, r.Store, r.Actor.Tenant, &judged); err != nil {
		return nil, err
	}
	judge.CheckAnswer(&judged, run(ctx, own, r.Actor, nil))
	return &judged, ctx.Err()
}

// QueueRejudge adds the job that judges a session again, or finds it: created reports which. If receipt is given, it is
// called with the job to be added and makes the answer to an Idempotency-Key.
func QueueRejudge(
	ctx context.Context, store *db.Store, who access.Actor, loaded *ledger.Session, in RejudgeInput,
	receipt func(job.Job) (*db.Receipt, error),
) (work job.Job, created bool, err error) {
	return queue(ctx, store, who, rejudgeJob{SessionID: loaded.ID, Revision: loaded.RevisionFor(""), RejudgeInput: in},
		loaded.Title, receipt)
}

// QueueAdd is QueueRejudge for documents that are added.
func QueueAdd(
	ctx context.Context, store *db.Store, who access.Actor, loaded *ledger.Session, in *AddInput,
	receipt func(job.Job) (*db.Receipt, error),
) (work job.Job, created bool, err error) {
	return queue(ctx, store, who, rejudgeJob{SessionID: loaded.ID, Revision: loaded.RevisionFor(""), Add: in},
		loaded.Title, receipt)
}

// QueueRevise is QueueRejudge for a revised answer.
func QueueRevise(
	ctx context.Context, store *db.Store, who access.Actor, old *ledger.Session, in *importers.RevisedAnswer,
	receipt func(job.Job) (*db.Receipt, error),
) (work job.Job, created bool, err error) {
	if err := old.MayRevise(); err != nil {
		return job.Job{}, false, err
	}
	return queue(ctx, store, who, rejudgeJob{SessionID: old.ID, Revision: old.RevisionFor(""), Answer: in}, old.Title,
		receipt)
}

// QueueReword is QueueRejudge for claims that come in the place of others.
func QueueReword(
	ctx context.Context, store *db.Store, who access.Actor, loaded *ledger.Session, in *ledger.Rewording,
	receipt func(job.Job) (*db.Receipt, error),
) (work job.Job, created bool, err error) {
	return queue(ctx, store, who, rejudgeJob{SessionID: loaded.ID, Revision: loaded.RevisionFor(""), Reword: in},
		loaded.Title, receipt)
}

// queue adds a job of kind job.Judge.
func queue(
	ctx context.Context, store *db.Store, who access.Actor, in rejudgeJob, title string,
	receipt func(job.Job) (*db.Receipt, error),
) (work job.Job, created bool, err error) {
	data, err := json.Marshal(in)
	if err != nil {
		return job.Job{}, false, err
	}
	upload, err := store.PutJobInput(ctx, bytes.NewReader(data))
	if err != nil {
		return job.Job{}, false, err
	}
	queued := job.Job{
		ID: upload.ID, Kind: job.Judge, State: job.Queued, Name: title, Bytes: upload.Bytes,
		CreatedAt: upload.At,
	}
	var r *db.Receipt
	if receipt != nil {
		if r, err = receipt(queued); err != nil {
			store.DropJobInput(ctx, upload)
			return job.Job{}, false, err
		}
	}
	return store.AddJob(ctx, who, upload, job.Judge, title, r)
}

// rejudge does a job that judges a session again. It judges the session as it is now, so that reviews made since the
// job was asked for are kept.
func (w *Worker) rejudge(b *heartbeat, work *db.ClaimedJob, data []byte) error {
	var in rejudgeJob
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if in.Answer != nil || in.Add != nil { // which come with a text or files to be read
		if err := b.watch(job.Reading, 0, 0); err != nil {
			return err
		}
	}
	always := func(*ledger.Session) error { return nil }
	if in.Answer != nil {
		r := Reviser{Importer: Importer{
			Store: w.Store, Actor: work.Actor, Now: w.Now().UTC().Truncate(time.Microsecond), NewID: w.NewID, Job: work,
			Watch: b.watch, Told: b.told, Embedded: w.Embedded,
		}, Limits: w.Import}
		_, err := r.Revise(b.ctx, in.SessionID, in.Answer, always, nil)
		return err
	}
	loaded, err := w.Store.Session(b.ctx, work.Actor.Tenant, in.SessionID)
	if err != nil {
		return err
	}
	r := Rejudger{
		Store: w.Store, Actor: work.Actor, Now: w.Now().UTC().Truncate(time.Microsecond), NewID: w.NewID,
		Lake: w.Lake, Job: work, Watch: b.watch, Told: b.told, Embedded: w.Embedded,
	}
	if in.AsksModel() {
		models := w.Models
		own, err := w.Embedded.For(b.ctx, w.Store, work.Actor.Tenant)
		if err != nil {
			return err
		}
		models.Own = run(b.ctx, own, work.Actor, nil)
		if r.model, err = newModelRun(b.ctx, w.Store, models, w.Now, work, loaded, in.RejudgeInput, b.tell); err != nil {
			return err
		}
	}
	if in.Add != nil {
		added, err := in.Add.Read(b.ctx, w.Import)
		if err != nil {
			return err
		}
		_, err = r.Add(b.ctx, loaded, db.JudgeRequest{SessionID: in.SessionID}, added, always, nil)
		return err
	}
	request := db.JudgeRequest{SessionID: in.SessionID, BundleID: in.BundleID}
	if in.Reword != nil {
		_, err = r.Reword(b.ctx, loaded, request, in.Reword, always, nil)
		return err
	}
	_, err = r.Rejudge(b.ctx, loaded, request, in.RejudgeInput, always, nil)
	return err
}
