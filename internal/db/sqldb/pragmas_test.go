package sqldb

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPragmasAreReadBack(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "a.db")
	open := func(a connection) *sql.DB {
		d, err := connect(path, a)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		return d
	}
	w := open(writing)
	require.NoError(t, checkPragmas(ctx, w, writing))
	require.ErrorContains(t, checkPragmas(ctx, w, reading), "query_only is 0")
	r := open(reading)
	require.NoError(t, checkPragmas(ctx, r, reading))
	require.ErrorContains(t, func() error { _, err := r.Exec("CREATE TABLE x (y)"); return err }(), "read")

	plain, err := sql.Open("sqlite", "file:"+path) // like a driver that ignores the DSN
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, plain.Close()) })
	require.Error(t, checkPragmas(ctx, plain, reading))
}

// TestDeletedTextIsOverwritten checks that deleted rows leave no word in the database file and the write-ahead log.
func TestDeletedTextIsOverwritten(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "a.db")
	w, err := connect(path, writing)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	word := "confidential-word"
	holds := func() bool {
		_, err := w.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		require.NoError(t, err)
		var all []byte
		for _, name := range []string{path, path + "-wal"} {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			all = append(all, data...)
		}
		return bytes.Contains(all, []byte(word))
	}
	long := strings.Repeat(word, 2000) // over several pages
	for _, step := range []string{"CREATE TABLE x (y)",
		"INSERT INTO x VALUES ('kept'), ('" + word + "'), ('" + long + "')"} {
		_, err := w.ExecContext(ctx, step)
		require.NoError(t, err)
	}
	require.True(t, holds())
	_, err = w.ExecContext(ctx, "DELETE FROM x WHERE y <> 'kept'")
	require.NoError(t, err)
	require.False(t, holds())
}
