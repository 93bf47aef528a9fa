package capsules

import (
	"compress/gzip"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

// TestDatabasesMoveToPostgresAndBack migrates a database of each level, and moves it to PostgreSQL and back: every row of
// every table is the same, and a backup of PostgreSQL has the same rows. There and after the way back the log verifies,
// and its old events are the same bytes. The oldest level, the newest and the one with all kinds of capsules are also
// served there, where each file of a pack and each bundle has the same bytes, and the work goes on.
func TestDatabasesMoveToPostgresAndBack(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("needs a PostgreSQL server: make postgres")
	}
	all := levels(t)
	for i, l := range all {
		t.Run(filepath.Base(l.dir), func(t *testing.T) {
			t.Parallel()
			p := l.open(t)
			p.does("", "migrate")
			rows := dbtest.RowsOfFile(t, p.data)
			there := p
			there.database = dbtest.Database(p.data)
			move(t, p, p.data, there.database)
			requireBack(t, there, rows)
			backup := filepath.Join(t.TempDir(), "backup")
			there.does("", "backup", backup)
			require.Equal(t, rows, dbtest.RowsOfFile(t, backup))
			l.checkLog(t, there)
			if len(l.about.Exports) == 0 && i > 0 && i < len(all)-1 {
				return
			}
			l.checkServed(t, there)
			l.checkLog(t, there)
			l.checkLog(t, back(t, there)) // with what was done there
		})
	}
}

// TestDatabasesOnPostgresAreMigrated migrates databases of earlier levels that were on PostgreSQL then: they have the
// rows that the database of SQLite has after its migration, the log verifies, and searches, pages and work go on.
func TestDatabasesOnPostgresAreMigrated(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("needs a PostgreSQL server: make postgres")
	}
	seen := 0
	for _, l := range levels(t) {
		f, err := os.Open(filepath.Join(l.dir, "postgres.sql.gz"))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		seen++
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, errors.Join(err, f.Close()))
		p := l.open(t)
		there := p
		there.database = dbtest.Database(p.data)
		d, err := sql.Open("pgx", there.database)
		require.NoError(t, err)
		_, err = d.ExecContext(t.Context(), string(text))
		require.NoError(t, errors.Join(err, d.Close()))

		p.does("", "migrate")
		there.does("", "migrate")
		requireBack(t, there, dbtest.RowsOfFile(t, p.data))
		l.checkLog(t, there)
		l.checkServed(t, there)
		l.checkLog(t, there)
	}
	require.NotZero(t, seen)
}

// requireBack moves a store from PostgreSQL into a data folder, which must have these rows.
func requireBack(t *testing.T, there place, rows []string) {
	t.Helper()
	require.Equal(t, rows, dbtest.RowsOfFile(t, back(t, there).data))
}

// back moves a store from PostgreSQL into a new data folder, which gets the files of the old one.
func back(t *testing.T, there place) place {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Dir(there.data)))) // the checkpoints lie beside the data folder
	p := place{t: t, data: filepath.Join(dir, "data"), key: there.key}
	require.NoError(t, os.Remove(filepath.Join(p.data, db.DatabaseFile)))
	move(t, p, there.database, p.data)
	return p
}

// move moves a store with the key of a place.
func move(t *testing.T, p place, from, to string) {
	t.Helper()
	code, out, errs := call(t, "", "move", "--from", from, "--to", to, "--master-key-file", p.key)
	require.Zero(t, code, out+errs)
	require.Contains(t, out, "verify there")
}
