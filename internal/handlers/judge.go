package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// judges are those that may be asked to judge a session anew, by name; "" is the default.
var judges = map[string]func() judge.Judge{
	"":        func() judge.Judge { return judge.NewLexical() },
	"lexical": func() judge.Judge { return judge.NewLexical() },
}

// judgeInput is the body of POST …/judge.
type judgeInput struct {
	Judge    string `json:"judge"`
	BundleID string `json:"bundle_id"`
}

// judgeJob is what a job of judging reads. The same asked of the same revision is the same job.
type judgeJob struct {
	SessionID string `json:"session_id"`
	Revision  int    `json:"revision"`
	judgeInput
}

// Judging judges a stored session anew: for the page, the API and the worker.
type Judging struct {
	Store *db.Store
	Actor domain.Actor
	Now   time.Time
	NewID func() string

	Job   *db.ClaimedJob                           // what this is done for; nil where the caller waits
	Watch func(step string, done, total int) error // of a job
}

// bigSession tells whether to judge a session is a job: by its claims, or by what there is to read, in bytes.
func bigSession(s *ledger.Session) bool {
	n := len(s.Answer)
	for i := range s.Documents {
		for j := range s.Documents[i].Chunks {
			n += len(s.Documents[i].Chunks[j].Text)
		}
	}
	return len(s.Claims) > judge.MaxClaims || n > smallImport
}

// Run judges what was loaded, outside of any transaction, and then takes the run over in one: check decides there on the session
// as it is then, receipt makes the answer to an Idempotency-Key. Where another run or a change of a document came between, it is
// a Conflict and nothing is stored. Claims whose matches came with the session are judged like all others.
func (g Judging) Run(ctx context.Context, loaded *ledger.Session, ask db.JudgeAsk, name string, check func(*ledger.Session) error,
	receipt func(*db.Judged) (*db.Receipt, error)) (*db.Judged, error) {
	judged, err := g.judge(ctx, loaded, name)
	if err != nil {
		return nil, err
	}
	tenant, err := g.Store.Tenant(ctx, g.Actor.Tenant)
	if err != nil {
		return nil, err
	}
	ask.Job = g.Job
	return g.Store.JudgeSession(ctx, g.Actor, ask, func(number int, now *ledger.Session) (*db.Judged, error) {
		if err := check(now); err != nil {
			return nil, err
		}
		if !now.SameInput(loaded) {
			return nil, domain.Conflictf("The session was judged or a document of it changed meanwhile; ask again.")
		}
		out := &db.Judged{Number: number, Changes: now.TakeRun(judged, g.Now)}
		l := ledger.Assess(now, tenant.FreshnessMonths)
		out.Ledger = &l
		if receipt != nil {
			out.Receipt, err = receipt(out)
		}
		return out, err
	})
}

// judge gives a copy of the session, judged by the named judge, with its citations resolved anew.
func (g Judging) judge(ctx context.Context, loaded *ledger.Session, name string) (*ledger.Session, error) {
	judged := *loaded
	judged.Run.ID = g.NewID()
	judged.Documents = slices.Clone(loaded.Documents)
	for i := range judged.Documents {
		if d := &judged.Documents[i]; !d.Citable() {
			d.Status = ledger.Deleted // a judge passes these over
		}
	}
	judged.Claims = slices.Clone(loaded.Claims)
	for i := range judged.Claims {
		c := &judged.Claims[i]
		c.Given, c.Matches, c.Citations = false, nil, slices.Clone(c.Citations)
	}
	watch := func(int, int) error { return ctx.Err() }
	if g.Watch != nil {
		watch = func(begun, all int) error { return g.Watch(db.JobJudging, begun, all) }
	}
	start := time.Now() // a duration for operators, not part of any result
	if _, err := judge.RunWatched(&judged, judges[name](), g.Now, watch); err != nil {
		return nil, err
	}
	judged.Run.Duration = time.Since(start)
	if g.Watch != nil {
		n := len(judged.Claims)
		if err := g.Watch(db.JobStoring, n, n); err != nil {
			return nil, err
		}
	}
	return &judged, resolveCitations(ctx, g.Store, g.Actor.Tenant, &judged)
}

// checkJudge refuses an unknown judge or bundle, naming the field.
func (s *Server) checkJudge(c echo.Context, in *judgeInput) error {
	if judges[in.Judge] == nil {
		return domain.Invalidf("judge", "There is no such judge here; choose lexical, or leave it out.")
	}
	if in.BundleID == "" {
		return nil
	}
	_, err := s.store.BundleArtifact(c.Request().Context(), s.who(c).Tenant, in.BundleID)
	if domain.KindOf(err) == domain.NotFound {
		return domain.Invalidf("bundle_id", "There is no such bundle; build it first.")
	}
	return err
}

// judging makes the judging of this request.
func (s *Server) judging(c echo.Context) Judging {
	return Judging{Store: s.store, Actor: s.who(c), Now: s.now().UTC().Truncate(time.Microsecond), NewID: s.newID}
}

// judgeSession takes the page's button: 303 to what changed, or to the job of a big session.
func (s *Server) judgeSession(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return withStatus(http.StatusBadRequest, domain.Invalidf("revision", "The form lacks the revision it was made from; load the page again."))
	}
	check := func(now *ledger.Session) error {
		if now.Revision != seen {
			return domain.Conflictf("The ledger has changed since you opened it. Load it again, then judge it.")
		}
		return nil
	}
	loaded, err := s.store.Session(ctx, s.who(c).Tenant, id)
	if err != nil {
		return err
	}
	if err := check(loaded); err != nil {
		return err
	}
	if bigSession(loaded) {
		job, _, err := s.queueJudging(ctx, s.who(c), loaded, judgeInput{}, nil)
		if err != nil {
			return err
		}
		return seeOther(c, "/jobs/"+job.ID)
	}
	out, err := s.judging(c).Run(ctx, loaded, db.JudgeAsk{SessionID: id}, "", check, nil)
	if err != nil {
		return err
	}
	return seeOther(c, fmt.Sprintf("/sessions/%s/runs/%d", id, out.Number))
}

// queueJudging makes the job that judges a session; receipt, where given, is told its id and makes the answer that is kept.
func (s *Server) queueJudging(ctx context.Context, who domain.Actor, loaded *ledger.Session, in judgeInput,
	receipt func(db.Job) (*db.Receipt, error)) (db.Job, bool, error) {
	data, err := json.Marshal(judgeJob{loaded.ID, loaded.Revision, in})
	if err != nil {
		return db.Job{}, false, err
	}
	upload, err := s.store.PutJobInput(ctx, bytes.NewReader(data))
	if err != nil {
		return db.Job{}, false, err
	}
	queued := db.Job{ID: upload.ID, Kind: db.JobJudge, State: db.JobQueued, Name: loaded.Title, Bytes: upload.Bytes, CreatedAt: upload.At}
	var r *db.Receipt
	if receipt != nil {
		if r, err = receipt(queued); err != nil {
			s.store.DropJobInput(ctx, upload)
			return db.Job{}, false, err
		}
	}
	return s.store.AddJob(ctx, who, upload, db.JobJudge, loaded.Title, r)
}

// judge does a job that judges a session. Reviews that came after it was asked for are kept: it is the session of now that is judged.
func (w *Worker) judge(p *pulse, job *db.ClaimedJob, data []byte) error {
	var in judgeJob
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if judges[in.Judge] == nil {
		return domain.Invalidf("judge", "There is no such judge here.")
	}
	loaded, err := w.Store.Session(p.ctx, job.Actor.Tenant, in.SessionID)
	if err != nil {
		return err
	}
	g := Judging{Store: w.Store, Actor: job.Actor, Now: w.Now().UTC().Truncate(time.Microsecond), NewID: w.NewID, Job: job, Watch: p.watch}
	_, err = g.Run(p.ctx, loaded, db.JudgeAsk{SessionID: in.SessionID, BundleID: in.BundleID}, in.Judge,
		func(*ledger.Session) error { return nil }, nil)
	return err
}
