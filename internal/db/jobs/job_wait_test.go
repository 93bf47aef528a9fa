package jobs_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/job"
)

// hears waits until the store hears of the jobs of other processes, and returns the channel of the next change.
func hears(t *testing.T, s *db.Store) (changed <-chan struct{}) {
	t.Helper()
	require.Eventually(t, func() bool {
		var everywhere bool
		changed, everywhere = s.JobsChanged()
		return everywhere
	}, time.Minute, 5*time.Millisecond)
	return changed
}

func within(t *testing.T, changed <-chan struct{}) {
	t.Helper()
	select {
	case <-changed:
	case <-time.After(time.Minute):
		t.Fatal("nothing was heard within a minute")
	}
}

// TestJobsOfOtherProcessesAreHeard checks that each change of jobs that others wait for is told to every process, that
// a lost connection is noticed, and that listening begins again.
func TestJobsOfOtherProcessesAreHeard(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	j := dbtest.NewClocked(t)
	beside := dbtest.Open(t, j.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })

	changed := hears(t, beside)
	work := queue(t, j, j.Actor, "one")
	within(t, changed)
	taken := claim(t, j)
	require.Equal(t, work.ID, taken.ID)
	changed = hears(t, beside)
	require.NoError(t, j.ReleaseJob(j.Ctx, taken))
	within(t, changed)
	taken = claim(t, j)
	changed = hears(t, beside)
	require.NoError(t, j.FailJob(j.Ctx, taken, job.Fault{Msg: "broken", Kind: "input"}))
	within(t, changed)
	work = queue(t, j, j.Actor, "two")
	changed = hears(t, beside)
	_, err := j.CancelJob(j.Ctx, j.Actor, work.ID)
	require.NoError(t, err)
	within(t, changed)

	d := dbtest.Raw(t, j.Dir)
	for n := range 3 {
		changed = hears(t, beside)
		killed := 0
		require.NoError(t, d.QueryRowContext(j.Ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN %'`).Scan(&killed))
		require.Equal(t, 1, killed)
		within(t, changed) // who waits looks again, since something may have been missed
		queue(t, j, j.Actor, fmt.Sprint("after the cut ", n))
		require.NotNil(t, claim(t, j))
	}
	changed = hears(t, beside)
	queue(t, j, j.Actor, "heard again")
	within(t, changed)
}

// TestJobsOfTheSameProcessAreHeard needs no server that tells.
func TestJobsOfTheSameProcessAreHeard(t *testing.T) {
	j := dbtest.NewClocked(t)
	changed, everywhere := j.JobsChanged()
	if !dbtest.OnPostgres() {
		require.False(t, everywhere)
	}
	queue(t, j, j.Actor, "one")
	within(t, changed)
}

// TestAStoreThatListensCloses checks that listening ends with the store, also while the server is away.
func TestAStoreThatListensCloses(t *testing.T) {
	h := dbtest.New(t)
	beside := dbtest.Open(t, h.Dir)
	beside.JobsChanged()
	require.NoError(t, beside.Close())
	again := dbtest.Open(t, h.Dir)
	require.NoError(t, again.LogEvent(context.Background(), h.Actor, db.Event{Action: "x"}))
	require.NoError(t, again.Close())
}

// TestJobsAreLookedForThroughAPooler checks that a store behind PgBouncer in transaction mode, which loses what is
// listened for, does not listen, and says that its user has to look; changes of its own process are heard. Nor does it
// prepare statements there, though the address does not say so: each transaction may have another connection.
func TestJobsAreLookedForThroughAPooler(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("needs pgbouncer")
	}
	dir := dbtest.Dir(t)
	direct, err := url.Parse(dbtest.Database(dir))
	require.NoError(t, err)
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := free.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // TCP
	require.NoError(t, free.Close())
	password := ""
	if word, ok := direct.User.Password(); ok {
		password = " password=" + word
	}
	conf := filepath.Join(t.TempDir(), "pgbouncer.ini")
	require.NoError(t, os.WriteFile(conf, fmt.Appendf(nil, `[databases]
* = host=%s port=%s user=%s%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
ignore_startup_parameters = extra_float_digits, statement_timeout, lock_timeout, idle_in_transaction_session_timeout, jit, max_parallel_workers_per_gather
`, direct.Hostname(), direct.Port(), direct.User.Username(), password, port), 0o600))
	args := []string{conf}
	if os.Getuid() == 0 { // it refuses to run as root
		args = []string{"-u", "nobody", conf}
	}
	pooler := exec.CommandContext(t.Context(), program, args...)
	pooler.Stdout, pooler.Stderr = t.Output(), t.Output()
	require.NoError(t, pooler.Start())
	t.Cleanup(func() {
		_ = pooler.Process.Kill()
		_ = pooler.Wait()
	})
	through := *direct
	through.Host = fmt.Sprint("127.0.0.1:", port)
	var s *db.Store
	require.Eventually(t, func() bool {
		s, err = db.Open(t.Context(), db.Options{Dir: dir, Database: through.String(),
			Now:   func() time.Time { return dbtest.Now },
			NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)})
		return err == nil
	}, time.Minute, 50*time.Millisecond, "%v", err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	j := &dbtest.Clocked{Fixture: &dbtest.Fixture{Store: s, Dir: dir}, At: dbtest.Now, Ctx: t.Context()}
	j.Tenant, j.Actor = j.NewTenant(t, "main")
	var readers sync.WaitGroup
	for range 20 {
		readers.Go(func() {
			for range 50 {
				_, err := s.Tenant(t.Context(), j.Tenant.ID)
				assert.NoError(t, err)
			}
		})
	}
	readers.Wait()
	changed, everywhere := s.JobsChanged()
	require.False(t, everywhere)
	queue(t, j, j.Actor, "one")
	within(t, changed)
	require.NotNil(t, claim(t, j))
	require.NoError(t, stoppedListening(t.Context(), s))
	require.False(t, s.Listening())
}

// stoppedListening waits until the store knows that it cannot listen.
func stoppedListening(ctx context.Context, s *db.Store) error {
	done := make(chan struct{})
	go func() {
		s.JobSignal.Ended.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
