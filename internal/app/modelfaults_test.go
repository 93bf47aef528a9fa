package app

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/model"
	"sanad/internal/llm/llmtest"
	"sanad/internal/words"
)

// TestFailingTriesAreNotSpent: what fails takes its reservation only while it is out, so that a budget which one
// question fits into is not used up by nothing.
func TestFailingTriesAreNotSpent(t *testing.T) {
	a := newAsking(t, foreign(6), func(e *model.Endpoint) { e.Run.Tokens = 1500 })
	a.server.Refuse = func(int) int { return http.StatusBadRequest }
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	p := a.loaded(t).Run.Parameters
	require.Equal(t, "0", p["tokens_in"])
	require.Empty(t, p["used_up"])
	require.Equal(t, "6", p["failed"])

	a.server.Refuse = nil
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	p = a.loaded(t).Run.Parameters
	require.Equal(t, "6", p["asked"], "an answer takes 110 tokens")
	require.Empty(t, p["used_up"])
}

// TestEndpointThatIsDisabled in the middle of a run, or removed, is not asked any more; what it answered counts.
func TestEndpointThatIsDisabled(t *testing.T) {
	for name, change := range map[string]func(*asking) error{
		"disabled": func(a *asking) error {
			_, err := a.store.ChangeModelEndpoint(a.ctx, a.actor, a.endpoint.ID, -1, nil, func(e *model.Endpoint) error {
				e.Enabled = false
				return nil
			})
			return err
		},
		"removed": func(a *asking) error { return a.store.RemoveModelEndpoint(a.ctx, a.actor, a.endpoint.ID, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAsking(t, foreign(300), nil)
			failed := make(chan error, 1)
			a.server.Before = func(n int, _ *http.Request) bool {
				if n == 50 {
					failed <- change(a)
				}
				return true
			}
			require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
			require.NoError(t, <-failed)
			s, judged := a.loaded(t), 0
			for i := range s.Claims {
				if s.Claims[i].Unjudged == "" {
					judged++
					continue
				}
				require.Equal(t, notAsked[notEnabled], s.Claims[i].UnjudgedSaid.ID)
			}
			require.GreaterOrEqual(t, judged, 50)
			require.LessOrEqual(t, judged, 50+2*a.endpoint.Parallel)
			require.Equal(t, judged, a.server.Requests())
			require.Equal(t, "disabled", s.Run.Parameters["ended"])
			require.Equal(t, strconv.Itoa(300-judged), s.Run.Parameters["left"])
		})
	}
}

// TestEndpointThatRefuses leaves claims unjudged with their cause, and is not asked thousands of times.
func TestEndpointThatRefuses(t *testing.T) {
	a := newAsking(t, foreign(300), nil)
	a.server.Refuse = func(n int) int {
		if n > 50 { // the key is revoked in the middle
			return http.StatusUnauthorized
		}
		return 0
	}
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	judged := 0
	s := a.loaded(t)
	for i := range s.Claims {
		if s.Claims[i].Unjudged == "" {
			judged++
			continue
		}
		require.Contains(t, s.Claims[i].Unjudged, "does not accept the key")
	}
	require.Equal(t, 50, judged)
	require.Equal(t, "250", s.Run.Parameters["failed"])
	require.Less(t, a.server.Requests(), 50+model.MostLasting+4*a.endpoint.Parallel, "those that were out by then")

	// what the embedded judge had judged stays as it was, with the reviews that people made of it
	// where the model is asked about the rest; where it is asked about all, its word is missing
	d := newAsking(t, session(3), nil)
	was := d.loaded(t)
	require.Empty(t, was.Claims[0].Unjudged)
	d.server.Refuse = func(int) int { return http.StatusUnauthorized }
	require.Equal(t, job.Done, d.do(t, d.queue(t, judge.Rest)).State)
	is := d.loaded(t)
	for i := range is.Claims {
		require.Equal(t, was.Claims[i].Matches, is.Claims[i].Matches)
		require.Equal(t, was.Claims[i].Judge, is.Claims[i].Judge)
		require.Empty(t, is.Claims[i].Unjudged)
	}
	require.Equal(t, "3", is.Run.Parameters["failed"])
	require.Equal(t, "status 401", is.Run.Parameters["fault"])
	require.Equal(t, job.Done, d.do(t, d.queue(t, judge.Every)).State)
	require.Contains(t, d.loaded(t).Claims[0].Unjudged, "does not accept the key")

	// a model that answers nonsense leaves its claims unjudged; another run asks again, the same job does not
	b := newAsking(t, foreign(5), nil)
	b.server.Say = func(llmtest.Question) string { return "Hm." }
	require.Equal(t, job.Done, b.do(t, b.queue(t, judge.Rest)).State)
	require.Contains(t, b.loaded(t).Claims[0].Unjudged, "no verdict")
	b.server.Say = nil
	require.Equal(t, job.Done, b.do(t, b.queue(t, judge.Rest)).State)
	require.Equal(t, 10, b.server.Requests())
	require.Empty(t, b.loaded(t).Claims[0].Unjudged)
}

// TestEndpointThatIsAway is given up after a few questions, each of which is tried a few times; the rest says why.
func TestEndpointThatIsAway(t *testing.T) {
	a := newAsking(t, foreign(40), func(e *model.Endpoint) { e.Parallel = 2 })
	a.server.Close()
	var waits atomic.Int64
	work := a.queue(t, judge.Rest)
	told := make(chan []domain.Warning, 1)
	a.models.Wait = func(ctx context.Context, _ time.Duration) error {
		if waits.Add(1) > 1 {
			return ctx.Err()
		}
		for { // the first wait is as long as it takes to see what the job says
			j, err := a.store.Job(ctx, a.actor.Tenant, work.ID)
			if err != nil || len(j.Warnings) > 0 {
				told <- j.Warnings
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	done := a.do(t, work)
	require.Equal(t, job.Done, done.State)
	require.Empty(t, done.Warnings, "what the run lacks is said by the run")
	require.Equal(t, []domain.Warning{domain.Warn("endpoint", words.Msg("cause_model_away"))}, <-told)
	s := a.loaded(t)
	for i := range s.Claims {
		require.Contains(t, s.Claims[i].Unjudged, "cannot be reached")
	}
	require.Equal(t, "40", s.Run.Parameters["failed"])
	require.Equal(t, "connection", s.Run.Parameters["fault"])
	asked, err := strconv.Atoi(s.Run.Parameters["asked"])
	require.NoError(t, err)
	require.GreaterOrEqual(t, asked, model.MostLasting)
	require.Less(t, asked, model.MostLasting+2*a.endpoint.Parallel, "those that were out by then")
	require.LessOrEqual(t, waits.Load(), int64(3*asked), "four tries")
}

// TestABusyMinute is waited out: no question of it is lost, however many are refused in a row.
func TestABusyMinute(t *testing.T) {
	a := newAsking(t, foreign(12), func(e *model.Endpoint) { e.Parallel = 1 }) // so that waits add up
	var passed atomic.Int64
	a.models.Wait = func(ctx context.Context, d time.Duration) error { passed.Add(int64(d)); return ctx.Err() }
	a.server.Refuse = func(int) int {
		if passed.Load() < int64(time.Minute) {
			return http.StatusTooManyRequests
		}
		return 0
	}
	require.Equal(t, job.Done, a.do(t, a.queue(t, judge.Rest)).State)
	p := a.loaded(t).Run.Parameters
	require.Equal(t, "12", p["asked"])
	require.Empty(t, p["failed"])
	require.Empty(t, p["fault"])
}
