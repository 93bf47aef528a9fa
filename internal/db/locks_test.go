package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/thorough"
)

func onPostgresOnly(t testing.TB) {
	t.Helper()
	if !dbtest.OnPostgres() {
		t.Skip("needs a PostgreSQL server: make postgres")
	}
}

// start runs do beside the test, and returns where its error arrives.
func start(do func() error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	return ended
}

// hold holds the lock of the tenant until the returned function is called.
func (h *fixture) hold(t testing.TB) (release func()) {
	holds, released := make(chan struct{}), make(chan struct{})
	held := start(func() error {
		return db.HoldTenant(context.Background(), h.Store, h.tenant.ID, func() { close(holds); <-released })
	})
	<-holds
	return func() {
		close(released)
		require.NoError(t, <-held)
	}
}

// requireWaiting waits until so many transactions wait in the database for a tenant's lock.
func requireWaiting(t testing.TB, d *sql.DB, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		return len(textsOf(t, d, `SELECT l.locktype FROM pg_locks l JOIN pg_database d ON d.oid = l.database
			WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()`)) == n
	}, time.Minute, 5*time.Millisecond)
}

// requireUnfinished checks that nothing has ended of what waits.
func requireUnfinished(t testing.TB, waiting []<-chan error) {
	t.Helper()
	for _, w := range waiting {
		select {
		case err := <-w:
			t.Fatal("did not wait", err)
		default:
		}
	}
}

// TestTenantsDoNotWaitForEachOther holds a transaction of one tenant open: those of another one go on, in the same
// process and in another; those of the same tenant, and of the whole store, wait.
func TestTenantsDoNotWaitForEachOther(t *testing.T) {
	onPostgresOnly(t)
	h := newFixture(t)
	ctx := context.Background()
	beside := openIn(t, h.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	_, other := h.newTenant(t, "other")

	release := h.hold(t)
	nodes := []*db.Store{h.Store, beside}
	for _, s := range nodes { // waiting for the lock ends with an error after 30 s
		require.NoError(t, s.LogEvent(ctx, other, db.Event{Action: "x"}))
		require.NoError(t, s.SeeLogin(ctx, "none"), "a change of one row")
		_, _, err := s.InsertSession(ctx, other, assess(sizedSession(2)), nil, nil)
		require.NoError(t, err)
	}
	var waiting []<-chan error
	for _, s := range nodes {
		waiting = append(waiting, start(func() error { return s.LogEvent(ctx, h.actor, db.Event{Action: "x"}) }))
	}
	d := dbtest.Raw(t, h.dir)
	requireWaiting(t, d, 1) // the one of this process waits within it, and takes no connection
	waiting = append(waiting, start(func() error { return db.HoldStore(ctx, beside, func() {}) }))
	requireWaiting(t, d, 2)
	requireUnfinished(t, waiting)
	release()
	for _, w := range waiting {
		require.NoError(t, <-w)
	}
}

// TestHeldTenantsTakeOneConnectionEach checks that many writers of one tenant do not take the connections of the
// others.
func TestHeldTenantsTakeOneConnectionEach(t *testing.T) {
	onPostgresOnly(t)
	h := newFixture(t)
	ctx := context.Background()
	_, other := h.newTenant(t, "other")
	release := h.hold(t)
	var waiting []<-chan error
	for range 50 {
		waiting = append(waiting, start(func() error { return h.LogEvent(ctx, h.actor, db.Event{Action: "x"}) }))
	}
	given, cancel := context.WithCancel(ctx)
	gaveUp := start(func() error { return h.LogEvent(given, h.actor, db.Event{Action: "x"}) })
	cancel()
	require.ErrorIs(t, <-gaveUp, context.Canceled)
	require.NoError(t, h.LogEvent(ctx, other, db.Event{Action: "x"}))
	release()
	for _, w := range waiting {
		require.NoError(t, <-w)
	}
}

// TestOnlyTheTenantThatIsLockedIsChanged checks what would catch a transaction with the lock of a wrong tenant.
func TestOnlyTheTenantThatIsLockedIsChanged(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	_, other := h.newTenant(t, "other")
	type exec = func(query string, args ...any) (int64, error)
	type log = func(access.Actor) error
	require.NoError(t, h.WriteAs(ctx, h.tenant.ID, func(_ exec, log log) error { return log(h.actor) }))
	require.ErrorContains(t, h.WriteAs(ctx, h.tenant.ID, func(_ exec, log log) error { return log(other) }),
		"changes tenant")
	if !dbtest.OnPostgres() {
		return
	}
	for _, change := range []string{
		"INSERT INTO receipts (tenant_id, key, digest, status, created_at, body) VALUES ('" + other.Tenant + "', 'k', '', 1, '', '')",
		"UPDATE tenants SET name = 'Other'",
	} {
		require.ErrorContains(t, h.WriteAs(ctx, h.tenant.ID, func(exec exec, _ log) error {
			_, err := exec(change)
			return err
		}), "LOCK: ", change)
	}
}

// TestManyTenantsAtOnce lets two servers do all kinds of things for many tenants at the same time. Afterwards every log
// and every content verifies, no two sessions share the number of a claim, and each text is found once.
func TestManyTenantsAtOnce(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	beside := openIn(t, h.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	nodes := []*db.Store{h.Store, beside}
	const tenants, writers = 6, 8
	steps := thorough.Times(8, 500)
	var actors []access.Actor
	var sessions [][]string
	notes := make([]int, tenants)
	for n := range tenants {
		_, a := h.newTenant(t, fmt.Sprint("many-", n))
		actors = append(actors, a)
		sessions = append(sessions, nil)
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	errs := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 7))
			for range steps {
				s, n := nodes[r.IntN(len(nodes))], r.IntN(tenants)
				if err := func() error {
					switch r.IntN(6) {
					case 0, 1:
						x := sizedSession(1 + r.IntN(40))
						x.Digest = ledger.TextDigest(uuid.NewString())
						id, _, err := s.InsertSession(ctx, actors[n], assess(x), nil, nil)
						mu.Lock()
						defer mu.Unlock()
						sessions[n] = append(sessions[n], id)
						return err
					case 2:
						mu.Lock()
						id := ""
						if len(sessions[n]) > 0 {
							id = sessions[n][r.IntN(len(sessions[n]))]
						}
						mu.Unlock()
						if id == "" {
							return nil
						}
						_, err := s.Review(ctx, actors[n], id, db.ReviewRequest{Decision: ledger.Decision{
							ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "A note of the hammer."}, At: now,
							NewID: uuid.NewString,
						}})
						mu.Lock()
						defer mu.Unlock()
						notes[n]++
						return err
					case 3:
						_, err := s.RotateKey(ctx, actors[n], "sign")
						return err
					case 4: // the whole store
						_, err := s.EnsureTenant(ctx, "more-"+uuid.NewString()[:8], "More")
						return err
					default:
						return s.LogEvent(ctx, actors[n], db.Event{Action: "x"})
					}
				}(); err != nil {
					errs[w] = errors.Join(errs[w], err)
				}
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	all, err := h.Tenants(ctx)
	require.NoError(t, err)
	for _, tenant := range all {
		report, err := beside.VerifyLog(ctx, tenant.ID)
		require.NoError(t, err)
		require.True(t, report.OK(), report.Faults)
	}
	overlap := 0
	require.NoError(t, dbtest.Raw(t, h.dir).QueryRowContext(ctx, `SELECT count(*) FROM claims c JOIN sessions s
		ON s.no = c.session_no WHERE c.no <> s.first_claim + c.position`).Scan(&overlap))
	require.Zero(t, overlap)
	for n, a := range actors {
		have := 0
		q := ledger.FindQuery{Text: "hammer", Kind: ledger.FindNotes, Limit: 100}
		for {
			found, next, err := h.Find(ctx, a, q)
			require.NoError(t, err)
			for i := range found {
				require.Contains(t, sessions[n], found[i].SessionID)
			}
			have += len(found)
			if q.After = next; next == "" {
				break
			}
		}
		require.Equal(t, notes[n], have)
	}
}

// TestLoginsOfManyTenantsAtOnce lets people log in while logins of all tenants run out, which each login deletes.
func TestLoginsOfManyTenantsAtOnce(t *testing.T) {
	p := newPeople(t)
	ctx := context.Background()
	user := p.add(t, p.tenant, "someone", access.Reviewer)
	beside := openIn(t, p.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	var group sync.WaitGroup
	errs := make([]error, 8)
	for w := range errs {
		group.Go(func() {
			s := []*db.Store{p.Store, beside}[w%2]
			for range 20 {
				id := uuid.NewString()
				errs[w] = errors.Join(errs[w], s.CreateLogin(ctx, as(p.tenant, user, access.Reviewer),
					access.Login{ID: id, TokenHash: id, UserID: user.ID, TenantID: p.tenant.ID}), s.SeeLogin(ctx, id))
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
}

// TestLogoutsWaitForTheirTenantOnly holds a transaction of one tenant open: people who are in others log out, go from
// one to another and fail to log in meanwhile; who leaves or enters the held one waits.
func TestLogoutsWaitForTheirTenantOnly(t *testing.T) {
	onPostgresOnly(t)
	p := newPeople(t)
	third, _ := p.newTenant(t, "third")
	user := p.add(t, p.other, "someone", access.Reviewer)
	p.also(t, third, user, access.Reviewer)
	visitor := p.add(t, p.tenant, "visitor", access.Reviewer)
	p.also(t, third, visitor, access.Reviewer)
	out, goes := p.signIn(t, p.other, user, "out"), p.signIn(t, p.other, user, "goes")
	leaves, enters := p.signIn(t, p.tenant, visitor, "leaves"), p.signIn(t, third, visitor, "enters")
	beside := openIn(t, p.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })

	release := p.hold(t)
	require.NoError(t, beside.EndLogin(p.ctx, as(p.other, user, access.Reviewer), out.ID))
	require.NoError(t, beside.SwitchTenant(p.ctx, as(p.other, user, access.Reviewer), goes.ID, third.ID))
	require.NoError(t, beside.SwitchTenant(p.ctx, as(third, user, access.Reviewer), goes.ID, p.other.ID))
	require.NoError(t, beside.LoginFailed(p.ctx, access.Actor{}, "someone", user.ID))
	require.NoError(t, beside.LogFailures(p.ctx))
	require.Equal(t, "login.failed", last(p.actions(t, third.ID)))
	// a third store: one store queues those who wait for a tenant before they reach the database
	another := openIn(t, p.dir)
	t.Cleanup(func() { require.NoError(t, another.Close()) })
	waiting := []<-chan error{
		start(func() error { return another.EndLogin(p.ctx, as(p.tenant, visitor, access.Reviewer), leaves.ID) }),
		start(func() error {
			return beside.SwitchTenant(p.ctx, as(third, visitor, access.Reviewer), enters.ID, p.tenant.ID)
		}),
	}
	server := raw(t, p.dir)
	require.Eventually(t, func() bool {
		var n int
		return server.QueryRow(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n) == nil && n == len(waiting)
	}, time.Minute, 5*time.Millisecond, "both wait for a lock")
	requireUnfinished(t, waiting)
	release()
	for _, w := range waiting {
		require.NoError(t, <-w)
	}
	require.False(t, p.in(t, out))
	require.False(t, p.in(t, leaves))
}

// TestManyMoveBetweenTenants lets people go between the same tenants in all directions at once, on two servers, while
// others log out and write there: nobody waits for somebody who waits for them, and the logs verify.
func TestManyMoveBetweenTenants(t *testing.T) {
	p := newPeople(t)
	third, _ := p.newTenant(t, "third")
	tenants := []db.Tenant{p.tenant, p.other, third}
	beside := openIn(t, p.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	nodes := []*db.Store{p.Store, beside}
	const movers = 8
	var users []db.User
	for i := range movers {
		u := p.add(t, p.tenant, fmt.Sprint("mover-", i), access.Reviewer)
		for _, tenant := range tenants[1:] {
			p.also(t, tenant, u, access.Reviewer)
		}
		users = append(users, u)
	}
	steps := thorough.Times(5, 15)
	var group sync.WaitGroup
	errs := make([]error, movers)
	for i, u := range users {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			for n := range steps {
				s, here, there := nodes[(i+n)%2], tenants[r.IntN(3)], tenants[r.IntN(3)]
				l := access.Login{ID: uuid.NewString(), UserID: u.ID, TenantID: here.ID}
				l.TokenHash = l.ID
				by := as(here, u, access.Reviewer)
				err := s.CreateLogin(p.ctx, by, l)
				if err == nil {
					err = s.SwitchTenant(p.ctx, by, l.ID, there.ID)
				}
				if err == nil {
					err = s.LogEvent(p.ctx, by, db.Event{Action: "x"})
				}
				if err == nil && n%2 == 0 {
					err = nodes[(i+n+1)%2].EndLogin(p.ctx, by, l.ID)
				}
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	for _, tenant := range tenants {
		report, err := beside.VerifyLog(p.ctx, tenant.ID)
		require.NoError(t, err)
		require.True(t, report.OK(), report.Faults)
	}
}

// TestALoginThatMovesMeanwhileIsEndedWhereItIs moves a login to another tenant after its end has found where it is.
func TestALoginThatMovesMeanwhileIsEndedWhereItIs(t *testing.T) {
	onPostgresOnly(t)
	p := newPeople(t)
	user := p.add(t, p.tenant, "someone", access.Reviewer)
	p.also(t, p.other, user, access.Reviewer)
	l := p.signIn(t, p.tenant, user, "l")
	beside := openIn(t, p.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	release := p.hold(t)
	ended := start(func() error { return beside.EndLogin(p.ctx, as(p.tenant, user, access.Reviewer), l.ID) })
	d := dbtest.Raw(t, p.dir)
	requireWaiting(t, d, 1)
	_, err := d.ExecContext(p.ctx, "UPDATE logins SET tenant_id = '"+p.other.ID+"'")
	require.NoError(t, err)
	release()
	require.NoError(t, <-ended)
	require.False(t, p.in(t, l))
	require.Equal(t, "login.ended", last(p.actions(t, p.other.ID)))
	require.NotContains(t, p.actions(t, p.tenant.ID), "login.ended")
}
