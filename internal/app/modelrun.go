package app

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/domain/redact"
	"sanad/internal/llm"
	"sanad/internal/words"
)

// Models says how endpoints are asked, wherever they are (rule SEC-27).
type Models struct {
	Allow []netip.Prefix                             // networks that are reached although they are not public
	Roots *x509.CertPool                             // nil for the system's
	Wait  func(context.Context, time.Duration) error // between two tries, nil for a timer
	Own   judge.Judge                                // the embedded judge, which answers are held to; nil compares words only
}

// modelTries is how often a run tries, so that it waits out an endpoint that is busy for a minute: ten tries with waits
// that double are 64 seconds at least, as the jitter falls, and two minutes at most.
const modelTries = 10

// Judge returns what asks an endpoint with its key. cover covers what identifies a person, nil if the endpoint is shown
// everything; vectors help to find passages; failed is told why a try failed, nil for none. Nothing is sent yet.
func (m Models) Judge(
	e *model.Endpoint, key string, cover *redact.Redactor, vectors llm.Embeddings, now func() time.Time,
	failed func(why domain.Message),
) (*llm.Judge, error) {
	return llm.New(llm.Config{
		Redact: cover, Embeddings: vectors,
		Kind: llm.Kind(e.Kind), Endpoint: e.URL, Model: e.Model, Key: key, Allow: m.Allow,
		Allowing: "sanad serve --model-allow", Roots: m.Roots, Wait: m.Wait, Own: m.Own,
		Trust:   pointer.Trust{Supported: e.Trust.Supported, Contradicted: e.Trust.Contradicted},
		Timeout: e.Timeout, Tries: modelTries, MaxWait: 2 * time.Minute, Now: now, Jitter: rand.Float64,
		Failed: failed,
	})
}

// modelRun judges one session: first the embedded judge, then a model what that leaves (rule J-11).
type modelRun struct {
	store    *db.Store
	tenant   string
	session  string // id
	job      string // id
	endpoint model.Endpoint
	trust    map[string]string // parameters of the run: what its words counted, and what that stands on
	scope    judge.Scope
	judge    *llm.Judge
	now      func() time.Time
	erased   int // documents that were erased when the run began

	budget *budget
	near   *budget // of the endpoint of embeddings; nil if none
	keep   *keeper
	end    context.CancelCauseFunc
	tell   func(fault domain.Message) // reports the newest fault to whoever watches; zero once a question is answered

	mu        sync.Mutex
	counts    map[string]int // what the run says it did, by the name of its parameter
	faults    int            // of the endpoint in a row
	lasting   int            // the newest of them, as far as they are of one lasting kind
	fault     string         // code of the newest, "" if there was none
	stop      domain.Message // why nothing is asked any more, zero while it is
	wordsOnly string         // code of why vectors did not help with some claim, "" if they did
}

// newModelRun loads what a run by an endpoint needs. An error says what is missing.
func newModelRun(
	ctx context.Context, store *db.Store, m Models, now func() time.Time, job *db.ClaimedJob, loaded *ledger.Session,
	in RejudgeInput, tell func(fault domain.Message),
) (*modelRun, error) {
	e, key, err := store.OpenModelEndpoint(ctx, job.Actor.Tenant, in.Judge)
	if domain.KindOf(err) == domain.NotFound {
		return nil, domain.Refuse(domain.Invalid, "judge", "refused_own_removed")
	}
	if err != nil {
		return nil, err
	}
	if err := mayJudge(&e); err != nil {
		return nil, err
	}
	r := &modelRun{store: store, tenant: job.Actor.Tenant, session: loaded.ID, job: job.ID, endpoint: e, scope: in.scope(),
		now: now, tell: tell, counts: map[string]int{}, erased: erasedDocuments(loaded)}
	if r.trust, err = trustParameters(ctx, store, r.tenant, &e); err != nil {
		return nil, err
	}
	if r.budget, err = newBudget(ctx, store, now, job, loaded.ID, e); err != nil {
		return nil, err
	}
	if n := r.budget.spending().Calls; n > 0 {
		r.counts[countAsked] = n
	}
	vectors, hides, err := r.vectors(ctx, job)
	if err != nil {
		return nil, err
	}
	var cover *redact.Redactor
	if e.Redact || hides { // both are shown the same words
		if cover, err = redactorOf(ctx, store, r.tenant); err != nil {
			return nil, err
		}
	}
	r.judge, err = m.Judge(&e, key, cover, vectors, now, tell)
	return r, err
}

// mayJudge returns why an endpoint judges nothing just now, nil if it does.
func mayJudge(e *model.Endpoint) error {
	switch {
	case !e.Kind.Judges():
		return domain.Refuse(domain.Invalid, "judge", "refused_own_vectors", "Name", e.Name)
	case !e.Enabled:
		return domain.Refuse(domain.Invalid, "judge", "refused_own_disabled", "Name", e.Name)
	}
	return nil
}

func erasedDocuments(s *ledger.Session) (n int) {
	for i := range s.Documents {
		if s.Documents[i].Status == ledger.Erased {
			n++
		}
	}
	return n
}

// judgeAll judges all claims of a session, first by the embedded judge, and records the run as of at. watch is called
// with how many are settled.
func (r *modelRun) judgeAll(
	ctx context.Context, s *ledger.Session, own judge.Judge, at time.Time, watch func(done, all int) error,
) error {
	all := len(s.Claims)
	if _, err := judge.RunWatched(s, own, at, func(int, int) error { return watch(0, all) }); err != nil {
		return err
	}
	asked := judge.Cascade(s, r.scope)
	done := all - len(asked)
	step := func() error { return watch(done, all) }
	if err := step(); err != nil {
		return err
	}
	if err := r.ask(ctx, s, asked, func() error { done++; return step() }); err != nil {
		return err
	}
	r.name(s, own)
	return watch(all, all)
}

// name says in the run which judges made it, and what they did.
func (r *modelRun) name(s *ledger.Session, own judge.Judge) {
	run, comments := &s.Run, s.Run.ReadsComments()
	run.Judge = r.judge.Name()
	run.Version = r.endpoint.Model + "/" + r.judge.Version()
	p := maps.Clone(r.judge.Parameters())
	if r.scope == judge.Rest {
		run.Judge = own.Name() + "+" + run.Judge
	}
	maps.Copy(p, r.trust)
	p["scope"], p["endpoint"], p["endpoint_id"] = string(r.scope), r.endpoint.Name, r.endpoint.ID
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, n := range r.counts {
		p[name] = strconv.Itoa(n)
	}
	of := r.budget.spending()
	p["tokens_in"], p["tokens_out"] = strconv.FormatInt(of.TokensIn, 10), strconv.FormatInt(of.TokensOut, 10)
	p["cost_millionths"] = strconv.FormatInt(of.Cost, 10)
	switch why := r.budget.usedUp(); why {
	case "":
	case notEnabled:
		p["ended"] = string(why)
	default:
		p["used_up"] = string(why)
	}
	if r.fault != "" {
		p["fault"] = r.fault
	}
	r.nameVectors(p)
	run.Parameters = p
	run.ReadComments(comments)
}

// What a run counts, as its parameters name it.
const (
	countAsked    = "asked"         // questions that were put to the endpoint, also before the run was begun again
	countKept     = "known_answers" // claims whose answer another run had got
	countUnjudged = "failed"        // claims to which no answer came, or none that counts
	countLeft     = "left"          // claims that were not asked about, as a bound is used up or the endpoint was disabled
	countApart    = "judges_disagree"
	countUnknown  = "unknown_ids"
	countWords    = "words_only" // claims whose passages were found by words alone, although vectors were to help
)

func (r *modelRun) count(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > 0 {
		r.counts[name] += n
	}
}

// ask puts the claims to the endpoint, as many at a time as it takes. done is called after each, by one goroutine at a
// time. An error ends the run; what was answered until then is kept.
func (r *modelRun) ask(ctx context.Context, s *ledger.Session, asked []judge.Unsure, done func() error) error {
	if len(asked) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := judge.NewIndex(s)
	// Preparing a question, reading and storing its answer take time too: only what is out counts against the bound.
	slots := make(chan struct{}, r.endpoint.Parallel)
	r.end, r.keep = cancel, newKeeper(func(batch []model.Answered) error {
		return r.store.SaveModelCalls(context.WithoutCancel(ctx), r.tenant, r.session, r.erased, batch)
	})
	defer r.keep.close()
	next := make(chan *ledger.Claim)
	var workers sync.WaitGroup
	var settled sync.Mutex
	for range min(2*r.endpoint.Parallel, len(asked)) {
		workers.Go(func() {
			for c := range next {
				err := r.one(ctx, c, x, slots)
				if err == nil {
					settled.Lock()
					err = done()
					settled.Unlock()
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, u := range asked {
		select {
		case next <- &s.Claims[u.Claim]:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}

// one settles one claim. An error ends the run.
func (r *modelRun) one(ctx context.Context, c *ledger.Claim, x *judge.Index, slots chan struct{}) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	a, err := r.judge.Prepare(ctx, c, x)
	if err != nil {
		r.leave(c, err)
		return nil
	}
	if a == nil { // no sources: what the embedded judge says stands
		return nil
	}
	r.noticeWords(a.WordsOnly())
	known, err := r.store.ModelAnswer(ctx, r.tenant, r.session, r.job, a.Digest())
	if err != nil {
		return err
	}
	if known != nil {
		if known.JobID != r.job { // else it is among the questions that were asked before the run was begun again
			r.count(countKept, 1)
		}
		r.take(c, a, known.Text, &llm.Call{})
		return nil
	}
	return r.put(ctx, c, a, slots)
}

// put asks, stores what came of it, and then takes it.
func (r *modelRun) put(ctx context.Context, c *ledger.Claim, a *llm.Asking, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	free := sync.OnceFunc(func() { <-slots })
	defer free()
	in, out := a.Tokens()
	mayAsk, err := r.reserve(ctx, c, in, out)
	if err != nil || !mayAsk {
		return err
	}
	answer, call, fault := a.Put(ctx)
	free()
	if fault != nil && ctx.Err() != nil { // it was cut off by us: the claim is asked about again
		r.budget.release(in, out, nil)
		return context.Cause(ctx)
	}
	if fault == nil {
		r.take(c, a, answer, &call)
	} else {
		r.unanswered(c, fault)
	}
	done := r.record(c.Position, a, answer, call, fault == nil)
	err = r.keep.add(done)
	r.budget.release(in, out, &done.Call)
	if err == nil {
		r.count(countAsked, 1)
		r.notice(call.Fault, fault)
	}
	return err
}

// record is what is stored of a question.
func (r *modelRun) record(claim int, a *llm.Asking, answer string, call llm.Call, came bool) model.Answered {
	out := model.Answered{Call: model.Call{
		EndpointID: r.endpoint.ID, JobID: r.job, Claim: claim, At: r.now().UTC(), Kind: r.endpoint.Kind, Model: call.Model,
		Template: call.Template, Question: call.Request, Answer: call.Answer, Tries: call.Tries, TokensIn: call.TokensIn,
		TokensOut: call.TokensOut, Cost: r.endpoint.Price.Cost(call.TokensIn, call.TokensOut), Latency: call.Latency,
		Fault: call.Fault, Violations: call.Violations, Addressing: call.Addressing, Disagree: call.Disagree,
	}}
	if came {
		out.Answer = &model.Answer{Digest: a.Digest(), Text: answer, Counts: call.Fault == ""}
	}
	return out
}

// take judges a claim by an answer.
func (r *modelRun) take(c *ledger.Claim, a *llm.Asking, answer string, call *llm.Call) {
	o, err := a.Read(answer, call)
	if o.Disagree {
		r.count(countApart, 1)
	}
	r.count(countUnknown, len(o.Violations))
	if err != nil {
		r.leave(c, err)
		return
	}
	c.Judge, c.Matches = r.judge.Name(), o.Matches
	c.Leave(domain.Message{})
}

// unanswered settles a claim to which no answer came. Where the model is only asked about what the embedded judge is
// not sure of, what that one found stands; otherwise, and if it could not judge the claim, it is unjudged, with the
// cause.
func (r *modelRun) unanswered(c *ledger.Claim, cause error) {
	if r.scope == judge.Rest && c.Unjudged == "" {
		r.count(countUnjudged, 1)
		return
	}
	r.leave(c, cause)
}

// leave leaves a claim unjudged, with its cause.
func (r *modelRun) leave(c *ledger.Claim, cause error) {
	r.count(countUnjudged, 1)
	c.Judge, c.Matches = r.judge.Name(), nil
	c.Leave(judge.Cause(cause))
}

// reserve reports whether a question may be asked: whether there is a budget for it, and whether the endpoint still
// answers. If not, it settles the claim.
func (r *modelRun) reserve(ctx context.Context, c *ledger.Claim, in, out int) (bool, error) {
	why, err := r.budget.reserve(ctx, in, out)
	if err != nil {
		return false, err
	}
	if stop := r.stopped(); !stop.IsZero() && why == "" { // while it waited for its turn
		r.budget.release(in, out, nil)
		r.unanswered(c, &domain.Error{Kind: domain.Unavailable, Message: stop})
		return false, nil
	}
	if why != "" {
		r.count(countLeft, 1)
		if c.Unjudged != "" { // else what the embedded judge says stands
			c.Leave(words.Msg(notAsked[why]))
		}
	}
	return why == "", nil
}

func (r *modelRun) stopped() domain.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop
}

// notice counts faults of the endpoint, and gives it up after too many in a row.
func (r *modelRun) notice(code string, fault error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if fault == nil {
		r.faults, r.lasting = 0, 0
		r.tell(domain.Message{})
		return
	}
	if model.FaultWord(code) != model.FaultWord(r.fault) {
		r.lasting = 0
	}
	if r.faults, r.fault = r.faults+1, code; model.Lasting(code) {
		r.lasting++
	}
	if r.faults >= model.MostFaults || r.lasting >= model.MostLasting {
		var e *domain.Error
		if errors.As(fault, &e) {
			r.stop = e.Message
		}
	}
}
