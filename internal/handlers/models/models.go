// Package models serves the administration of the endpoints that judge sessions (rule SEC-28).
package models

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
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
var errTries = domain.Conflictf("Too many tests in a short time: wait ten seconds, then test again.")

// mayTry counts a test of a tenant.
func (s *server) mayTry(tenant string) error {
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
	if !l.AllowN(s.Now(), 1) {
		return errTries
	}
	return nil
}
