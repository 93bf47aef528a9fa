package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/files"
)

func TestWriteAtomically(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	mode := func() os.FileMode {
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	require.NoError(t, files.WriteAtomically(path, []byte("first")))
	require.Equal(t, os.FileMode(0o600), mode(), "a new file is the owner's")

	require.NoError(t, os.Chmod(path, 0o640)) // what an operator may have set, for a group that reads it
	require.NoError(t, files.WriteAtomically(path, []byte("second")))
	require.Equal(t, os.FileMode(0o640), mode(), "the mode of the file that is replaced")

	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.Error(t, files.WriteAtomically(filepath.Join(dir, "folder"), []byte("third")))
	require.Error(t, files.WriteAtomically(filepath.Join(dir, "none", "file"), []byte("third")))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "second", string(data))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2, "a failed write leaves nothing behind")
}
