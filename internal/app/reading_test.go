package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/quota"
)

// gatedReader supports whatever it is asked about, one passage for each value of its gate.
type gatedReader struct {
	gate chan struct{} // nil to wait for nothing

	mu   sync.Mutex
	read []string // the claims
}

func (r *gatedReader) Digest() string                   { return "gated" }
func (r *gatedReader) Unknown(string) ([]string, error) { return nil, nil }

func (r *gatedReader) Score(ctx context.Context, claim string, passages []string) ([]judge.Logits, error) {
	out := make([]judge.Logits, len(passages))
	for i := range passages {
		if r.gate != nil {
			select {
			case <-r.gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		r.mu.Lock()
		r.read = append(r.read, claim)
		r.mu.Unlock()
		out[i].Supports = 4
	}
	return out, nil
}

// count is how many passages were read.
func (r *gatedReader) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.read)
}

// embedded returns the judge with that reader alone.
func (r *gatedReader) embedded(t *testing.T) *Embedded {
	t.Helper()
	sum := func(figure string) string {
		return `{"parts": [{"figure": "` + figure + `", "weight": 1}], "curve": [[-4, 0.01], [4, 0.95]]}`
	}
	balance := `{"support": ` + sum("reads_support") + `, "conflict": ` + sum("reads_conflict") + `}`
	b, err := judge.ReadBalances([]byte(`{"reader": "gated", "document": ` + balance + `, "sentence": ` + balance + `}`))
	require.NoError(t, err)
	return EmbeddedWith(r, b)
}

// A session is judged by a job from 20 claims on that the reader is asked about.
func TestManyClaimsToReadAreAJob(t *testing.T) {
	e := (&gatedReader{}).embedded(t)
	s := &read(t, session(ClaimsOfJob)).Session
	require.True(t, e.ManyClaims(s))
	require.True(t, e.NeedsJob(s))
	require.False(t, (*Embedded)(nil).ManyClaims(s), "there is no reader")
	require.False(t, (*Embedded)(nil).NeedsJob(s))

	s.Claims[3].Given = true
	require.False(t, e.ManyClaims(s), "its matches came with it")
	require.True(t, e.NeedsJob(s), "it is read when the session is judged again")
	s.Claims[3].Given, s.Claims[3].Text = false, "يحصل الموظف على إجازة."
	require.False(t, e.ManyClaims(s), "Arabic is judged by its words")
	s.Claims[3].Text, s.Documents = "Leave is paid.", nil
	require.False(t, e.ManyClaims(s), "there is nothing to read")
}

// importing is a worker that has begun the import of a session, with a reader that waits to be let on.
func importing(t *testing.T, n int) (f *fixture, r *gatedReader, work job.Job, stop func()) {
	t.Helper()
	f, r = newFixture(t), &gatedReader{gate: make(chan struct{})}
	in, err := f.store.PutJobInput(f.ctx, strings.NewReader(session(n)))
	require.NoError(t, err)
	work, _, err = f.store.AddJob(f.ctx, f.actor, in, job.File, "leave.json", nil)
	require.NoError(t, err)
	w := Worker{
		Store: f.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return testTime },
		NewID: uuid.NewString, Poll: time.Millisecond, Beat: time.Millisecond, Embedded: r.embedded(t),
	}
	return f, r, work, w.start(f.ctx)
}

// until waits for a job to be as is says.
func (f *fixture) until(t *testing.T, id string, is func(job.Job) bool) job.Job {
	t.Helper()
	var j job.Job
	require.Eventually(t, func() bool {
		var err error
		j, err = f.store.Job(f.ctx, f.actor.Tenant, id)
		return err == nil && is(j)
	}, time.Minute, time.Millisecond)
	return j
}

// Verdicts are known while a job runs, and are the session's in the end.
func TestVerdictsComeWhileAJobRuns(t *testing.T) {
	f, r, work, stop := importing(t, 25)
	defer stop()
	for range 3 {
		r.gate <- struct{}{}
	}
	j := f.until(t, work.ID, func(j job.Job) bool { return j.Verdicts != nil && len(j.Verdicts.Newest) == 3 })
	require.Equal(t, 25, j.Total)
	total := 0
	for _, n := range j.Verdicts.By {
		total += n
	}
	require.Equal(t, 3, total)
	require.Contains(t, j.Verdicts.Newest[0].Text, "Employees are entitled to")
	close(r.gate)
	j = f.until(t, work.ID, func(j job.Job) bool { return !j.Open() })
	require.Equal(t, job.Done, j.State)
	require.Nil(t, j.Verdicts)
	s, err := f.store.Session(f.ctx, f.actor.Tenant, j.SessionID)
	require.NoError(t, err)
	require.Equal(t, []string{"embedded", "gated"}, []string{s.Run.Judge, s.Run.Reader()})
	require.NotEmpty(t, s.Run.Calibration())
	for i := range s.Claims {
		require.Empty(t, s.Claims[i].Unjudged)
	}
}

// A job that is cancelled ends between two passages, and stores nothing.
func TestAJobIsCancelledBetweenTwoPassages(t *testing.T) {
	f, r, work, stop := importing(t, 25)
	r.gate <- struct{}{}
	_, err := f.store.CancelJob(f.ctx, f.actor, work.ID)
	require.NoError(t, err)
	require.Eventually(t, func() bool { // the worker is free again: it takes the next job
		in, err := f.store.PutJobInput(f.ctx, strings.NewReader(`{"format":"none"}`))
		require.NoError(t, err)
		next, _, err := f.store.AddJob(f.ctx, f.actor, in, job.File, "next.json", nil)
		require.NoError(t, err)
		return f.until(t, next.ID, func(j job.Job) bool { return !j.Open() }).State == job.Failed
	}, time.Minute, time.Millisecond)
	stop()
	require.Equal(t, 1, r.count(), "no other passage was read")
	rows, _, err := f.store.Sessions(f.ctx, f.actor.Tenant, ledger.SessionQuery{Limit: 5})
	require.NoError(t, err)
	require.Empty(t, rows)
}

// A job whose server stops while it reads is begun again by the next one, and comes to the same.
func TestAJobGoesOnAfterAStop(t *testing.T) {
	f, r, work, stop := importing(t, 25)
	r.gate <- struct{}{}
	f.until(t, work.ID, func(j job.Job) bool { return j.Verdicts != nil })
	stop()
	j := f.until(t, work.ID, func(j job.Job) bool { return j.State == job.Queued })
	require.Nil(t, j.Verdicts)
	again := &gatedReader{}
	w := Worker{
		Store: f.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return testTime },
		NewID: uuid.NewString, Poll: time.Millisecond, Embedded: again.embedded(t),
	}
	defer w.start(f.ctx)()
	require.Equal(t, job.Done, f.until(t, work.ID, func(j job.Job) bool { return !j.Open() }).State)
	require.GreaterOrEqual(t, again.count(), 25)
}

// A caller who does not wait any longer ends the judging, and nothing is stored.
func TestAnImportEndsWithItsCaller(t *testing.T) {
	f, r := newFixture(t), &gatedReader{gate: make(chan struct{})}
	ctx, cancel := context.WithCancel(f.ctx)
	in := f.importer()
	in.Embedded = r.embedded(t)
	go func() { r.gate <- struct{}{}; cancel() }()
	_, err := in.Import(ctx, read(t, session(5)), nil)
	require.ErrorIs(t, err, context.Canceled)
	rows, _, err := f.store.Sessions(f.ctx, f.actor.Tenant, ledger.SessionQuery{Limit: 5})
	require.NoError(t, err)
	require.Empty(t, rows)
}

// Two imports on one processor both go on: they take turns, passage by passage, however many wait for either.
func TestTwoImportsTakeTurns(t *testing.T) {
	r := &gatedReader{gate: make(chan struct{})}
	shared := turns{r, quota.NewPool(quota.Limits{All: 1})}
	var all sync.WaitGroup
	for _, who := range []string{"a", "b"} {
		ctx := context.WithValue(context.Background(), readsFor{}, access.Actor{Tenant: who, ID: who})
		for range 4 { // as many workers as an import may have
			all.Go(func() {
				_, err := shared.Score(ctx, who, make([]string, 8))
				assert.NoError(t, err)
			})
		}
	}
	require.Eventually(t, func() bool { return shared.pool.Use().Waiting == 7 }, time.Minute, time.Millisecond)
	for range 8 { // whoever came first may read until the others wait
		r.gate <- struct{}{}
		require.Eventually(t, func() bool { return shared.pool.Use().Waiting == 7 }, time.Minute, time.Millisecond)
	}
	begun := r.count()
	close(r.gate)
	all.Wait()
	require.Len(t, r.read, 64)
	in := map[string]int{}
	for _, who := range r.read[begun : begun+32] {
		in[who]++
	}
	require.InDelta(t, 16, in["a"], 4, fmt.Sprint(r.read))
}

// What is known of a reader is not read again, and answers of another one are of no use.
func TestRemembering(t *testing.T) {
	judged := func(e *Embedded, text string) ledger.Verdict {
		s := &read(t, strings.Replace(session(1), "Employees are entitled to 15 days of leave", text, 1)).Session
		l, err := e.Alone(s, testTime, func(int, int) error { return nil })
		require.NoError(t, err)
		return l.Entries[0].Machine
	}
	const first, second = "Annual leave of employees is paid.", "Permanent employees have annual leave."
	r := &gatedReader{}
	recording, known := r.embedded(t).Recording()
	require.Equal(t, ledger.Supported, judged(recording, first))
	require.Len(t, known.Pairs, 1)

	asked := &gatedReader{}
	own := asked.embedded(t)
	require.Equal(t, ledger.Supported, judged(own.Remembering(known), first))
	require.Zero(t, asked.count())
	require.Equal(t, ledger.Supported, judged(own.Remembering(known), second))
	require.Equal(t, 1, asked.count(), "it is asked about what is not known")
	known.Reader = "another"
	require.Same(t, own, own.Remembering(known))
	require.Nil(t, (*Embedded)(nil).Remembering(known))
}
