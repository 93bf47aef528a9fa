package quota_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/quota"
)

// queue asks in order, while everything is held by somebody else, and returns the names in the order of their turns.
func queue(t *testing.T, p *quota.Pool, asks []quota.Ask) (order []string) {
	t.Helper()
	release, err := p.Acquire(t.Context(), quota.Ask{Tenant: "holder", Person: "holder", Weight: 1})
	require.NoError(t, err)
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, a := range asks {
		all.Go(func() {
			done, err := p.Acquire(context.Background(), a)
			if err != nil {
				return
			}
			mu.Lock()
			order = append(order, a.Kind)
			mu.Unlock()
			done()
		})
		synctest.Wait()
	}
	release()
	all.Wait()
	return order
}

func many(n int, a quota.Ask) (out []quota.Ask) {
	for i := range n {
		a.Kind = fmt.Sprintf("%s%d", a.Person, i+1)
		out = append(out, a)
	}
	return out
}

func TestTurns(t *testing.T) {
	for name, c := range map[string]struct {
		asks []quota.Ask
		want []string
	}{
		"one person": {many(3, quota.Ask{Person: "a"}), []string{"a1", "a2", "a3"}},
		"people take turns": {
			append(many(4, quota.Ask{Person: "a"}), many(2, quota.Ask{Person: "b"})...),
			[]string{"a1", "b1", "a2", "b2", "a3", "a4"},
		},
		"whoever goes first": {
			append(many(2, quota.Ask{Person: "a"}), quota.Ask{Person: "b", Kind: "first", First: true}),
			[]string{"first", "a1", "a2"},
		},
		"the last turn is displaced from a full queue": {
			append(many(6, quota.Ask{Person: "a"}), many(1, quota.Ask{Person: "b"})...),
			[]string{"a1", "b1", "a2", "a3", "a4", "a5"},
		},
		"nobody is displaced by who comes last": {
			many(8, quota.Ask{Person: "a"}), []string{"a1", "a2", "a3", "a4", "a5", "a6"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := quota.NewPool(quota.Limits{All: 1, Queue: 6, Wait: time.Minute})
				require.Equal(t, c.want, queue(t, p, c.asks))
				require.Zero(t, p.Use().Waiting)
				require.Equal(t, 0, quota.People(p), "nobody is remembered who holds nothing")
			})
		})
	}
}

// What a person and a tenant may hold is bounded, and what another asks for is then still given.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := quota.NewPool(quota.Limits{All: 100, Tenant: 60, Person: 40, Queue: 10, Wait: time.Second})
		ask := func(tenant, person string, weight int64) error {
			_, err := p.Acquire(t.Context(), quota.Ask{Tenant: tenant, Person: person, Kind: "k", Weight: weight})
			return err
		}
		refused := func(whose quota.Whose, err error) {
			t.Helper()
			var r *quota.Refused
			require.ErrorAs(t, err, &r)
			require.Equal(t, whose, r.Whose)
		}
		require.NoError(t, ask("a", "1", 30))
		start := time.Now()
		refused(quota.Person, ask("a", "1", 30))
		require.Equal(t, time.Second, time.Since(start), "it has waited")
		require.NoError(t, ask("a", "2", 25))
		refused(quota.Tenant, ask("a", "3", 30))
		require.NoError(t, ask("b", "1", 1000), "more than a person's bound counts as that")
		refused(quota.Server, ask("c", "1", 30))
		require.NoError(t, ask("c", "1", 5))
		u := p.Use()
		require.Equal(t, map[string]int64{"k": 100}, u.Held)
		require.Equal(t, map[string]map[quota.Whose]int64{
			"k": {quota.Person: 1, quota.Tenant: 1, quota.Server: 1},
		}, u.Refused)
	})
}

// A large wish waits until there is room; smaller ones that came later do not overtake it for ever.
func TestLargeWishesAreNotStarved(t *testing.T) {
	for name, c := range map[string]struct{ large, small quota.Ask }{
		"everybody's bound": {quota.Ask{Tenant: "b"}, quota.Ask{Tenant: "c"}},
		"a tenant's bound":  {quota.Ask{Tenant: "a", Person: "b"}, quota.Ask{Tenant: "a", Person: "c"}},
		"a person's bound":  {quota.Ask{Tenant: "a", Person: "a"}, quota.Ask{Tenant: "a", Person: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := quota.NewPool(quota.Limits{All: 10, Queue: 10, Wait: time.Minute})
				first, err := p.Acquire(t.Context(), quota.Ask{Tenant: "a", Person: "a", Weight: 6})
				require.NoError(t, err)
				c.large.Kind, c.large.Weight, c.small.Kind, c.small.Weight = "large", 10, "small", 1
				var order []string
				var all sync.WaitGroup
				for _, a := range []quota.Ask{c.large, c.small} {
					all.Go(func() {
						release, err := p.Acquire(context.Background(), a)
						require.NoError(t, err)
						order = append(order, a.Kind)
						release()
					})
					synctest.Wait()
				}
				require.Empty(t, order)
				first()
				first() // a second time does nothing
				all.Wait()
				require.Equal(t, []string{"large", "small"}, order)
			})
		})
	}
}

func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := quota.NewPool(quota.Limits{All: 1, Queue: 10, Wait: time.Second})
		release, err := p.Acquire(t.Context(), quota.Ask{Weight: 1})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err = p.Acquire(ctx, quota.Ask{Person: "a", Weight: 1})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = p.Acquire(ctx, quota.Ask{Person: "a", Weight: 1})
		require.ErrorIs(t, err, context.DeadlineExceeded, "it had ended before")
		var patient sync.WaitGroup
		patient.Go(func() {
			done, err := p.Acquire(context.Background(), quota.Ask{Person: "job", Weight: 1, Patient: true})
			require.NoError(t, err)
			done()
		})
		time.Sleep(time.Hour)
		require.Equal(t, 1, p.Use().Waiting, "who is patient waits on")
		release()
		patient.Wait()
		require.Zero(t, p.Use().Waiting)
		require.Equal(t, map[string]int64{"": 0}, p.Use().Held)
	})
}

// Under any mix of holders nothing exceeds its bound, and in the end nothing is held.
func TestPoolInParallel(t *testing.T) {
	p := quota.NewPool(quota.Limits{All: 50, Tenant: 30, Person: 20, Queue: 20, Wait: 2 * time.Millisecond})
	var all sync.WaitGroup
	var held, most, given atomic.Int64
	for i := range 64 {
		all.Go(func() {
			for n := range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+n%4)*time.Millisecond)
				weight := int64(1 + (i*7+n)%15)
				release, err := p.Acquire(ctx, quota.Ask{Tenant: fmt.Sprint(i % 3), Person: fmt.Sprint(i % 9), Weight: weight})
				if err == nil {
					now := held.Add(weight)
					for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
					}
					given.Add(1)
					held.Add(-weight)
					release()
				}
				cancel()
			}
		})
	}
	all.Wait()
	require.Positive(t, given.Load())
	require.LessOrEqual(t, most.Load(), int64(50))
	require.Equal(t, map[string]int64{"": 0}, p.Use().Held)
	require.Zero(t, p.Use().Waiting)
	require.Zero(t, quota.People(p))
}

// Work that holds a part already takes only the rest, also where it is as much as one may have.
func TestWorkWithinWork(t *testing.T) {
	p := quota.NewPool(quota.Limits{All: 100, Tenant: 60, Person: 40, Queue: 10, Wait: time.Millisecond})
	ask := func(weight, held int64) (func(), error) {
		return p.Acquire(t.Context(), quota.Ask{Tenant: "a", Person: "1", Kind: "k", Weight: weight, Held: held})
	}
	outer, err := ask(30, 0)
	require.NoError(t, err)
	_, err = ask(1000, 0)
	require.Error(t, err, "a person's share cannot hold both")
	inner, err := ask(1000, 30)
	require.NoError(t, err)
	require.EqualValues(t, 40, p.Use().Held["k"])
	innermost, err := ask(1000, 1030)
	require.NoError(t, err)
	require.EqualValues(t, 40, p.Use().Held["k"])
	innermost()
	inner()
	outer()
	require.Zero(t, p.Use().Held["k"])
	_, err = ask(40, 0)
	require.NoError(t, err, "nothing is left behind")
}
