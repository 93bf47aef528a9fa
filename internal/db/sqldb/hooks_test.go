package sqldb

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
)

// openEmpty opens a new database with one table, kept, of one column.
func openEmpty(t *testing.T) *DB {
	t.Helper()
	ctx := context.Background()
	schema := &Schema{Steps: fstest.MapFS{"migrations/0001_baseline.sql": {Data: []byte("CREATE TABLE kept (x INTEGER) STRICT")}}}
	d, err := Open(ctx, Config{Engine: SQLiteFile(filepath.Join(t.TempDir(), "a.db"), schema), Now: time.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.NoError(t, d.Migrate(ctx))
	return d
}

func keep(t *Tx) error {
	_, err := t.Exec("INSERT INTO kept (x) VALUES (?)", 1)
	return err
}

func kept(t *testing.T, d *DB) (n int) {
	t.Helper()
	require.NoError(t, d.ReadOne(context.Background(), "kept", "SELECT count(*) FROM kept", nil, &n))
	return n
}

func TestHooksRunInTheOrderInWhichTheyWereAdded(t *testing.T) {
	d := openEmpty(t)
	var ran []string
	note := func(name string) func(*Tx) error {
		return func(*Tx) error {
			ran = append(ran, name)
			return nil
		}
	}
	d.AfterCommit(note("after 1"))
	d.BeforeCommit(note("before 1"))
	d.BeforeCommit(note("before 2"))
	d.AfterCommit(note("after 2"))
	d.AfterFailure(func(error) { ran = append(ran, "failed") })
	require.NoError(t, d.Write(context.Background(), EveryTenant, "keep", keep))
	require.Equal(t, []string{"before 1", "before 2", "after 1", "after 2"}, ran)
	require.Equal(t, 1, kept(t, d))
}

// A hook before the commit that fails rolls everything back, and no hook after the commit runs.
func TestFailedHookRollsBack(t *testing.T) {
	d := openEmpty(t)
	broken := errors.New("broken")
	var failures []error
	committed := 0
	d.BeforeCommit(func(t *Tx) error { return errors.Join(keep(t), broken) })
	d.AfterCommit(func(*Tx) error { committed++; return nil })
	d.AfterFailure(func(err error) { failures = append(failures, err) })
	require.ErrorIs(t, d.Write(context.Background(), EveryTenant, "keep", keep), broken)
	require.Zero(t, kept(t, d))
	require.Zero(t, committed)
	require.Len(t, failures, 1)
	require.ErrorIs(t, failures[0], broken)
}

// A hook that panics leaves nothing stored, and neither the connection nor the turn of the lock taken.
func TestPanicInHookRollsBack(t *testing.T) {
	d := openEmpty(t)
	panics := true
	d.BeforeCommit(func(*Tx) error {
		if panics {
			panic("in a hook")
		}
		return nil
	})
	require.PanicsWithValue(t, "in a hook", func() { _ = d.Write(context.Background(), OfTenant("a"), "keep", keep) })
	require.Zero(t, kept(t, d))
	panics = false
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(t, d.Write(ctx, OfTenant("a"), "keep", keep))
	require.Equal(t, 1, kept(t, d))
}

// What a hook says after the commit is the answer, and what was written stays; the hooks after it run all the same.
func TestFailedHookAfterCommitKeepsWhatIsStored(t *testing.T) {
	d := openEmpty(t)
	first, ran := errors.New("first"), 0
	d.AfterCommit(func(*Tx) error { return first })
	d.AfterCommit(func(*Tx) error { ran++; return errors.New("second") })
	d.AfterFailure(func(error) { ran += 10 })
	require.ErrorIs(t, d.Write(context.Background(), EveryTenant, "keep", keep), first)
	require.Equal(t, 1, ran)
	require.Equal(t, 1, kept(t, d))
}

var seen Local[int]

// A local value begins empty in each transaction, and is there until its hooks have run.
func TestLocalBelongsToOneTransaction(t *testing.T) {
	d := openEmpty(t)
	var after []int
	d.AfterCommit(func(t *Tx) error { after = append(after, *seen.Of(t)); return nil })
	for range 2 {
		require.NoError(t, d.Write(context.Background(), EveryTenant, "count", func(t *Tx) error {
			*seen.Of(t)++
			*seen.Of(t)++
			return nil
		}))
	}
	require.Equal(t, []int{2, 2}, after)
}
