package app

import (
	"context"
	"sync"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/model"
)

// spent says why nothing more is asked of an endpoint, "" if more may be. It is stored with runs.
type spent string

const (
	spentRun   spent = "run"      // the budget of a run is used up
	spentDay   spent = "day"      // that of a day is
	notEnabled spent = "disabled" // the endpoint was disabled or removed
)

// notAsked is the id of why a claim is unjudged that the embedded judge could not judge either.
var notAsked = map[spent]string{
	spentRun:   "cause_model_left_run",
	spentDay:   "cause_model_left_day",
	notEnabled: "cause_model_left_disabled",
}

// budget holds a run to what may be spent on one endpoint. Several goroutines use it at once.
type budget struct {
	store    *db.Store
	now      func() time.Time
	tenant   string
	endpoint model.Endpoint

	mu      sync.Mutex
	run     model.Spending // of this job, also before it was begun again
	waiting model.Spending // what questions that are out are expected to take
	used    spent
	freed   chan struct{} // closed when a question comes back
}

func newBudget(
	ctx context.Context, store *db.Store, now func() time.Time, job *db.ClaimedJob, session string, e model.Endpoint,
) (*budget, error) {
	b := &budget{store: store, now: now, tenant: job.Actor.Tenant, endpoint: e, freed: make(chan struct{})}
	var err error
	b.run, err = store.ModelRunSpending(ctx, b.tenant, session, job.ID, e.ID)
	return b, err
}

// reserve holds tokens for a question until release; if it returns why not, it holds none. While the question would fit
// but for what others that are out may take, it waits for these: they may take less.
func (b *budget) reserve(ctx context.Context, in, out int) (why spent, err error) {
	cost, tokens := b.endpoint.Price.Cost(in, out), int64(in+out)
	for {
		b.mu.Lock()
		freed := b.freed
		b.mu.Unlock()
		enabled, day, err := b.store.ModelStanding(ctx, b.tenant, b.endpoint.ID, b.now())
		if err != nil {
			return "", err
		}
		b.mu.Lock()
		e := &b.endpoint
		if freed != b.freed && e.Day != (model.Budget{}) { // what came back meanwhile may not be in what was read
			b.mu.Unlock()
			continue
		}
		switch {
		case b.used != "":
		case !enabled:
			b.used = notEnabled
		case !e.Run.Fits(b.run, tokens, cost):
			b.used = spentRun
		case !e.Day.Fits(day, tokens, cost):
			b.used = spentDay
		}
		why, freed := b.used, b.freed // from here on, who comes back is waited for
		fits := why == "" && e.Run.Fits(plus(b.run, b.waiting), tokens, cost) &&
			e.Day.Fits(plus(day, b.waiting), tokens, cost)
		if fits {
			b.waiting = plus(b.waiting, model.Spending{TokensIn: int64(in), TokensOut: int64(out), Cost: cost})
		}
		b.mu.Unlock()
		if fits || why != "" {
			return why, nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// release puts what a question took in the place of what was reserved; nil if it was cut off by us.
func (b *budget) release(in, out int, call *model.Call) {
	b.mu.Lock()
	defer b.mu.Unlock()
	cost := b.endpoint.Price.Cost(in, out)
	b.waiting = plus(b.waiting, model.Spending{TokensIn: -int64(in), TokensOut: -int64(out), Cost: -cost})
	if call != nil {
		b.run.Add(call)
	}
	close(b.freed)
	b.freed = make(chan struct{})
}

// spending is what the run has spent on the endpoint.
func (b *budget) spending() model.Spending {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.run
}

// usedUp is why nothing more was asked, "" if all was.
func (b *budget) usedUp() spent {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

func plus(a, b model.Spending) model.Spending {
	a.TokensIn, a.TokensOut, a.Cost = a.TokensIn+b.TokensIn, a.TokensOut+b.TokensOut, a.Cost+b.Cost
	return a
}
