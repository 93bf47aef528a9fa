package sqldb_test

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
	"sanad/internal/db/auditlog"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/thorough"
)

// start runs do beside the test, and returns where its error arrives.
func start(do func() error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- do() }()
	return ended
}

// hold holds the lock of the tenant until the returned function is called.
func hold(t testing.TB, h *dbtest.Fixture) (release func()) {
	holds, released := make(chan struct{}), make(chan struct{})
	held := start(func() error {
		return holdTenant(context.Background(), h.Store, h.Tenant.ID, func() { close(holds); <-released })
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
		return len(dbtest.TextsOf(t, d, `SELECT l.locktype FROM pg_locks l JOIN pg_database d ON d.oid = l.database
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
	dbtest.OnPostgresOnly(t)
	h := dbtest.New(t)
	ctx := context.Background()
	beside := dbtest.Open(t, h.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	_, other := h.NewTenant(t, "other")

	release := hold(t, h)
	nodes := []*db.Store{h.Store, beside}
	for _, s := range nodes { // waiting for the lock ends with an error after 30 s
		require.NoError(t, s.LogEvent(ctx, other, db.Event{Action: "x"}))
		require.NoError(t, s.SeeLogin(ctx, "none"), "a change of one row")
		_, _, err := s.InsertSession(ctx, other, dbtest.Assess(dbtest.SizedSession(2)), nil, nil)
		require.NoError(t, err)
	}
	var waiting []<-chan error
	for _, s := range nodes {
		waiting = append(waiting, start(func() error { return s.LogEvent(ctx, h.Actor, db.Event{Action: "x"}) }))
	}
	d := dbtest.Raw(t, h.Dir)
	requireWaiting(t, d, 1) // the one of this process waits within it, and takes no connection
	waiting = append(waiting, start(func() error { return holdStore(ctx, beside, func() {}) }))
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
	dbtest.OnPostgresOnly(t)
	h := dbtest.New(t)
	ctx := context.Background()
	_, other := h.NewTenant(t, "other")
	release := hold(t, h)
	var waiting []<-chan error
	for range 50 {
		waiting = append(waiting, start(func() error { return h.LogEvent(ctx, h.Actor, db.Event{Action: "x"}) }))
	}
	given, cancel := context.WithCancel(ctx)
	gaveUp := start(func() error { return h.LogEvent(given, h.Actor, db.Event{Action: "x"}) })
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
	h := dbtest.New(t)
	ctx := context.Background()
	_, other := h.NewTenant(t, "other")
	type exec = func(query string, args ...any) (int64, error)
	type log = func(access.Actor) error
	require.NoError(t, writeAs(ctx, h.Store, h.Tenant.ID, func(_ exec, log log) error { return log(h.Actor) }))
	require.ErrorContains(t, writeAs(ctx, h.Store, h.Tenant.ID, func(_ exec, log log) error { return log(other) }),
		"changes tenant")
	if !dbtest.OnPostgres() {
		return
	}
	for _, change := range []string{
		"INSERT INTO receipts (tenant_id, key, digest, status, created_at, body) VALUES ('" + other.Tenant + "', 'k', '', 1, '', '')",
		"UPDATE tenants SET name = 'Other'",
	} {
		require.ErrorContains(t, writeAs(ctx, h.Store, h.Tenant.ID, func(exec exec, _ log) error {
			_, err := exec(change)
			return err
		}), "LOCK: ", change)
	}
}

// TestManyTenantsAtOnce lets two servers do all kinds of things for many tenants at the same time. Afterwards every log
// and every content verifies, no two sessions share the number of a claim, and each text is found once.
func TestManyTenantsAtOnce(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	beside := dbtest.Open(t, h.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	nodes := []*db.Store{h.Store, beside}
	const tenants, writers = 6, 8
	steps := thorough.Times(8, 500)
	var actors []access.Actor
	var sessions [][]string
	notes := make([]int, tenants)
	for n := range tenants {
		_, a := h.NewTenant(t, fmt.Sprint("many-", n))
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
						x := dbtest.SizedSession(1 + r.IntN(40))
						x.Digest = ledger.TextDigest(uuid.NewString())
						id, _, err := s.InsertSession(ctx, actors[n], dbtest.Assess(x), nil, nil)
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
							ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "A note of the hammer."}, At: dbtest.Now,
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
	require.NoError(t, dbtest.Raw(t, h.Dir).QueryRowContext(ctx, `SELECT count(*) FROM claims c JOIN sessions s
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
	p := dbtest.NewPeople(t)
	ctx := context.Background()
	user := p.AddPerson(t, p.Tenant, "someone", access.Reviewer)
	beside := dbtest.Open(t, p.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	var group sync.WaitGroup
	errs := make([]error, 8)
	for w := range errs {
		group.Go(func() {
			s := []*db.Store{p.Store, beside}[w%2]
			for range 20 {
				id := uuid.NewString()
				errs[w] = errors.Join(errs[w], s.CreateLogin(ctx, dbtest.As(p.Tenant, user, access.Reviewer),
					access.Login{ID: id, TokenHash: id, UserID: user.ID, TenantID: p.Tenant.ID}), s.SeeLogin(ctx, id))
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
}

// TestLogoutsWaitForTheirTenantOnly holds a transaction of one tenant open: people who are in others log out, go from
// one to another and fail to log in meanwhile; who leaves or enters the held one waits.
func TestLogoutsWaitForTheirTenantOnly(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	p := dbtest.NewPeople(t)
	third, _ := p.NewTenant(t, "third")
	user := p.AddPerson(t, p.Other, "someone", access.Reviewer)
	p.AlsoMember(t, third, user, access.Reviewer)
	visitor := p.AddPerson(t, p.Tenant, "visitor", access.Reviewer)
	p.AlsoMember(t, third, visitor, access.Reviewer)
	out, goes := p.SignIn(t, p.Other, user, "out"), p.SignIn(t, p.Other, user, "goes")
	leaves, enters := p.SignIn(t, p.Tenant, visitor, "leaves"), p.SignIn(t, third, visitor, "enters")
	beside := dbtest.Open(t, p.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })

	release := hold(t, p.Fixture)
	require.NoError(t, beside.EndLogin(p.Ctx, dbtest.As(p.Other, user, access.Reviewer), out.ID))
	require.NoError(t, beside.SwitchTenant(p.Ctx, dbtest.As(p.Other, user, access.Reviewer), goes.ID, third.ID))
	require.NoError(t, beside.SwitchTenant(p.Ctx, dbtest.As(third, user, access.Reviewer), goes.ID, p.Other.ID))
	require.NoError(t, beside.LoginFailed(p.Ctx, access.Actor{}, "someone", user.ID))
	require.NoError(t, beside.LogFailures(p.Ctx))
	require.Equal(t, "login.failed", dbtest.Last(p.Actions(t, third.ID)))
	// a third store: one store queues those who wait for a tenant before they reach the database
	another := dbtest.Open(t, p.Dir)
	t.Cleanup(func() { require.NoError(t, another.Close()) })
	waiting := []<-chan error{
		start(func() error {
			return another.EndLogin(p.Ctx, dbtest.As(p.Tenant, visitor, access.Reviewer),
				leaves.ID)
		}),
		start(func() error {
			return beside.SwitchTenant(p.Ctx, dbtest.As(third, visitor, access.Reviewer), enters.ID, p.Tenant.ID)
		}),
	}
	server := dbtest.Raw(t, p.Dir)
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
	require.False(t, p.IsSignedIn(t, out))
	require.False(t, p.IsSignedIn(t, leaves))
}

// TestManyMoveBetweenTenants lets people go between the same tenants in all directions at once, on two servers, while
// others log out and write there: nobody waits for somebody who waits for them, and the logs verify.
func TestManyMoveBetweenTenants(t *testing.T) {
	p := dbtest.NewPeople(t)
	third, _ := p.NewTenant(t, "third")
	tenants := []db.Tenant{p.Tenant, p.Other, third}
	beside := dbtest.Open(t, p.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	nodes := []*db.Store{p.Store, beside}
	const movers = 8
	var users []db.User
	for i := range movers {
		u := p.AddPerson(t, p.Tenant, fmt.Sprint("mover-", i), access.Reviewer)
		for _, tenant := range tenants[1:] {
			p.AlsoMember(t, tenant, u, access.Reviewer)
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
				by := dbtest.As(here, u, access.Reviewer)
				err := s.CreateLogin(p.Ctx, by, l)
				if err == nil {
					err = s.SwitchTenant(p.Ctx, by, l.ID, there.ID)
				}
				if err == nil {
					err = s.LogEvent(p.Ctx, by, db.Event{Action: "x"})
				}
				if err == nil && n%2 == 0 {
					err = nodes[(i+n+1)%2].EndLogin(p.Ctx, by, l.ID)
				}
				errs[i] = errors.Join(errs[i], err)
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	for _, tenant := range tenants {
		report, err := beside.VerifyLog(p.Ctx, tenant.ID)
		require.NoError(t, err)
		require.True(t, report.OK(), report.Faults)
	}
}

// TestALoginThatMovesMeanwhileIsEndedWhereItIs moves a login to another tenant after its end has found where it is.
func TestALoginThatMovesMeanwhileIsEndedWhereItIs(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	p := dbtest.NewPeople(t)
	user := p.AddPerson(t, p.Tenant, "someone", access.Reviewer)
	p.AlsoMember(t, p.Other, user, access.Reviewer)
	l := p.SignIn(t, p.Tenant, user, "l")
	beside := dbtest.Open(t, p.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	release := hold(t, p.Fixture)
	ended := start(func() error { return beside.EndLogin(p.Ctx, dbtest.As(p.Tenant, user, access.Reviewer), l.ID) })
	d := dbtest.Raw(t, p.Dir)
	requireWaiting(t, d, 1)
	_, err := d.ExecContext(p.Ctx, "UPDATE logins SET tenant_id = '"+p.Other.ID+"'")
	require.NoError(t, err)
	release()
	require.NoError(t, <-ended)
	require.False(t, p.IsSignedIn(t, l))
	require.Equal(t, "login.ended", dbtest.Last(p.Actions(t, p.Other.ID)))
	require.NotContains(t, p.Actions(t, p.Tenant.ID), "login.ended")
}

// holdTenant runs do in a transaction that holds a tenant's lock; HoldStore in one that holds the lock of all.
func holdTenant(ctx context.Context, s *db.Store, tenant string, do func()) error {
	return s.Write(ctx, sqldb.OfTenant(tenant), "HoldTenant", func(*sqldb.Tx) error { do(); return nil })
}

func holdStore(ctx context.Context, s *db.Store, do func()) error {
	return s.Write(ctx, sqldb.EveryTenant, "HoldStore", func(*sqldb.Tx) error { do(); return nil })
}

// writeAs runs do in a transaction with the lock of a tenant.
func writeAs(ctx context.Context, s *db.Store, tenant string,
	do func(exec func(query string, args ...any) (int64, error), log func(access.Actor) error) error) error {
	return s.Write(ctx, sqldb.OfTenant(tenant), "WriteAs", func(t *sqldb.Tx) error {
		return do(t.Exec, func(a access.Actor) error { return s.AppendEvent(t, a, auditlog.Event{Action: "x"}) })
	})
}
