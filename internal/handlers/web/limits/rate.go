// Package limits bounds what people and programs may take of the server: requests in a second, attempts to prove who
// they are, memory, and lines of the log.
package limits

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate limits the requests of an account: PerSecond in the long run, and Burst at once. The zero value sets no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Accounts delays accounts that send too many requests: a person with all their logins and tokens, in whatever tenants,
// or a machine's token. They are counted by id, so wrong tokens, which have none, take no memory. An account that has
// been idle for as long as a full burst takes to refill is forgotten, as a new one starts the same way. Memory is thus
// bounded by the number of accounts in use.
type Accounts struct {
	rate  Rate
	mu    sync.Mutex
	of    map[string]*rate.Limiter
	sweep int // how many entries there may be before idle ones are removed
}

const leastSweep = 1024

// NewAccounts returns the accounts under one rate, none of which has asked anything yet.
func NewAccounts(rate Rate) *Accounts { return &Accounts{rate: rate} }

// Allowance is what an account may still ask after a request.
type Allowance struct {
	Limited bool          // false: there is no limit, and the rest is zero
	Wait    time.Duration // how long it must wait, if this request was one too many
	Left    float64       // requests that it may make at once
}

// Take counts one request of an account.
func (l *Accounts) Take(account string, now time.Time) Allowance {
	if l.rate.PerSecond <= 0 || account == "" {
		return Allowance{}
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
	return Allowance{Limited: true, Wait: wait, Left: max(0, limiter.TokensAt(now))}
}

func (l *Accounts) add(account string, now time.Time) *rate.Limiter {
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

// Announce sets RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-11 (May 2026), so that a program
// can slow down before it is refused: the burst is the quota (q), and the window (w) how long it takes to refill; r is
// what is left of it, and t its effective window. The draft asks that r in t seconds is no faster than the policy, and
// that Retry-After does not end before t: so r requests spread over t seconds are never refused, and with none left t
// is the wait for the next one. The policy's name is part of the API.
func (l *Accounts) Announce(h http.Header, a Allowance) {
	r := l.rate
	if !a.Limited {
		return
	}
	seconds := func(requests float64) int { return int(math.Ceil(requests / r.PerSecond)) }
	left := math.Floor(a.Left)
	h.Set("RateLimit-Policy", fmt.Sprintf(`"account";q=%d;w=%d`, r.Burst, max(1, seconds(float64(r.Burst)))))
	h.Set("RateLimit", fmt.Sprintf(`"account";r=%.0f;t=%d`, left, seconds(max(left, 1-a.Left))))
}
