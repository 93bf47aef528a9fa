package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
)

var loopback = Models{Wait: noWait, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}}

// foreign is a session of n claims in English over one source in Arabic: all of them are for a model. Many come with
// empty matches, as a file may have no more than judge.MaxClaims to judge.
func foreign(n int) string {
	given := ""
	if n > judge.MaxClaims {
		given = `,"matches":[]`
	}
	claims := make([]string, n)
	for i := range claims {
		claims[i] = fmt.Sprintf(`{"claim_id":"c%d","claim_text":"Employees of grade %d get leave"%s}`, i, i, given)
	}
	return `{"format":"sanad.session/v1","session":{"external_id":"hr","title":"Leave","answer":"Leave is 15 days."},
	 "documents":[{"id":"hr","filename":"HR.pdf","chunks":[
	  {"id":"c1","text":"يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية."}]}],
	 "claims":[` + strings.Join(claims, ",") + `]}`
}

// asking is a store with a session and an endpoint that plays a model.
type asking struct {
	*fixture
	server   *llmtest.Endpoint
	endpoint model.Endpoint
	session  string
	models   Models
}

func newAsking(t *testing.T, data string, change func(*model.Endpoint)) *asking {
	t.Helper()
	a := &asking{fixture: newFixture(t), server: llmtest.Serve(t), models: loopback}
	e := model.Endpoint{
		Name: "Small", Kind: model.OpenAI, URL: a.server.URL + "/v1", Model: "small-1", Parallel: 8, Timeout: time.Minute,
		Trust: model.Trust{Supported: 0.95}, Price: model.Price{In: 1_000_000, Out: 1_000_000},
	}
	if change != nil {
		change(&e)
	}
	var err error
	a.endpoint, err = a.store.AddModelEndpoint(a.ctx, a.actor, e, "sk-1")
	require.NoError(t, err)
	out, err := a.importer().Import(a.ctx, read(t, data), nil)
	require.NoError(t, err)
	a.session = out.SessionID
	return a
}

// queue adds the job of a run.
func (a *asking) queue(t *testing.T, scope judge.Scope) job.Job {
	t.Helper()
	loaded, err := a.store.Session(a.ctx, a.actor.Tenant, a.session)
	require.NoError(t, err)
	in := RejudgeInput{Judge: "Small", Scope: string(scope)}
	require.NoError(t, in.Check(a.ctx, a.store, a.actor.Tenant))
	require.True(t, in.AsksModel())
	work, _, err := QueueRejudge(a.ctx, a.store, a.actor, loaded, in, nil)
	require.NoError(t, err)
	return work
}

// worker is one that does jobs until its context ends.
func (a *asking) worker() *Worker {
	return &Worker{
		Store: a.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return testTime },
		NewID: uuid.NewString, Poll: time.Millisecond, Beat: 5 * time.Millisecond, Models: a.models,
	}
}

// do does the job and returns how it ended.
func (a *asking) do(t *testing.T, work job.Job) job.Job {
	t.Helper()
	defer a.worker().start(a.ctx)()
	return a.wait(t, work)
}

// start runs a worker until the returned function is called.
func (w *Worker) start(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	return func() { cancel(); <-ended }
}

func (a *asking) wait(t *testing.T, work job.Job) job.Job {
	t.Helper()
	var j job.Job
	require.Eventually(t, func() bool {
		var err error
		j, err = a.store.Job(a.ctx, a.actor.Tenant, work.ID)
		return err == nil && j.State != job.Queued && j.State != job.Running
	}, 5*time.Minute, 5*time.Millisecond, "the job does not end")
	return j
}

func (a *asking) loaded(t *testing.T) *ledger.Session {
	t.Helper()
	s, err := a.store.Session(a.ctx, a.actor.Tenant, a.session)
	require.NoError(t, err)
	return s
}

func (a *asking) spent(t *testing.T) model.Spending {
	t.Helper()
	x, err := a.store.ModelSpending(a.ctx, a.actor.Tenant, a.endpoint.ID, testTime)
	require.NoError(t, err)
	return x
}
