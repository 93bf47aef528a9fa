package web

import (
	"context"
	"crypto/rand"
	"time"

	"sanad/internal/db"
	"sanad/internal/quota"
)

// How processes on one store hold limits together (rule WEB-5, SEC-3; docs/scaling.md).
const (
	shareEvery    = time.Second
	presenceEvery = 20 * time.Second // how often a process says that it is there, and looks for others
	shareMost     = 200              // keys of a kind that are told at a time
)

// sharing is what a process knows of the others on its store.
type sharing struct {
	process string
	looked  time.Time // when it looked for others
	alone   bool      // there were none: then nothing is told
	failed  bool      // the last exchange; it is logged once
}

func newSharing() sharing { return sharing{process: rand.Text(), alone: true} }

// shared is a limit that processes hold together.
type shared struct {
	context string // of the keyed hash under which it is stored
	tally   *quota.Tally
	charge  func(key string, n int64, now time.Time)
}

func (s *Server) sharedLimits() []shared {
	return []shared{
		{"requests of an account", s.limits.tally, s.limits.charge},
		{"wrong passwords of an address", s.tries.tally, s.tries.addresses.Charge},
	}
}

// ShareLimits tells other processes what this one lets pass, and subtracts what they let pass, until ctx ends.
func (s *Server) ShareLimits(ctx context.Context) {
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		err := s.exchangeLimits(ctx)
		if err != nil && ctx.Err() == nil && !s.sharing.failed {
			s.Log.Warn("limits are held by each process alone for a while", "err", err)
		}
		s.sharing.failed = err != nil
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

func (s *Server) exchangeLimits(ctx context.Context) error {
	now, kept := s.Now(), 3*presenceEvery
	look := now.Sub(s.sharing.looked) >= presenceEvery
	var told []db.LimitUse
	learn := map[string]func(db.LimitUse){}
	if look {
		told = append(told, db.LimitUse{})
	}
	for _, l := range s.sharedLimits() {
		if l.tally == nil {
			continue
		}
		kept = max(kept, l.tally.Kept())
		for _, u := range l.tally.Due(now, shareMost) {
			if s.sharing.alone && !look {
				continue
			}
			key := s.Keys.MAC(l.context, u.Key)
			told = append(told, db.LimitUse{Key: key, Used: u.Used})
			learn[key] = func(of db.LimitUse) {
				l.charge(u.Key, l.tally.Learn(quota.Spent{Key: u.Key, Process: of.Process, Used: of.Used}), now)
			}
		}
	}
	if len(told) == 0 {
		return nil
	}
	others, err := s.Store.ExchangeLimits(ctx, s.sharing.process, told, now.Add(-kept))
	if err != nil {
		return err
	}
	if look {
		s.sharing.looked, s.sharing.alone = now, true
	}
	for _, u := range others {
		s.sharing.alone = false
		if u.Key != "" {
			learn[u.Key](u)
		}
	}
	return nil
}
