package jobs

import (
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
)

// How many event streams may be open at once (rule WEB-8). One person cannot take those of the others in the tenant,
// nor one tenant those of another. Pages beyond reload themselves now and then instead.
const (
	maxWatchers       = 200
	maxWatchersTenant = 60
	maxWatchersPerson = 8
	// watchLater is when a refused page may ask again, as static/jobs.js does.
	watchLater = 5 * time.Second
)

// watchers counts the open event streams.
type watchers struct {
	mu      sync.Mutex
	all     int
	tenants map[string]int
	people  map[string]int // by tenant and id
}

// full says whose bound a stream would exceed.
type full string

const (
	fullPerson full = "person"
	fullTenant full = "tenant"
	fullAll    full = "all"
)

// begin counts a stream of who and returns how to end it; if one more would be too many, it says for whom instead.
func (w *watchers) begin(who access.Actor) (end func(), whose full) {
	person := who.Tenant + "/" + who.ID
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.people[person] >= maxWatchersPerson:
		return nil, fullPerson
	case w.tenants[who.Tenant] >= maxWatchersTenant:
		return nil, fullTenant
	case w.all >= maxWatchers:
		return nil, fullAll
	}
	if w.tenants == nil {
		w.tenants, w.people = map[string]int{}, map[string]int{}
	}
	w.all++
	w.tenants[who.Tenant]++
	w.people[person]++
	return func() { w.end(who.Tenant, person) }, ""
}

func (w *watchers) end(tenant, person string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all--
	less(w.tenants, tenant)
	less(w.people, person)
}

// less counts one less, and forgets whoever has none: memory is bounded by the open streams.
func less(of map[string]int, key string) {
	if of[key]--; of[key] <= 0 {
		delete(of, key)
	}
}

// refuse answers a stream that is one too many: 429 if its person or tenant has enough, 503 if all are taken.
func (whose full) refuse(c echo.Context) error {
	status := limits.TooMany(c, watchLater)
	err := domain.Refuse(domain.Unavailable, "", "refused_watching_"+string(whose))
	if whose == fullAll {
		return err
	}
	return web.WithStatus(status, err)
}
