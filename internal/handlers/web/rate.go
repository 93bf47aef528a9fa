package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"sanad/internal/domain"
)

// Rate limits the requests of an account: PerSecond in the long run, and Burst at once. The zero value sets no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// limits delays accounts that send too many requests: a person with all their logins and tokens, in whatever tenants, or
// a machine's token. They are counted by id, so wrong tokens, which have none, take no memory. An account that has been
// idle for as long as a full burst takes to refill is forgotten, as a new one starts the same way. Memory is thus bounded
// by the number of accounts in use.
type limits struct {
	rate  Rate
	mu    sync.Mutex
	of    map[string]*rate.Limiter
	sweep int // how many entries there may be before idle ones are removed
}

const leastSweep = 1024

// allowance is what an account may still ask after a request.
type allowance struct {
	limited bool          // false: there is no limit, and the rest is zero
	wait    time.Duration // how long it must wait, if this request was one too many
	left    float64       // requests that it may make at once
}

// take counts one request of an account.
func (l *limits) take(account string, now time.Time) allowance {
	if l.rate.PerSecond <= 0 || account == "" {
		return allowance{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter, known := l.of[account]
	if !known {
		limiter = l.add(account, now)
	}
	r := limiter.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return allowance{limited: true, wait: wait, left: max(0, limiter.TokensAt(now))}
}

func (l *limits) add(account string, now time.Time) *rate.Limiter {
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
	l.of[account] = limiter
	return limiter
}

// errTooOften is the cause of a refusal for too many requests; pages word it themselves.
var errTooOften = errors.New("too many requests of one account")

// tooOften refuses a request of an account that exceeds its rate (rule WEB-5), whether by the API or a page.
func (s *Server) tooOften(c echo.Context) error {
	a := s.limits.take(s.Who(c).ID, s.Now())
	s.limits.rate.announce(c.Response().Header(), a)
	if a.wait == 0 {
		return nil
	}
	return WithStatus(TooMany(c, a.wait), &domain.Error{Kind: domain.Denied, Err: errTooOften,
		Msg: "Too many requests of this account, by all its tokens and logins together; Retry-After says how many " +
			"seconds to wait."})
}

// announce sets RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-11 (May 2026), so that a program
// can slow down before it is refused: the burst is the quota (q), and the window (w) how long it takes to refill; r is
// what is left of it, and t its effective window. The draft asks that r in t seconds is no faster than the policy, and
// that Retry-After does not end before t: so r requests spread over t seconds are never refused, and with none left t
// is the wait for the next one. The policy's name is part of the API.
func (r Rate) announce(h http.Header, a allowance) {
	if !a.limited {
		return
	}
	seconds := func(requests float64) int { return int(math.Ceil(requests / r.PerSecond)) }
	left := math.Floor(a.left)
	h.Set("RateLimit-Policy", fmt.Sprintf(`"account";q=%d;w=%d`, r.Burst, max(1, seconds(float64(r.Burst)))))
	h.Set("RateLimit", fmt.Sprintf(`"account";r=%.0f;t=%d`, left, seconds(max(left, 1-a.left))))
}
