package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/live"
	"sanad/internal/importers"
	"sanad/internal/quota"
	"sanad/internal/words"
)

// Traces that arrived as they happened (docs/traces.md): a worker takes a complete one, decides by its tenant's rules
// what becomes of it, and makes that. What is made is stored once for the same spans, so that a trace whose worker
// ended in between can be begun again.

// How long a worker has a trace before another may take it, how long it pauses while none is complete, and how long a
// trace waits after a passing fault.
const (
	traceHold  = time.Minute
	tracePoll  = 2 * time.Second
	traceAgain = 30 * time.Second
)

// traces makes something of one trace after another.
func (w *Worker) traces(ctx context.Context) {
	for ctx.Err() == nil {
		did, err := w.nextTrace(ctx)
		if did && err == nil {
			continue
		}
		pause := cmp.Or(w.Poll, tracePoll)
		if err != nil && ctx.Err() == nil {
			w.Log.Error("traces cannot be taken", "err", err)
			pause = 10 * time.Second
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// nextTrace makes something of the next complete trace, if there is one.
func (w *Worker) nextTrace(ctx context.Context) (did bool, err error) {
	c, err := w.Store.ClaimTrace(ctx, w.NewID(), traceHold)
	if err != nil || c == nil {
		return false, err
	}
	log := w.Log.With("trace", c.ID, "tenant", c.Actor.Tenant, "attempt", c.Attempt)
	out, err := w.trace(ctx, c)
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	switch {
	case err == nil:
		err = w.Store.EndTrace(settle, c, out)
		log.Info("trace done", "state", out.State, "cause", out.Cause, "err", err)
	case errors.Is(err, db.ErrJobLost):
		log.Info("trace left: another worker has it")
	case ctx.Err() != nil:
		log.Info("trace given back: the server stops", "err", w.Store.ReleaseTrace(settle, c, 0, false))
	default:
		log.Error("nothing could be made of a trace; it is begun again", "err", err)
		err = w.Store.ReleaseTrace(settle, c, traceAgain, true)
		return true, err
	}
	if errors.Is(err, db.ErrJobLost) {
		err = nil
	}
	return true, err
}

// trace makes of a trace what the rules say. An error means that nothing was made and another attempt may succeed.
func (w *Worker) trace(ctx context.Context, c *db.ClaimedTrace) (out db.TraceOutcome, err error) {
	if c.Attempt > live.MaxAttempts {
		return db.TraceOutcome{State: live.Failed, Cause: live.Broken,
			Note: words.Msg("note_begun_thrice")}, nil
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	if len(c.Spans) == 0 { // all were refused
		return db.TraceOutcome{State: live.Nothing, Cause: live.NoAnswer}, nil
	}
	t, err := importers.ReadLiveTrace(c.ID, c.Spans)
	if err != nil {
		return out, err // each span was read before it was kept
	}
	state, cause := c.Rules.Decide(&t.Facts)
	switch state {
	case live.Session:
		return w.traceSession(ctx, c, t)
	case live.Decision:
		return w.traceDecision(ctx, c, t)
	}
	out = db.TraceOutcome{State: state, Cause: cause}
	if cause == live.NoAnswer {
		out.Note = t.Unread
	}
	return out, nil
}

// traceSession imports a trace as a file of its spans is imported.
func (w *Worker) traceSession(ctx context.Context, c *db.ClaimedTrace, t *importers.LiveTrace) (out db.TraceOutcome, err error) {
	done, err := w.traceRoom(ctx, c)
	if err != nil {
		return out, err
	}
	defer done()
	defer importers.Recovered(&err)
	read, err := t.Session(w.Import, c.Lost)
	if err != nil {
		return unreadable(err)
	}
	held := w.Now()
	in := Importer{Store: w.Store, Actor: c.Actor, Now: w.Now().UTC(), NewID: w.NewID, Embedded: w.Embedded, Watch: func(string, int, int) error {
		if err := ctx.Err(); err != nil || w.Now().Sub(held) < traceHold/4 {
			return err
		}
		held = w.Now()
		return w.Store.BeatTrace(ctx, c, traceHold)
	}}
	made, err := in.Import(ctx, read, nil)
	if err != nil {
		return unreadable(err)
	}
	return db.TraceOutcome{State: live.Session, ObjectID: made.SessionID,
		Warnings: live.KeptWarnings(made.Warnings)}, nil
}

func (w *Worker) traceDecision(ctx context.Context, c *db.ClaimedTrace, t *importers.LiveTrace) (out db.TraceOutcome, err error) {
	d, err := t.Decision()
	if err != nil {
		return unreadable(err)
	}
	id := d.DecisionID
	if _, _, err := w.Store.AddDecision(ctx, c.Actor, d, nil); err != nil {
		return unreadable(err)
	}
	return db.TraceOutcome{State: live.Decision, ObjectID: id}, nil
}

// traceRoom waits until there is memory for a trace.
func (w *Worker) traceRoom(ctx context.Context, c *db.ClaimedTrace) (done func(), err error) {
	if w.Memory == nil {
		return func() {}, nil
	}
	bytes := int64(0)
	for i := range c.Spans {
		bytes += int64(len(c.Spans[i].Body))
	}
	return w.Memory.Acquire(ctx, quota.Ask{Tenant: c.Actor.Tenant, Person: "traces", Kind: "job",
		Weight: min(32<<20+8*bytes, w.Memory.Use().Limit/jobShare), Patient: true})
}

// unreadable returns the outcome of a trace that is refused for what it holds; any other error is returned.
func unreadable(err error) (db.TraceOutcome, error) {
	var told *domain.Error
	if !errors.As(err, &told) || told.Kind == domain.Internal || told.Kind == domain.Unavailable {
		return db.TraceOutcome{}, err
	}
	note := told.Message
	var several *importers.DecisionError
	if errors.As(err, &several) {
		note = live.NoteOf(several.Faults)
	}
	return db.TraceOutcome{State: live.Failed, Cause: live.Unreadable, Note: note}, nil
}
