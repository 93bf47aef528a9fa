package backup_test

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

// TestBackupIncludesTheLake checks that a backup includes the lake's folder, that a restore brings it back, and that
// a changed artifact in a backup is detected.
func TestBackupIncludesTheLake(t *testing.T) {
	ctx, h := context.Background(), dbtest.New(t)
	put := func(path, data string) {
		path = filepath.Join(h.Dir, backup.LakeFolder, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(data), 0o600))
	}
	artifact := h.Tenant.ID + "/docs/سند.txt"
	put(artifact, "kept")
	put(".unfinished/x", "half")
	require.NoError(t, os.Symlink("/etc/hostname", filepath.Join(h.Dir, backup.LakeFolder, "link")))
	o := db.Options{Dir: h.Dir, Database: dbtest.Database(h.Dir), Now: func() time.Time { return dbtest.Now },
		NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)}
	to := filepath.Join(t.TempDir(), "b")
	_, err := backup.Backup(ctx, to, "test", o)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(to, "lake", ".unfinished", "x"))
	require.NoFileExists(t, filepath.Join(to, "lake", "link"))

	o.Dir, o.Database = filepath.Join(t.TempDir(), "new"), ""
	_, err = backup.Restore(ctx, to, "test", o)
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(o.Dir, "lake", filepath.FromSlash(artifact)))
	require.NoError(t, err)
	require.Equal(t, "kept", string(data))

	require.NoError(t, os.WriteFile(filepath.Join(to, "lake", filepath.FromSlash(artifact)), []byte("else"), 0o600))
	_, err = backup.VerifyBackup(ctx, to, dbtest.MasterKey(t, 1))
	require.ErrorContains(t, err, "was changed")
}
