package web

import (
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"sanad/internal/domain"
)

// Rate limits the requests of a token: PerSecond in the long run, and Burst at once. The zero value sets no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// limits delays tokens that send too many requests. Tokens are counted by id, so wrong tokens, which have none, take no
// memory. A token that has been idle for as long as a full burst takes to refill is forgotten, as a new one starts the
// same way. Memory is thus bounded by the number of tokens in use.
type limits struct {
	rate  Rate
	mu    sync.Mutex
	of    map[string]*rate.Limiter
	sweep int // how many entries there may be before idle ones are removed
}

const leastSweep = 1024

// take counts one request of a token. It returns how long the token must wait if there were too many, else 0.
func (l *limits) take(token string, now time.Time) time.Duration {
	if l.rate.PerSecond <= 0 || token == "" {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter, known := l.of[token]
	if !known {
		limiter = l.add(token, now)
	}
	r := limiter.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

func (l *limits) add(token string, now time.Time) *rate.Limiter {
	if l.of == nil {
		l.of, l.sweep = map[string]*rate.Limiter{}, leastSweep
	}
	if len(l.of) >= l.sweep {
		for id, limiter := range l.of {
			if limiter.TokensAt(now) >= float64(l.rate.Burst) {
				delete(l.of, id)
			}
		}
		l.sweep = max(leastSweep, 2*len(l.of))
	}
	limiter := rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)
	l.of[token] = limiter
	return limiter
}

// tooOften refuses a request of a token that exceeds its rate (rule WEB-5). Pages are not counted.
func (s *Server) tooOften(c echo.Context, path string) error {
	if !isAPI(path) {
		return nil
	}
	wait := s.limits.take(s.Who(c).Token, s.Now())
	if wait == 0 {
		return nil
	}
	return WithStatus(TooMany(c, wait), &domain.Error{Kind: domain.Denied,
		Msg: "Too many requests with this token; Retry-After says how many seconds to wait."})
}
