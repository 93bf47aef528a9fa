package db

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
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

func TestOriginalsFolder(t *testing.T) {
	for url, want := range map[string]string{
		"": "dir" + string(os.PathSeparator) + "originals", "file:///a/b": "/a/b", "file:///a/b?create_dir=1": "/a/b",
		"file://./a/b":        "a/b",
		"file:///a?prefix=x/": "", "mem://": "", "s3://bucket": "", "file:///a%20b": "/a b",
	} {
		require.Equal(t, filepath.FromSlash(want), originalsFolder(Options{Dir: "dir", Bucket: url}), url)
	}
}
