package db_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
)

// TestStoreFromBeforeTheBaseline checks that a store whose first step is not the baseline is refused by all that open
// one, as made before the first release and never as newer, and that nothing in it is changed.
func TestStoreFromBeforeTheBaseline(t *testing.T) {
	ctx := context.Background()
	dir := dbtest.Dir(t)
	d := dbtest.Raw(t, dir)
	dbtest.Exec(t, d, "UPDATE schema_migrations SET version = 33, name = '0033_traces.sql', hash = 'x', serves = 32")
	dbtest.Exec(t, d, "DROP TABLE serving")
	o := db.Options{Dir: dir, Database: dbtest.Database(dir), Now: time.Now, NewID: uuid.NewString,
		Keys: dbtest.MasterKey(t, 1)}
	path := filepath.Join(dir, db.DatabaseFile)
	stored := func() []any {
		applied := dbtest.TextsOf(t, d, "SELECT CAST(version AS TEXT) || name || hash FROM schema_migrations")
		if dbtest.OnPostgres() {
			return []any{applied, dbtest.TextsOf(t, d,
				"SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1")}
		}
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		return []any{applied, file}
	}
	if !dbtest.OnPostgres() {
		dbtest.Exec(t, d, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	before := stored()
	const why = "made before the first release"
	_, err := db.Open(ctx, o)
	require.ErrorContains(t, err, why)
	require.NotContains(t, err.Error(), "newer")
	e, err := backup.Examine(ctx, o)
	require.NoError(t, err)
	require.ErrorContains(t, e.Refused, why)
	to := t.TempDir()
	_, err = backup.Backup(ctx, to, "test", o)
	require.ErrorContains(t, err, why)
	dbtest.RequireEmpty(t, to)
	_, err = backup.RotateMasterKey(ctx, o, dbtest.MasterKey(t, 2), true)
	require.ErrorContains(t, err, why)
	require.Equal(t, before, stored())
}
