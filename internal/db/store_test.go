package db_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

func TestOpenMakesAPrivateFolderAndReadsItsSettingsBack(t *testing.T) {
	dbtest.SQLiteOnly(t, "modes and settings of the file")
	dir := filepath.Join(t.TempDir(), "new", "data with space?&%")
	s := openIn(t, dir)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	for _, name := range []string{"sanad.db", "sanad.db-wal", "sanad.db-shm"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	require.NoError(t, s.Ready(context.Background()))
	require.NoError(t, s.Close())
	_, err = os.Stat(filepath.Join(dir, "sanad.db-wal"))
	require.ErrorIs(t, err, os.ErrNotExist, "the log is in the database now")
}

func TestOpenFailsClearly(t *testing.T) {
	dbtest.SQLiteOnly(t, "a file that is no database")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sanad.db"),
		[]byte("this is no database, but long enough to look like one…"), 0o600))
	_, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: dbtest.Database(dir), Now: time.Now, NewID: uuid.NewString, Keys: masterKey(t, 1)})
	require.ErrorContains(t, err, "not a database")
	require.Equal(t, domain.Internal, domain.KindOf(err))
}

func TestMigrations(t *testing.T) {
	dir := t.TempDir()
	s := openIn(t, dir)
	first, err := s.Migrations(context.Background())
	require.NoError(t, err)
	require.Equal(t, "0001_baseline.sql", first[0].Name)
	require.Len(t, first[0].Hash, 64)
	require.NoError(t, s.Close())

	s = openIn(t, dir) // opening again changes nothing
	again, err := s.Migrations(context.Background())
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.NoError(t, s.Close())

	refuse := func(change, undo, reason string) {
		d := dbtest.Raw(t, dir)
		_, err := d.Exec(change)
		require.NoError(t, err)
		_, err = db.Open(context.Background(),
			db.Options{Dir: dir, Database: dbtest.Database(dir), Now: time.Now, NewID: uuid.NewString, Keys: masterKey(t, 1)})
		require.ErrorContains(t, err, reason)
		_, err = d.Exec(undo)
		require.NoError(t, err)
	}
	refuse("UPDATE schema_migrations SET hash = 'x'", fmt.Sprintf("UPDATE schema_migrations SET hash = '%s'", first[0].Hash),
		"made before the first release")
	refuse("INSERT INTO schema_migrations VALUES (999, '0999_future.sql', 'x', 'y', 999)",
		"DELETE FROM schema_migrations WHERE version = 999", "newer version")
	require.NoError(t, openIn(t, dir).Close())
}

func TestTwoStoresOnOneFolder(t *testing.T) {
	h := newFixture(t)
	other := openIn(t, h.dir) // like a command beside the running server
	defer func() { require.NoError(t, other.Close()) }()
	s := fullSession()
	h.insert(t, s)
	_, err := other.Session(context.Background(), h.tenant.ID, s.ID)
	require.NoError(t, err)
}

func TestTenants(t *testing.T) {
	h := newFixture(t)
	got, err := h.Tenant(context.Background(), h.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, h.tenant, got)
	require.Equal(t, 24, got.FreshnessMonths)
	same, err := h.EnsureTenant(context.Background(), "main", "another name")
	require.NoError(t, err)
	require.Equal(t, h.tenant, same)
	_, err = h.Tenant(context.Background(), "nope")
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

func TestManyReadersBesideAWriter(t *testing.T) {
	h := newFixture(t)
	s := sizedSession(30)
	h.insert(t, s)
	calls := h.pages(t, s)
	const readers, writers = 12, 10 // more readers than there are connections
	require.Equal(t, readers+writers, together(readers+writers, func(i int) bool {
		if i < writers {
			_, err := h.review(s.ID, i, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
			return assert.NoError(t, err) && assert.NoError(t, h.Ready(context.Background()))
		}
		for _, name := range []string{"ledger", "ledger text", "claim", "home", "sessions"} {
			if !assert.NoError(t, calls[name](), name) {
				return false
			}
		}
		return true
	}))
}
