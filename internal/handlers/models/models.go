// Package models serves the administration of the endpoints that judge sessions (rule SEC-28).
package models

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	"sanad/internal/words"
)

// server answers the requests of this capability.
type server struct {
	*web.Server

	try   web.ModelTest
	mu    sync.Mutex
	tries map[string]*rate.Limiter // of tests, by tenant
}

// reaches refuses a new address to which this server would send nothing. was is the one before, "" for none.
func (s *server) reaches(was string, e *model.Endpoint) error {
	if e.URL == was {
		return nil
	}
	return model.CheckReach(e.URL, s.try.Allow)
}

// The tests of a tenant: a few at once, then one in ten seconds.
const (
	triesAtOnce = 3
	triesEvery  = 10 * time.Second
	maxTenants  = 10_000
)

// errTries is the answer to too many tests.
var errTries = &domain.Error{Kind: domain.Denied,
	Message: words.Msg("refused_too_many_tests")}

// mayTry counts a test of a tenant, and returns how long to wait for the next one, 0 if it may be made.
func (s *server) mayTry(tenant string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.tries[tenant]
	if l == nil {
		if s.tries == nil || len(s.tries) >= maxTenants {
			s.tries = map[string]*rate.Limiter{}
		}
		l = rate.NewLimiter(rate.Every(triesEvery), triesAtOnce)
		s.tries[tenant] = l
	}
	now := s.Now()
	r := l.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
