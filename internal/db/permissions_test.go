package db_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

// openToOthers returns what of a folder others than its owner may read, write or enter.
func openToOthers(t *testing.T, dir string) (open []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		if info.Mode().Perm()&0o077 != 0 && path != dir {
			open = append(open, path)
		}
		return nil
	}))
	return open
}

// TestFilesAreTheirOwners: originals and inputs of jobs are for the owner alone, whatever the umask (rule
// SEC-9).
func TestFilesAreTheirOwners(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	_, _, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(dbtest.FullSession()),
		[]db.Original{{Document: 0, Data: []byte("x")}}, nil)
	require.NoError(t, err)
	_, err = h.PutJobInput(ctx, strings.NewReader("an upload"))
	require.NoError(t, err)
	require.Empty(t, openToOthers(t, h.Dir))
}
