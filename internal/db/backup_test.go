package db_test

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
	"sanad/internal/domain/ledger"
)

// options returns options to open the fixture's store elsewhere.
func (h *fixture) options(t testing.TB) db.Options {
	t.Helper()
	return db.Options{Dir: h.dir, Database: dbtest.Database(h.dir), Now: func() time.Time { return now }, NewID: uuid.NewString, Keys: masterKey(t, 1)}
}

// backup backs up the open store into a new folder.
func (h *fixture) backup(t testing.TB) (string, backup.Manifest) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "backup")
	m, err := backup.Backup(context.Background(), to, "test", h.options(t))
	require.NoError(t, err)
	return to, m
}

// withOriginal stores a session whose first document has an original.
func (h *fixture) withOriginal(t testing.TB, text string) *ledger.Session {
	t.Helper()
	s := fullSession()
	_, created, err := h.InsertSession(context.Background(), h.actor, assess(s),
		[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte(text)}}, nil)
	require.NoError(t, err)
	require.True(t, created)
	return s
}

// originalFiles lists the originals below a folder.
func originalFiles(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "originals", "*", "*"))
	require.NoError(t, err)
	return files
}

func TestBackupOfAnOpenStore(t *testing.T) {
	h := newFixture(t)
	h.withOriginal(t, "كما وصل")
	h.withOriginal(t, "as it came")
	checkpoint := h.log(t, 5)
	to, m := h.backup(t)

	require.Equal(t, backup.BackupFormat, m.Format)
	require.Equal(t, "test", m.Program)
	require.NotEmpty(t, m.Migrations)
	var logs []string
	for _, l := range m.Logs {
		logs = append(logs, l.Checkpoint)
	}
	require.Contains(t, logs, checkpoint)
	require.Len(t, originalFiles(t, to), 2)
	require.Equal(t, int64(1+len(m.Logs)-empty(m)+2), m.Files.Count, "database, checkpoints, originals")
	again, err := backup.VerifyBackup(context.Background(), to, masterKey(t, 1))
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
	h := newFixture(t)
	session := h.withOriginal(t, "as it came")
	h.log(t, 2)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o600))
	_, err := backup.Backup(ctx, full, "test", h.options(t))
	require.ErrorContains(t, err, "is not empty")
	require.FileExists(t, filepath.Join(full, "mine"))

	to := t.TempDir() // empty, so allowed
	for name, o := range map[string]db.Options{
		"no master key":      {Dir: h.dir, Now: time.Now},
		"the master key is":  {Dir: h.dir, Now: time.Now, Keys: masterKey(t, 2)},
		"is no data folder":  {Dir: t.TempDir(), Now: time.Now, Keys: masterKey(t, 1)},
		"not a directory":    {Dir: filepath.Join(full, "mine"), Now: time.Now, Keys: masterKey(t, 1)},
		"is not signed by a": {Dir: h.dir, Now: time.Now, Keys: masterKey(t, 1), Checkpoints: foreignCheckpoints(t, h)},
	} {
		_, err := backup.Backup(ctx, to, "test", o)
		require.ErrorContains(t, err, name)
		requireEmpty(t, to)
	}

	original := filepath.Join(h.dir, "originals", h.tenant.ID, session.Documents[0].ID)
	require.NoError(t, os.Rename(original, original+".away"))
	_, err = backup.Backup(ctx, to, "test", h.options(t))
	require.ErrorContains(t, err, session.Documents[0].ID)
	require.ErrorContains(t, err, "older backup")
	requireEmpty(t, to)
	require.NoError(t, os.Rename(original+".away", original))
	_, err = backup.Backup(ctx, to, "test", h.options(t))
	require.NoError(t, err)
}

// foreignCheckpoints returns a folder with a checkpoint of another log for the fixture's tenant.
func foreignCheckpoints(t testing.TB, h *fixture) string {
	t.Helper()
	other := newFixture(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, h.tenant.ID+".checkpoint"), []byte(other.log(t, 1)), 0o600))
	return dir
}

func requireEmpty(t testing.TB, dir string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestRolledBackStoreIsNotBackedUp checks that a store that is read-only because it is older than its checkpoint can't
// be backed up.
func TestRolledBackStoreIsNotBackedUp(t *testing.T) {
	h := newFixture(t)
	h.log(t, 2)
	old := filepath.Join(t.TempDir(), "old")
	h.reopen(t, func() { copyFolder(t, h.dir, old) })
	h.log(t, 2)
	h.reopen(t, func() { copyFolder(t, old, h.dir) })
	_, err := backup.Backup(context.Background(), t.TempDir(), "test", h.options(t))
	require.ErrorContains(t, err, "is ahead of the database")
	require.ErrorContains(t, err, "sanad audit verify")
}

// TestChangedBackupIsDetected checks that any change to a backup is detected and named.
func TestChangedBackupIsDetected(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is the same file on both engines")
	h := newFixture(t)
	h.withOriginal(t, "as it came")
	h.log(t, 3)
	good, _ := h.backup(t)
	original, err := filepath.Rel(good, originalFiles(t, good)[0])
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
		"a field nobody knows":     {edit("manifest.json", `"program":"test"`, `"program":"test","x":1`), ""},
		"another format":           {edit("manifest.json", "sanad.backup/v1", "sanad.backup/v9"), "this program reads"},
		"a name outside":           {edit("SHA256SUMS", "originals/", "../"), "names no file of the backup"},
		"a line too few":           {edit("SHA256SUMS", "  sanad.db", "  manifest.json"), "manifest.json was changed"},
		"made before the baseline": {edit("manifest.json", `"sha256":"`, `"sha256":"0`), "made before the first release"},
		"the manifest's migration": {edit("manifest.json", `"version":1`, `"version":7`),
			"is not that of this database"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "b")
			copyFolder(t, good, dir)
			_, err := backup.VerifyBackup(context.Background(), dir, masterKey(t, 1))
			require.NoError(t, err)
			c.change(t, dir)
			_, err = backup.VerifyBackup(context.Background(), dir, masterKey(t, 1))
			require.ErrorContains(t, err, c.want)

			target := filepath.Join(t.TempDir(), "data")
			_, err = backup.Restore(context.Background(), dir, "test",
				db.Options{Dir: target, Database: dbtest.Database(target), Now: time.Now, NewID: uuid.NewString, Keys: masterKey(t, 1)})
			require.ErrorContains(t, err, c.want)
			requireEmpty(t, filepath.Dir(target))
		})
	}
	_, err = backup.VerifyBackup(context.Background(), good, masterKey(t, 2))
	require.ErrorIs(t, err, db.ErrWrongMasterKey)
}

// TestBackupDuringUploads checks that every original named by the copied database is in the backup.
func TestBackupDuringUploads(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is the same file on both engines")
	h := newFixture(t)
	ctx, stop := context.WithCancel(context.Background())
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for ctx.Err() == nil {
				_, _, err := h.InsertSession(context.Background(), h.actor, assess(fullSession()),
					[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte(uuid.NewString())}}, nil)
				assert.NoError(t, err)
			}
		})
	}
	defer writers.Wait()
	defer stop()
	last := -1
	for range 5 {
		require.Eventually(t, func() bool { return len(originalFiles(t, h.dir)) > last }, time.Minute, time.Millisecond)
		to, _ := h.backup(t)
		n := count(t, dbtest.Raw(t, to), "documents WHERE blob <> ''")
		require.Len(t, originalFiles(t, to), n)
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
		h := newFixture(t)
		must(t, dbtest.Raw(t, h.dir), change)
		to := t.TempDir()
		_, err := backup.Backup(context.Background(), to, "test", h.options(t))
		require.ErrorContains(t, err, want)
		requireEmpty(t, to)
	}
}
