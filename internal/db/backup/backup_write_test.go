package backup_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
)

// options returns options to open the fixture's store elsewhere.
func options(t testing.TB, h *dbtest.Fixture) db.Options {
	t.Helper()
	return db.Options{Dir: h.Dir, Database: dbtest.Database(h.Dir), Now: func() time.Time { return dbtest.Now },
		NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)}
}

// backUp backs up the open store into a new folder.
func backUp(t testing.TB, h *dbtest.Fixture) (string, backup.Manifest) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Backup(context.Background(), to, "test", options(t, h))
	require.NoError(t, err)
	return to, m
}

func TestBackupOfAnOpenStore(t *testing.T) {
	h := dbtest.New(t)
	h.WithOriginal(t, "كما وصل")
	h.WithOriginal(t, "as it came")
	checkpoint := h.AddEvents(t, 5)
	to, m := backUp(t, h)

	require.Equal(t, backup.BackupFormat, m.Format)
	require.Equal(t, "test", m.Program)
	require.NotEmpty(t, m.Migrations)
	var logs []string
	for _, l := range m.Logs {
		logs = append(logs, l.Checkpoint)
	}
	require.Contains(t, logs, checkpoint)
	require.Len(t, dbtest.OriginalFiles(t, to), 2)
	require.Equal(t, int64(1+len(m.Logs)-empty(m)+2), m.Files.Count, "database, checkpoints, originals")
	again, err := backup.VerifyBackup(context.Background(), to, dbtest.MasterKey(t, 1))
	require.NoError(t, err)
	require.Equal(t, m, again)

	info, err := os.Stat(filepath.Join(to, "sanad.db"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "nobody else may read it")
	if tool, err := exec.LookPath("sha256sum"); err == nil {
		cmd := exec.Command(tool, "--strict", "-c", "SHA256SUMS")
		cmd.Dir = to
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	found, err := os.ReadDir(to)
	require.NoError(t, err)
	require.Len(t, found, 5, "no partial file is left")
}

// empty returns the number of logs without an event.
func empty(m backup.Manifest) (n int) {
	for _, l := range m.Logs {
		if l.Size == 0 {
			n++
		}
	}
	return n
}

func TestBackupRefuses(t *testing.T) {
	dbtest.SQLiteOnly(t, "it is about data folders")
	ctx := context.Background()
	h := dbtest.New(t)
	session := h.WithOriginal(t, "as it came")
	h.AddEvents(t, 2)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o600))
	_, err := backup.Backup(ctx, full, "test", options(t, h))
	require.ErrorContains(t, err, "is not empty")
	require.FileExists(t, filepath.Join(full, "mine"))

	to := t.TempDir() // empty, so allowed
	for name, o := range map[string]db.Options{
		"no master key":     {Dir: h.Dir, Now: time.Now},
		"the master key is": {Dir: h.Dir, Now: time.Now, Keys: dbtest.MasterKey(t, 2)},
		"is no data folder": {Dir: t.TempDir(), Now: time.Now, Keys: dbtest.MasterKey(t, 1)},
		"not a directory":   {Dir: filepath.Join(full, "mine"), Now: time.Now, Keys: dbtest.MasterKey(t, 1)},
		"is not signed by a": {Dir: h.Dir, Now: time.Now, Keys: dbtest.MasterKey(t, 1),
			Checkpoints: foreignCheckpoints(t, h)},
	} {
		_, err := backup.Backup(ctx, to, "test", o)
		require.ErrorContains(t, err, name)
		dbtest.RequireEmpty(t, to)
	}

	original := filepath.Join(h.Dir, "originals", h.Tenant.ID, session.Documents[0].ID)
	require.NoError(t, os.Rename(original, original+".away"))
	_, err = backup.Backup(ctx, to, "test", options(t, h))
	require.ErrorContains(t, err, session.Documents[0].ID)
	require.ErrorContains(t, err, "older backup")
	dbtest.RequireEmpty(t, to)
	require.NoError(t, os.Rename(original+".away", original))
	_, err = backup.Backup(ctx, to, "test", options(t, h))
	require.NoError(t, err)
}

// foreignCheckpoints returns a folder with a checkpoint of another log for the fixture's tenant.
func foreignCheckpoints(t testing.TB, h *dbtest.Fixture) string {
	t.Helper()
	other := dbtest.New(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, h.Tenant.ID+".checkpoint"), []byte(other.AddEvents(t, 1)),
		0o600))
	return dir
}

// TestRolledBackStoreIsNotBackedUp checks that a store that is read-only because it is older than its checkpoint can't
// be backed up.
func TestRolledBackStoreIsNotBackedUp(t *testing.T) {
	h := dbtest.New(t)
	h.AddEvents(t, 2)
	old := filepath.Join(t.TempDir(), "old")
	h.Reopen(t, func() { dbtest.CopyFolder(t, h.Dir, old) })
	h.AddEvents(t, 2)
	h.Reopen(t, func() { dbtest.CopyFolder(t, old, h.Dir) })
	_, err := backup.Backup(context.Background(), t.TempDir(), "test", options(t, h))
	require.ErrorContains(t, err, "is ahead of the database")
	require.ErrorContains(t, err, "sanad audit verify")
}

// TestChangedBackupIsDetected checks that any change to a backup is detected and named.
func TestChangedBackupIsDetected(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is the same file on both engines")
	h := dbtest.New(t)
	h.WithOriginal(t, "as it came")
	h.AddEvents(t, 3)
	good, _ := backUp(t, h)
	original, err := filepath.Rel(good, dbtest.OriginalFiles(t, good)[0])
	require.NoError(t, err)
	flip := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			data[len(data)/2] ^= 1
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
	remove := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, name))) }
	}
	edit := func(name, old, now string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(data), old)
			require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), old, now, 1)), 0o600))
		}
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"a bit of the database": {flip("sanad.db"), "sanad.db was changed"},
		"a bit of an original":  {flip(original), original},
		"an original is gone":   {remove(original), original},
		"the database is gone":  {remove("sanad.db"), "sanad.db"},
		"a bit of the list":     {flip("SHA256SUMS"), ""},
		"the list is gone":      {remove("SHA256SUMS"), "SHA256SUMS"},
		"no manifest":           {remove("manifest.json"), "not finished"},
		"the manifest's root":   {edit("manifest.json", `"epoch":1`, `"epoch":2`), "is not that of this database"},
		"a duplicate field": {edit("manifest.json", `"program":"test"`, `"program":"test","program":"x"`),
			"was changed"},
		"a field nobody knows": {edit("manifest.json", `"program":"test"`, `"program":"test","x":1`), ""},
		"another format":       {edit("manifest.json", "sanad.backup/v1", "sanad.backup/v9"), "this program reads"},
		"a name outside":       {edit("SHA256SUMS", "originals/", "../"), "names no file of the backup"},
		"a line too few":       {edit("SHA256SUMS", "  sanad.db", "  manifest.json"), "manifest.json was changed"},
		"made before the baseline": {edit("manifest.json", `"sha256":"`, `"sha256":"0`),
			"made before the first release"},
		"the manifest's migration": {edit("manifest.json", `"version":1`, `"version":7`),
			"is not that of this database"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "b")
			dbtest.CopyFolder(t, good, dir)
			_, err := backup.VerifyBackup(context.Background(), dir, dbtest.MasterKey(t, 1))
			require.NoError(t, err)
			c.change(t, dir)
			_, err = backup.VerifyBackup(context.Background(), dir, dbtest.MasterKey(t, 1))
			require.ErrorContains(t, err, c.want)

			target := filepath.Join(t.TempDir(), "data")
			_, err = backup.Restore(context.Background(), dir, "test",
				db.Options{Dir: target, Database: dbtest.Database(target), Now: time.Now, NewID: uuid.NewString,
					Keys: dbtest.MasterKey(t, 1)})
			require.ErrorContains(t, err, c.want)
			dbtest.RequireEmpty(t, filepath.Dir(target))
		})
	}
	_, err = backup.VerifyBackup(context.Background(), good, dbtest.MasterKey(t, 2))
	require.ErrorIs(t, err, db.ErrWrongMasterKey)
}

// TestBackupDuringUploads checks that every original named by the copied database is in the backup.
func TestBackupDuringUploads(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is the same file on both engines")
	h := dbtest.New(t)
	ctx, stop := context.WithCancel(context.Background())
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for ctx.Err() == nil {
				_, _, err := h.InsertSession(context.Background(), h.Actor, dbtest.Assess(dbtest.FullSession()),
					[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte(uuid.NewString())}}, nil)
				assert.NoError(t, err)
			}
		})
	}
	defer writers.Wait()
	defer stop()
	last := -1
	for range 5 {
		require.Eventually(t, func() bool { return len(dbtest.OriginalFiles(t, h.Dir)) > last }, time.Minute, time.Millisecond)
		to, _ := backUp(t, h)
		n := dbtest.Count(t, dbtest.Raw(t, to), "documents WHERE blob <> ''")
		require.Len(t, dbtest.OriginalFiles(t, to), n)
		require.GreaterOrEqual(t, n, last)
		last = n
	}
}

// TestBackupOfAnotherSchema checks that a backup refuses a schema it does not know, and does not migrate.
func TestBackupOfAnotherSchema(t *testing.T) {
	dbtest.SQLiteOnly(t, "it changes the file of a data folder")
	for want, change := range map[string]string{
		"use the version that wrote it": "INSERT INTO schema_migrations VALUES (99, 'x', 'y', 'z', 99)",
		"made before the first release": "UPDATE schema_migrations SET hash = 'x'",
		"it holds no store":             "DELETE FROM schema_migrations",
	} {
		h := dbtest.New(t)
		dbtest.Exec(t, dbtest.Raw(t, h.Dir), change)
		to := t.TempDir()
		_, err := backup.Backup(context.Background(), to, "test", options(t, h))
		require.ErrorContains(t, err, want)
		dbtest.RequireEmpty(t, to)
	}
}
