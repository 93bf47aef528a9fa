package db_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
)

func TestOpenMakesAPrivateFolderAndReadsItsSettingsBack(t *testing.T) {
	dbtest.SQLiteOnly(t, "modes and settings of the file")
	dir := filepath.Join(t.TempDir(), "new", "data with space?&%")
	s := dbtest.Open(t, dir)
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
		db.Options{Dir: dir, Database: dbtest.Database(dir), Now: time.Now, NewID: uuid.NewString,
			Keys: dbtest.MasterKey(t, 1)})
	require.ErrorContains(t, err, "not a database")
	require.Equal(t, domain.Internal, domain.KindOf(err))
}

func TestMigrations(t *testing.T) {
	dir := t.TempDir()
	s := dbtest.Open(t, dir)
	first, err := s.Migrations(context.Background())
	require.NoError(t, err)
	require.Equal(t, "0001_baseline.sql", first[0].Name)
	require.Len(t, first[0].Hash, 64)
	require.NoError(t, s.Close())

	s = dbtest.Open(t, dir) // opening again changes nothing
	again, err := s.Migrations(context.Background())
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.NoError(t, s.Close())

	refuse := func(change, undo, reason string) {
		d := dbtest.Raw(t, dir)
		_, err := d.Exec(change)
		require.NoError(t, err)
		_, err = db.Open(context.Background(),
			db.Options{Dir: dir, Database: dbtest.Database(dir), Now: time.Now, NewID: uuid.NewString,
				Keys: dbtest.MasterKey(t, 1)})
		require.ErrorContains(t, err, reason)
		_, err = d.Exec(undo)
		require.NoError(t, err)
	}
	refuse("UPDATE schema_migrations SET hash = 'x'",
		fmt.Sprintf("UPDATE schema_migrations SET hash = '%s'", first[0].Hash),
		"made before the first release")
	refuse("INSERT INTO schema_migrations VALUES (999, '0999_future.sql', 'x', 'y', 999)",
		"DELETE FROM schema_migrations WHERE version = 999", "newer version")
	require.NoError(t, dbtest.Open(t, dir).Close())
}

func TestTwoStoresOnOneFolder(t *testing.T) {
	h := dbtest.New(t)
	other := dbtest.Open(t, h.Dir) // like a command beside the running server
	defer func() { require.NoError(t, other.Close()) }()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	_, err := other.Session(context.Background(), h.Tenant.ID, s.ID)
	require.NoError(t, err)
}

func TestTenants(t *testing.T) {
	h := dbtest.New(t)
	got, err := h.Store.Tenant(context.Background(), h.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, h.Tenant, got)
	require.Equal(t, 24, got.FreshnessMonths)
	same, err := h.EnsureTenant(context.Background(), "main", "another name")
	require.NoError(t, err)
	require.Equal(t, h.Tenant, same)
	_, err = h.Store.Tenant(context.Background(), "nope")
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}
