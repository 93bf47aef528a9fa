package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
	"sanad/internal/thorough"
)

func TestBackupAndRestoreCommands(t *testing.T) {
	dbtest.SQLiteOnly(t, "a restore replaces the file of a data folder; TestBackupUnderLoad restores backups of PostgreSQL")
	d := newDesk(t)
	d.does("", "import", demoFile(t, "leave-policy.json"))
	backups := t.TempDir()
	first := filepath.Join(backups, "first")
	out := d.does("", "backup", first)
	require.Contains(t, out, "log\t")
	require.Contains(t, out, "MiB/s")
	d.fails("is not empty", "", "backup", first)
	require.Contains(t, d.does("", "restore", first, "--check"), "\tok\t")
	d.does("", "import", demoFile(t, "vendor-review.json"))

	before := d.stored()
	d.fails("it is no backup", "", "restore", backups, "--reason", "test")
	d.fails("no such file", "", "backup", filepath.Join(backups, "x"), "--bucket", "file:///nowhere/at/all")
	t.Run("another master key", func(t *testing.T) {
		t.Setenv(masterKeyVariable, strings.Repeat("ab", 32))
		d.fails("the master key is not the one", "", "restore", first, "--reason", "test")
		d.fails("the master key is not the one", "", "backup", filepath.Join(backups, "x"))
	})
	t.Run("a server has it open", func(t *testing.T) {
		serveWith(t, nil, "--data", d.dir)
		d.fails("stop the server", "", "restore", first, "--reason", "test")
		d.does("", "backup", filepath.Join(backups, "second"))
	})
	require.Len(t, d.stored(), len(before))
	require.NoDirExists(t, filepath.Join(backups, "x"))

	out = d.does("", "restore", first, "--reason", "disk lost")
	require.Contains(t, out, "new epoch\t")
	require.Contains(t, out, "ahead of the database")
	require.Contains(t, out, "replaced\t"+d.dir+".replaced-")
	requireLogsVerify(t, d.dir)
	require.Contains(t, d.does("", "audit", "export"), `"reason":"disk lost"`)

	for _, args := range [][]string{{"backup"}, {"backup", "a", "b"}, {"restore"}, {"restore", first},
		{"restore", first, "--data", d.dir}} {
		code, out, errs := call(t, "", args...)
		require.Equal(t, exitUsage, code, errs)
		require.Empty(t, out)
	}
}

// TestBackupUnderLoad backs up a server under load (50 times in full) and restores each backup: its log must equal the
// server's log at the time of the backup (rule DB-7).
func TestBackupUnderLoad(t *testing.T) {
	n := thorough.Times(3, 50)
	dir, backups := dbtest.Dir(t), t.TempDir()
	token := writerToken(t, dir)
	t.Run("back up", func(t *testing.T) {
		s := serveWith(t, nil, "--data", dir)
		stop := writing(t, s.url, token)
		for i := range n {
			desk{t, dir}.does("", "backup", filepath.Join(backups, fmt.Sprint(i)))
		}
		require.Positive(t, stop())
	})
	box, err := (&config{}).box()
	require.NoError(t, err)
	sizes := map[int64]bool{}
	for i := range n {
		from := filepath.Join(backups, fmt.Sprint(i))
		m, err := backup.VerifyBackup(context.Background(), from, box)
		require.NoError(t, err)
		to := filepath.Join(backups, "restored")
		desk{t, to}.does("", "restore", from, "--reason", "test")
		requireLogsVerify(t, to)
		for _, l := range m.Logs {
			sizes[l.Size] = true
			require.Equal(t, l.Root, rootAt(t, dir, l.Tenant, l.Size), "the server's log, then")
			require.Equal(t, l.Root, rootAt(t, to, l.Tenant, l.Size), "the restored log")
		}
		require.NoError(t, os.RemoveAll(to))
		require.NoError(t, os.RemoveAll(to+"-checkpoints"))
		require.NoError(t, os.RemoveAll(from))
	}
	require.Greater(t, len(sizes), 2, "the log grew between backups")
	t.Logf("%d backups under load restored, %d of %[1]d with the same log root", n, n)
}

// writing lets eight writers import sessions, a quarter with an original, until stop, which returns how many succeeded.
func writing(t *testing.T, url, token string) (stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	w := &writer{url, token, client}
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for i := range 8 {
		wait.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, status, err := w.post(fmt.Sprintf("load-%d-%d", i, n), 50)
				mu.Lock()
				if err == nil && status == http.StatusCreated {
					done++
				} else {
					t.Errorf("status %d, %v", status, err)
				}
				mu.Unlock()
			}
		})
	}
	return func() int {
		cancel()
		wait.Wait()
		client.CloseIdleConnections()
		return done
	}
}

// rootAt returns the root of a tenant's log at the given size, computed from the events' bytes.
func rootAt(t *testing.T, dir, tenant string, size int64) string {
	t.Helper()
	var tree audit.Tree
	desk{t, dir}.look(func(ctx context.Context, store *db.Store) {
		for tree.Size() < size {
			events, err := store.Events(ctx, tenant, tree.Size(), int(min(1000, size-tree.Size())))
			require.NoError(t, err)
			require.NotEmpty(t, events, "the log ends before %d", size)
			for _, e := range events {
				tree.Append(audit.LeafHash(e.Bytes))
			}
		}
	})
	return tree.Root().String()
}

// TestStartErrors checks that an unusable input is named with a remedy, without a panic and without changing anything.
func TestStartErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
		file   bool // only a database file can have it
	}{
		"garbage for a database": {func(t *testing.T, dir string) { overwrite(t, dir, "sanad.db", strings.Repeat("garbage ", 4096)) }, "not a database", true},
		"half a database": {func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, "sanad.db"), 3*4096+100))
		}, "malformed", true},
		"a folder for a database": {func(t *testing.T, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "sanad.db")))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "sanad.db"), 0o700))
		}, "sanad.db", true},
		"a file for the originals": {func(t *testing.T, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "originals")))
			overwrite(t, dir, "originals", "x")
		}, "originals", false},
		"half a key": {func(t *testing.T, dir string) {
			overwrite(t, dir, "key", "c2hvcnQ=")
			t.Setenv("SANAD_MASTER_KEY_FILE", filepath.Join(dir, "key"))
		}, "sanad key init", false},
		"a key that is not there": {func(t *testing.T, dir string) {
			t.Setenv("SANAD_MASTER_KEY_FILE", filepath.Join(dir, "none"))
		}, "sanad key init", false},
		"a folder for a key": {func(t *testing.T, dir string) { t.Setenv("SANAD_MASTER_KEY_FILE", dir) },
			"is a directory", false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.file {
				dbtest.SQLiteOnly(t, "a file can be overwritten")
			}
			d := newDesk(t)
			d.does("", "import", demoFile(t, "leave-policy.json"))
			c.change(t, d.dir)
			code, _, errs := call(t, "", "serve", "--addr", "127.0.0.1:0", "--data", d.dir)
			require.Equal(t, exitFailed, code)
			require.Contains(t, errs, c.want)
			d.fails(c.want, "", "backup", filepath.Join(t.TempDir(), "b"))
		})
	}
}

func overwrite(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// TestMissingFolderOfOriginals checks that the server is not ready, and that pages which need no original still work.
func TestMissingFolderOfOriginals(t *testing.T) {
	d := newDesk(t)
	token := writerToken(t, d.dir)
	s := serveWith(t, nil, "--data", d.dir)
	w := &writer{s.url, token, s.http}
	require.NoError(t, os.Rename(filepath.Join(d.dir, "originals"), filepath.Join(d.dir, "away")))
	for path, want := range map[string]int{"/readyz": http.StatusServiceUnavailable,
		"/api/v1/sessions": http.StatusOK} {
		status, data, _, err := w.send("GET", path, "")
		require.NoError(t, err)
		require.Equal(t, want, status, "%s: %s", path, data)
	}
	require.NoError(t, os.Rename(filepath.Join(d.dir, "away"), filepath.Join(d.dir, "originals")))
	status, data, _, err := w.send("GET", "/readyz", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status, string(data))
}
