package db

import (
	"context"
	"errors"
	"iter"
)

// Together runs reads that don't depend on each other in one transaction: all see one moment, and an engine that waits
// for its server sends their queries together. It returns the first error in their order. A read gets the context for
// the methods of the store that it calls; none of these may write.
func (s *Store) Together(ctx context.Context, op string, reads ...func(ctx context.Context) error) error {
	return s.read(ctx, op, func(t *tx) error {
		parts := make([]func(*tx) error, len(reads))
		for i, read := range reads {
			parts[i] = func(t *tx) error { return read(context.WithValue(t.ctx, togetherKey{s}, t)) }
		}
		return t.together(parts...)
	})
}

// togetherKey is the context key of a transaction that several methods of a store share.
type togetherKey struct{ s *Store }

// shared returns the transaction that the context's reads share, nil if none.
func (s *Store) shared(ctx context.Context) *tx {
	t, _ := ctx.Value(togetherKey{s}).(*tx)
	return t
}

// together runs functions that do not need each other's results. Where each query costs a round trip, they run as
// coroutines, each up to its next query; the queries that all of them then wait for are sent in one round trip, and the
// answers are read in the order of the functions. Elsewhere, and where the transaction writes, they run one after
// another. It returns the first error, and the others then end early.
func (t *tx) together(reads ...func(*tx) error) error {
	if t.conn == nil || t.random != nil || t.engine.prepares() {
		for _, read := range reads {
			if err := read(t); err != nil {
				return err
			}
		}
		return nil
	}
	turns := make([]*turn, len(reads))
	for i, read := range reads {
		turns[i] = newTurn(t, read)
		defer turns[i].stop()
	}
	for {
		var queries []batchQuery
		waiting := turns[:0:0]
		for i, x := range turns {
			if err := x.advance(); err != nil {
				t.forget(turns[i+1:])
				return err
			}
			if len(x.waits) > 0 {
				queries, waiting = append(queries, x.waits...), append(waiting, x)
			}
		}
		if len(waiting) == 0 {
			return nil
		}
		if err := t.send(queries); err != nil {
			return err
		}
		turns = waiting
	}
}

// turn is a function that runs as a coroutine, from one query to the next.
type turn struct {
	next  func() ([]batchQuery, bool)
	stop  func()
	waits []batchQuery // the queries for whose answers it waits
	err   error        // that it has returned
}

func newTurn(t *tx, read func(*tx) error) *turn {
	x := &turn{}
	x.next, x.stop = iter.Pull(func(wait func([]batchQuery) bool) {
		own := *t
		own.wait = wait
		x.err = read(&own)
	})
	return x
}

// advance lets the function read the answers that it waited for, and go on until it waits again or ends.
func (x *turn) advance() error {
	x.waits, _ = x.next()
	return x.err
}

// send sends queries, or leaves that to the function that this one is part of.
func (t *tx) send(queries []batchQuery) error {
	switch {
	case t.wait == nil:
		return t.engine.sendBatch(t, queries)
	case !t.wait(queries):
		return errEnded
	}
	return nil
}

// forget discards the answers to functions that will not read them, so that the next answers are those of the others.
func (t *tx) forget(turns []*turn) {
	n := 0
	for _, x := range turns {
		n += len(x.waits)
	}
	if n > 0 {
		t.engine.skip(t, n)
	}
}

// errEnded ends a function whose transaction has failed elsewhere. It is not reported.
var errEnded = errors.New("another read of the transaction has failed")
