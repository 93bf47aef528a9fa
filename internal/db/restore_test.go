package db_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// restore restores a backup over the fixture's store and opens it.
func (h *fixture) restore(t testing.TB, from string) backup.Restored {
	t.Helper()
	var r backup.Restored
	h.reopen(t, func() {
		var err error
		r, err = backup.Restore(context.Background(), from, "disk lost", h.options(t))
		require.NoError(t, err)
	})
	return r
}

// actions returns the newest actions of a tenant's log.
func (h *fixture) actions(t testing.TB, tenant string) (out []string) {
	t.Helper()
	events, _, err := h.Log(context.Background(), tenant, audit.Query{Limit: 100})
	require.NoError(t, err)
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}

// readActions returns the newest actions of a tenant's log in a folder.
func readActions(t testing.TB, dir, tenant string) []string {
	t.Helper()
	s := openIn(t, dir)
	defer s.Close() //nolint:errcheck // only read
	return (&fixture{Store: s}).actions(t, tenant)
}

// requireWell checks that the store can be written, and that every log verifies.
func (h *fixture) requireWell(t testing.TB) {
	t.Helper()
	require.Empty(t, h.Frozen())
	require.NoError(t, h.Ready(context.Background()))
	for _, tenant := range []string{h.tenant.ID, db.SystemTenant} {
		report, err := h.VerifyLog(context.Background(), tenant)
		require.NoError(t, err)
		require.True(t, report.OK(), report.Faults)
		require.Contains(t, []string{"agrees"}, report.CheckpointFile)
	}
}

func TestRestoreOfAnOlderBackup(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	ctx := context.Background()
	h := newFixture(t)
	session := h.withOriginal(t, "as it came")
	h.log(t, 3)
	from, m := h.backup(t)
	_, err := h.review(session.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "lost"})
	require.NoError(t, err)
	seen := h.log(t, 2)
	later := h.withOriginal(t, "later")
	newest, err := h.Checkpoint(ctx, h.tenant.ID)
	require.NoError(t, err)

	r := h.restore(t, from)
	require.Len(t, r.Epochs, 1, "the system's log has lost nothing")
	require.Equal(t, h.tenant.ID, r.Epochs[0].Tenant)
	require.Contains(t, r.Epochs[0].Why, "is ahead of the database")
	h.requireWell(t)
	require.Equal(t, "log.epoch_started", h.actions(t, h.tenant.ID)[0])
	require.Equal(t, []string{"store.restored"}, h.actions(t, db.SystemTenant))
	events, _, err := h.Log(ctx, h.tenant.ID, audit.Query{Action: "log.epoch_started", Limit: 1})
	require.NoError(t, err)
	require.Contains(t, string(events[0].Bytes), `"reason":"disk lost"`)
	require.Contains(t, string(events[0].Bytes), `"size":8`, "the event records the newest checkpoint that was seen")

	_, err = h.Session(ctx, h.tenant.ID, session.ID)
	require.NoError(t, err)
	_, err = h.Session(ctx, h.tenant.ID, later.ID)
	require.Error(t, err)
	o, _, err := h.Original(ctx, h.tenant.ID, session.Documents[0].ID)
	require.NoError(t, err)
	require.NoError(t, o.Close())
	require.Len(t, originalFiles(t, h.dir), 1)
	require.Len(t, originalFiles(t, r.Replaced), 2, "the previous folder is kept")
	require.Equal(t, m, r.Manifest)
	left, err := filepath.Glob(h.dir + ".restoring-*")
	require.NoError(t, err)
	require.Empty(t, left)

	// killed between the swap and the writing of the checkpoints: the external ones are the abandoned ones
	h.reopen(t, func() { require.NoError(t, os.WriteFile(h.checkpointFile(), []byte(seen), 0o600)) })
	require.Contains(t, h.Frozen(), "is of another tree", "an older checkpoint that no event names")
	h.reopen(t, func() { require.NoError(t, os.WriteFile(h.checkpointFile(), []byte(newest), 0o600)) })
	h.requireWell(t)

	// the same again: the newest checkpoint is now of epoch 2
	r = h.restore(t, from)
	require.Len(t, r.Epochs, 2, "the system's log has lost the earlier restore too")
	h.requireWell(t)
	text, err := h.Checkpoint(ctx, h.tenant.ID)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(text, "sanad/"+h.tenant.ID+"/3\n"), text)

	// and a backup of the result is valid
	h.backup(t)
}

// TestRestoreWhereNothingWasLost checks that the log continues in its epoch, and that only the system's log
// records the restore.
func TestRestoreWhereNothingWasLost(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := newFixture(t)
	h.withOriginal(t, "as it came")
	before := h.log(t, 3)
	from, _ := h.backup(t)
	r := h.restore(t, from)
	require.Empty(t, r.Epochs)
	h.requireWell(t)
	text, err := h.Checkpoint(context.Background(), h.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, before, text)
	require.Equal(t, []string{"store.restored"}, h.actions(t, db.SystemTenant))
}

// TestRestoreElsewhere checks that the backup's own checkpoint is abandoned if no other is known.
func TestRestoreElsewhere(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := newFixture(t)
	h.withOriginal(t, "as it came")
	h.log(t, 3)
	from, m := h.backup(t)
	o := h.options(t)
	for name, change := range map[string]func(dir string){
		"a folder that is not there":           func(string) {},
		"an empty folder":                      func(dir string) { require.NoError(t, os.MkdirAll(dir, 0o700)) },
		"a folder in a folder":                 func(dir string) { require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o700)) },
		"a database that can no more be read ": func(dir string) { writeIn(t, dir, "sanad.db", strings.Repeat("garbage ", 1000)) },
		"an empty database":                    func(dir string) { writeIn(t, dir, "sanad.db", "") },
	} {
		t.Run(name, func(t *testing.T) {
			o := o
			o.Dir = filepath.Join(t.TempDir(), "x", "data")
			change(o.Dir)
			r, err := backup.Restore(context.Background(), from, "moved", o)
			require.NoError(t, err)
			require.Len(t, r.Epochs, 2, "including the system's log, which is empty in the backup")
			for _, e := range r.Epochs {
				require.Contains(t, e.Why, "no checkpoint of it is kept outside")
			}
			require.Equal(t, []string{"store.restored", "log.epoch_started"}, readActions(t, o.Dir, db.SystemTenant))
			other := &fixture{Store: openIn(t, o.Dir), dir: o.Dir, tenant: h.tenant, actor: h.actor}
			defer other.Close() //nolint:errcheck // only read
			other.requireWell(t)
			events, _, err := other.Log(context.Background(), h.tenant.ID,
				audit.Query{Action: "log.epoch_started", Limit: 1})
			require.NoError(t, err)
			require.Contains(t, string(events[0].Bytes), `"size":4`)
			require.Equal(t, m.Files, r.Manifest.Files)
			require.NotContains(t, other.actions(t, h.tenant.ID), "log.checkpoint_missing")
			require.Len(t, originalFiles(t, o.Dir), 1)
		})
	}
}

func writeIn(t testing.TB, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func TestRestoreRefuses(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	ctx := context.Background()
	h := newFixture(t)
	h.log(t, 3)
	from, _ := h.backup(t)
	o := h.options(t)
	_, err := backup.Restore(ctx, from, "test", o)
	require.ErrorContains(t, err, "stop the server", "it is open")
	h.log(t, 1)

	for _, reason := range []string{"", " \n", strings.Repeat("a", 501), "\xff"} {
		_, err = backup.Restore(ctx, from, reason, o)
		require.ErrorContains(t, err, "reason")
	}
	require.NoError(t, h.Close())
	empty := t.TempDir()
	before := listed(t, filepath.Dir(h.dir))
	wrong := o
	wrong.Keys = masterKey(t, 2)
	_, err = backup.Restore(ctx, from, "test", wrong)
	require.ErrorIs(t, err, db.ErrWrongMasterKey)
	wrong.Keys = nil
	_, err = backup.Restore(ctx, from, "test", wrong)
	require.ErrorContains(t, err, "no master key")
	_, err = backup.Restore(ctx, empty, "test", o)
	require.ErrorContains(t, err, "it is no backup")
	require.Equal(t, before, listed(t, filepath.Dir(h.dir)), "nothing was touched")
	h.Store = openIn(t, h.dir)
	h.requireWellTenant(t)

	slip := o
	slip.Dir = t.TempDir()
	writeIn(t, slip.Dir, "letter.txt", "Dear")
	_, err = backup.Restore(ctx, from, "test", slip)
	require.ErrorContains(t, err, "is not empty and has no sanad.db")
	require.FileExists(t, filepath.Join(slip.Dir, "letter.txt"))
}

func (h *fixture) requireWellTenant(t testing.TB) {
	t.Helper()
	require.Empty(t, h.Frozen())
	report := h.verify(t)
	require.True(t, report.OK(), report.Faults)
}

func listed(t testing.TB, dir string) (out []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		out = append(out, path)
		return err
	}))
	return out
}

// TestRestoreKeepsOtherFiles checks that a master key in the folder, as in a demo, is kept.
func TestRestoreKeepsOtherFiles(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := newFixture(t)
	h.log(t, 1)
	from, _ := h.backup(t)
	writeIn(t, h.dir, "master.key", "secret")
	h.restore(t, from)
	data, err := os.ReadFile(filepath.Join(h.dir, "master.key"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(data))
}

// TestRestoreIntoABucket checks that originals outside the folder are restored too, replacing damaged ones.
func TestRestoreIntoABucket(t *testing.T) {
	ctx := context.Background()
	bucket := t.TempDir()
	o := db.Options{Dir: filepath.Join(t.TempDir(), "data"), Bucket: "file://" + bucket,
		Now: func() time.Time { return now }, NewID: uuid.NewString, Keys: masterKey(t, 1)}
	s, err := db.Open(ctx, o)
	require.NoError(t, err)
	h := &fixture{Store: s, dir: o.Dir}
	h.tenant, h.actor = h.newTenant(t, "main")
	session := h.withOriginal(t, "as it came")
	from := filepath.Join(t.TempDir(), "backup")
	_, err = backup.Backup(ctx, from, "test", o)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	path := filepath.Join(bucket, h.tenant.ID, session.Documents[0].ID)
	require.NoError(t, os.WriteFile(path, []byte("damaged"), 0o600))
	_, err = backup.Restore(ctx, from, "test", o)
	require.NoError(t, err)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "as it came", string(data))
	require.NoDirExists(t, filepath.Join(o.Dir, "originals"))
}

// TestRestoreEndsLogins checks that logins in the backup end, and that the checkpoint of a tenant that the backup lacks
// is put aside.
func TestRestoreEndsLogins(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	ctx := context.Background()
	h := newFixture(t)
	u, err := h.AddUser(ctx, h.actor, db.User{Login: "noura", Name: "Noura", Password: "$argon2id$"}, access.Admin)
	require.NoError(t, err)
	require.NoError(t, h.CreateLogin(ctx, h.actor,
		access.Login{TokenHash: db.HashToken("secret"), UserID: u.ID, TenantID: h.tenant.ID, FreshAt: now}))
	from, _ := h.backup(t)
	tenant, actor := h.newTenant(t, "late")
	require.NoError(t, h.LogEvent(ctx, actor, db.Event{Action: "x"}))
	r := h.restore(t, from)
	require.Equal(t, tenant.ID, r.Epochs[len(r.Epochs)-1].Tenant)
	h.requireWell(t)
	require.Zero(t, count(t, dbtest.Raw(t, h.dir), "logins"))
	require.FileExists(t, filepath.Join(h.dir+"-checkpoints", tenant.ID+".checkpoint.abandoned"))
	require.NoFileExists(t, filepath.Join(h.dir+"-checkpoints", tenant.ID+".checkpoint"))
}

// TestStoreCannotBeOpenedWhileReplaced checks that nobody can open a store while it is being replaced.
func TestStoreCannotBeOpenedWhileReplaced(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := newFixture(t)
	h.log(t, 1)
	require.NoError(t, h.Close())
	release, err := lockStore(context.Background(), h.dir)
	require.NoError(t, err)
	d, err := sql.Open("sqlite", "file:"+filepath.Join(h.dir, "sanad.db")+"?_pragma=busy_timeout(1)")
	require.NoError(t, err)
	require.ErrorContains(t, d.QueryRow("SELECT count(*) FROM events").Scan(new(int)), "locked")
	release()
	require.NoError(t, d.QueryRow("SELECT count(*) FROM events").Scan(new(int)))
	require.NoError(t, d.Close())
	h.Store = openIn(t, h.dir)
	h.requireWellTenant(t)
}

// lockStore locks the store in a folder against all other processes.
func lockStore(ctx context.Context, dir string) (release func(), err error) {
	l, err := backup.LockStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	return l.Release, nil
}
