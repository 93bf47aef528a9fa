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
func (d *DB) Now() time.Time { return d.now() }

// SetClock replaces the clock, for tests.
func (d *DB) SetClock(now func() time.Time) { d.now = now }

// UseServerClock has the store use the clock of the database's server, if that may be another machine.
func (d *DB) UseServerClock(ctx context.Context) error {
	if d.Engine.clock() == "" {
		return nil
	}
	d.clock = &serverClock{own: d.now}
	d.now = d.clock.now
	return d.readClock(ctx)
}

// readClock compares our own clock with the server's.
func (d *DB) readClock(ctx context.Context) error {
	var micros int64
	began := d.clock.own()
	if err := d.reader.QueryRowContext(ctx, d.Engine.clock()).Scan(&micros); err != nil {
		return err
	}
	took := d.clock.own().Sub(began)
	ahead := time.UnixMicro(micros).Sub(began.Add(took / 2))
	if ahead.Abs() <= clockMayDiffer+took {
		ahead = 0
	}
	if was := time.Duration(d.clock.ahead.Swap(int64(ahead))); (ahead - was).Abs() > clockMayDiffer {
		d.Logger.Warn("the clock of this machine is not that of the database's server, which is used", "server_ahead",
			ahead.Round(time.Millisecond).String())
	}
	return nil
}

// WatchClock reads the clock of the database's server every clockEvery until ctx ends.
func (d *DB) WatchClock(ctx context.Context) {
	for d.clock != nil && Wait(ctx, clockEvery) == nil {
		_ = d.readClock(ctx) // a server that cannot be reached is read again later
	}
}
