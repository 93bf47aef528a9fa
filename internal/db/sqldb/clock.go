package sqldb

import (
	"context"
	"sync/atomic"
	"time"
)

// serverClock estimates the clock of the database's server by our own and the difference when it was last read.
// Processes on machines whose clocks differ then agree which job has been silent, which login is over and which event
// came first.
type serverClock struct {
	own   func() time.Time
	ahead atomic.Int64 // nanoseconds that the server's clock is ahead of our own
}

func (c *serverClock) now() time.Time { return c.own().Add(time.Duration(c.ahead.Load())) }

const (
	// clockEvery is how often the server's clock is read.
	clockEvery = 30 * time.Second
	// clockMayDiffer is the difference up to which our own clock is used as it is.
	clockMayDiffer = time.Second
)

// Now returns the time by the clock that the store's times are written with.
func (db *DB) Now() time.Time { return db.now() }

// SetClock replaces the clock, for tests.
func (db *DB) SetClock(now func() time.Time) { db.now = now }

// UseServerClock has the store use the clock of the database's server, if that may be another machine.
func (db *DB) UseServerClock(ctx context.Context) error {
	if db.Engine.clock() == "" {
		return nil
	}
	db.clock = &serverClock{own: db.now}
	db.now = db.clock.now
	return db.readClock(ctx)
}

// readClock compares our own clock with the server's.
func (db *DB) readClock(ctx context.Context) error {
	var micros int64
	began := db.clock.own()
	if err := db.reader.QueryRowContext(ctx, db.Engine.clock()).Scan(&micros); err != nil {
		return err
	}
	took := db.clock.own().Sub(began)
	ahead := time.UnixMicro(micros).Sub(began.Add(took / 2))
	if ahead.Abs() <= clockMayDiffer+took {
		ahead = 0
	}
	if was := time.Duration(db.clock.ahead.Swap(int64(ahead))); (ahead - was).Abs() > clockMayDiffer {
		db.Logger.Warn("the clock of this machine is not that of the database's server, which is used", "server_ahead",
			ahead.Round(time.Millisecond).String())
	}
	return nil
}

// WatchClock reads the clock of the database's server every clockEvery until ctx ends.
func (db *DB) WatchClock(ctx context.Context) {
	for db.clock != nil && Wait(ctx, clockEvery) == nil {
		_ = db.readClock(ctx) // a server that cannot be reached is read again later
	}
}
