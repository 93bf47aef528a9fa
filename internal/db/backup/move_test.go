package backup_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// TestMoveThereAndBack moves a store with a row in every recorded table from SQLite to PostgreSQL and back: every row
// of every table is the same, searches find the same, and all logs and digests verify on both.
func TestMoveThereAndBack(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	ctx := context.Background()
	o := func(dir, database string) db.Options { return moveOptions(t, dir, database) }
	f, before, want := storeToMove(t)
	dir := f.Dir
	there := dbtest.Database(filepath.Join(dir, "there"))
	_, err := backup.Move(ctx, o(dir, ""), o(dir, ""))
	require.ErrorContains(t, err, "from a data folder to PostgreSQL")
	missing := filepath.Join(dir, "missing")
	_, err = backup.Move(ctx, o(missing, ""), o(dir, there))
	require.ErrorContains(t, err, missing)
	require.NoDirExists(t, missing)
	m, err := backup.Move(ctx, o(dir, ""), o(dir, there))
	require.NoError(t, err)
	require.Equal(t, 2, m.Logs)
	_, err = backup.Move(ctx, o(dir, ""), o(dir, there))
	require.ErrorContains(t, err, "is not empty")
	require.ErrorContains(t, err, dbtest.DatabaseOf(t, there))

	f.Store, err = db.Open(ctx, o(dir, there))
	require.NoError(t, err)
	require.Empty(t, f.Frozen())
	require.Equal(t, want, foundBy(t, f, "السنة"))
	_, err = backup.Move(ctx, o(dir, there), o(dir, ""))
	require.ErrorContains(t, err, "is open")
	require.ErrorContains(t, err, ", pid ")
	require.NoError(t, f.Close())

	to := filepath.Join(t.TempDir(), "backup") // of PostgreSQL, with what the folder of SQLite has
	_, err = backup.Backup(ctx, to, "test", o(dir, there))
	require.NoError(t, err)
	_, err = backup.VerifyBackup(ctx, to, dbtest.MasterKey(t, 1))
	require.NoError(t, err)
	require.Equal(t, before, dbtest.RowsOfFile(t, to))

	_, err = backup.Restore(ctx, to, "test", o(dir, there))
	require.ErrorContains(t, err, "restored into a data folder")

	require.NoError(t, os.Rename(filepath.Join(dir, db.DatabaseFile), filepath.Join(dir, "old.db")))
	_, err = backup.Move(ctx, o(dir, there), o(dir, ""))
	require.NoError(t, err)
	require.Equal(t, before, dbtest.RowsOfFile(t, dir))
	f.Store, err = db.Open(ctx, o(dir, ""))
	require.NoError(t, err)
	require.Equal(t, want, foundBy(t, f, "السنة"))
	f.AddSession(t, dbtest.SizedSession(5)) // rows go on with numbers that are free
	require.NoError(t, f.Close())
}

// foundBy lists what a search finds.
func foundBy(t *testing.T, h *dbtest.Fixture, query string) (out []string) {
	t.Helper()
	found, _, err := h.Find(context.Background(), h.Actor, ledger.FindQuery{Text: query, Limit: 100})
	require.NoError(t, err)
	for _, x := range found {
		out = append(out, fmt.Sprint(x.Kind, x.SessionID, x.Claim, x.Excerpt))
	}
	return out
}
