package backup_test

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
func restore(t testing.TB, h *dbtest.Fixture, from string) backup.Restored {
	t.Helper()
	var r backup.Restored
	h.Reopen(t, func() {
		var err error
		r, err = backup.Restore(context.Background(), from, "disk lost", options(t, h))
		require.NoError(t, err)
	})
	return r
}

// actions returns the newest actions of a tenant's log.
func actions(t testing.TB, h *dbtest.Fixture, tenant string) (out []string) {
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
	s := dbtest.Open(t, dir)
	defer s.Close() //nolint:errcheck // only read
	return actions(t, &dbtest.Fixture{Store: s}, tenant)
}

func TestRestoreOfAnOlderBackup(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	ctx := context.Background()
	h := dbtest.New(t)
	session := h.WithOriginal(t, "as it came")
	h.AddEvents(t, 3)
	from, m := backUp(t, h)
	_, err := h.ReviewClaim(session.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "lost"})
	require.NoError(t, err)
	seen := h.AddEvents(t, 2)
	later := h.WithOriginal(t, "later")
	newest, err := h.Checkpoint(ctx, h.Tenant.ID)
	require.NoError(t, err)

	r := restore(t, h, from)
	require.Len(t, r.Epochs, 1, "the system's log has lost nothing")
	require.Equal(t, h.Tenant.ID, r.Epochs[0].Tenant)
	require.Contains(t, r.Epochs[0].Why, "is ahead of the database")
	h.RequireWell(t)
	require.Equal(t, "log.epoch_started", actions(t, h, h.Tenant.ID)[0])
	require.Equal(t, []string{"store.restored"}, actions(t, h, db.SystemTenant))
	events, _, err := h.Log(ctx, h.Tenant.ID, audit.Query{Action: "log.epoch_started", Limit: 1})
	require.NoError(t, err)
	require.Contains(t, string(events[0].Bytes), `"reason":"disk lost"`)
	require.Contains(t, string(events[0].Bytes), `"size":8`, "the event records the newest checkpoint that was seen")

	_, err = h.Session(ctx, h.Tenant.ID, session.ID)
	require.NoError(t, err)
	_, err = h.Session(ctx, h.Tenant.ID, later.ID)
	require.Error(t, err)
	o, _, err := h.Original(ctx, h.Tenant.ID, session.Documents[0].ID)
	require.NoError(t, err)
	require.NoError(t, o.Close())
	require.Len(t, dbtest.OriginalFiles(t, h.Dir), 1)
	require.Len(t, dbtest.OriginalFiles(t, r.Replaced), 2, "the previous folder is kept")
	require.Equal(t, m, r.Manifest)
	left, err := filepath.Glob(h.Dir + ".restoring-*")
	require.NoError(t, err)
	require.Empty(t, left)

	// killed between the swap and the writing of the checkpoints: the external ones are the abandoned ones
	h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(seen), 0o600)) })
	require.Contains(t, h.Frozen(), "is of another tree", "an older checkpoint that no event names")
	h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(newest), 0o600)) })
	h.RequireWell(t)

	// the same again: the newest checkpoint is now of epoch 2
	r = restore(t, h, from)
	require.Len(t, r.Epochs, 2, "the system's log has lost the earlier restore too")
	h.RequireWell(t)
	text, err := h.Checkpoint(ctx, h.Tenant.ID)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(text, "sanad/"+h.Tenant.ID+"/3\n"), text)

	// and a backup of the result is valid
	backUp(t, h)
}

// TestRestoreWhereNothingWasLost checks that the log continues in its epoch, and that only the system's log
// records the restore.
func TestRestoreWhereNothingWasLost(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := dbtest.New(t)
	h.WithOriginal(t, "as it came")
	before := h.AddEvents(t, 3)
	from, _ := backUp(t, h)
	r := restore(t, h, from)
	require.Empty(t, r.Epochs)
	h.RequireWell(t)
	text, err := h.Checkpoint(context.Background(), h.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, before, text)
	require.Equal(t, []string{"store.restored"}, actions(t, h, db.SystemTenant))
}

// TestRestoreElsewhere checks that the backup's own checkpoint is abandoned if no other is known.
func TestRestoreElsewhere(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := dbtest.New(t)
	h.WithOriginal(t, "as it came")
	h.AddEvents(t, 3)
	from, m := backUp(t, h)
	o := options(t, h)
	for name, change := range map[string]func(dir string){
		"a folder that is not there": func(string) {},
		"an empty folder":            func(dir string) { require.NoError(t, os.MkdirAll(dir, 0o700)) },
		"a folder in a folder": func(dir string) {
			require.NoError(t,
				os.MkdirAll(filepath.Dir(dir), 0o700))
		},
		"a database that can no more be read ": func(dir string) {
			writeIn(t, dir, "sanad.db",
				strings.Repeat("garbage ", 1000))
		},
		"an empty database": func(dir string) { writeIn(t, dir, "sanad.db", "") },
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
			other := &dbtest.Fixture{Store: dbtest.Open(t, o.Dir), Dir: o.Dir, Tenant: h.Tenant, Actor: h.Actor}
			defer other.Close() //nolint:errcheck // only read
			other.RequireWell(t)
			events, _, err := other.Log(context.Background(), h.Tenant.ID,
				audit.Query{Action: "log.epoch_started", Limit: 1})
			require.NoError(t, err)
			require.Contains(t, string(events[0].Bytes), `"size":4`)
			require.Equal(t, m.Files, r.Manifest.Files)
			require.NotContains(t, actions(t, other, h.Tenant.ID), "log.checkpoint_missing")
			require.Len(t, dbtest.OriginalFiles(t, o.Dir), 1)
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
	h := dbtest.New(t)
	h.AddEvents(t, 3)
	from, _ := backUp(t, h)
	o := options(t, h)
	_, err := backup.Restore(ctx, from, "test", o)
	require.ErrorContains(t, err, "stop the server", "it is open")
	h.AddEvents(t, 1)

	for _, reason := range []string{"", " \n", strings.Repeat("a", 501), "\xff"} {
		_, err = backup.Restore(ctx, from, reason, o)
		require.ErrorContains(t, err, "reason")
	}
	require.NoError(t, h.Close())
	empty := t.TempDir()
	before := listed(t, filepath.Dir(h.Dir))
	wrong := o
	wrong.Keys = dbtest.MasterKey(t, 2)
	_, err = backup.Restore(ctx, from, "test", wrong)
	require.ErrorIs(t, err, db.ErrWrongMasterKey)
	wrong.Keys = nil
	_, err = backup.Restore(ctx, from, "test", wrong)
	require.ErrorContains(t, err, "no master key")
	_, err = backup.Restore(ctx, empty, "test", o)
	require.ErrorContains(t, err, "it is no backup")
	require.Equal(t, before, listed(t, filepath.Dir(h.Dir)), "nothing was touched")
	h.Store = dbtest.Open(t, h.Dir)
	requireWellTenant(t, h)

	slip := o
	slip.Dir = t.TempDir()
	writeIn(t, slip.Dir, "letter.txt", "Dear")
	_, err = backup.Restore(ctx, from, "test", slip)
	require.ErrorContains(t, err, "is not empty and has no sanad.db")
	require.FileExists(t, filepath.Join(slip.Dir, "letter.txt"))
}

func requireWellTenant(t testing.TB, h *dbtest.Fixture) {
	t.Helper()
	require.Empty(t, h.Frozen())
	report := h.CheckLog(t)
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
	h := dbtest.New(t)
	h.AddEvents(t, 1)
	from, _ := backUp(t, h)
	writeIn(t, h.Dir, "master.key", "secret")
	restore(t, h, from)
	data, err := os.ReadFile(filepath.Join(h.Dir, "master.key"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(data))
}

// TestRestoreIntoABucket checks that originals outside the folder are restored too, replacing damaged ones.
func TestRestoreIntoABucket(t *testing.T) {
	ctx := context.Background()
	bucket := t.TempDir()
	o := db.Options{Dir: filepath.Join(t.TempDir(), "data"), Bucket: "file://" + bucket,
		Now: func() time.Time { return dbtest.Now }, NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)}
	s, err := db.Open(ctx, o)
	require.NoError(t, err)
	h := &dbtest.Fixture{Store: s, Dir: o.Dir}
	h.Tenant, h.Actor = h.NewTenant(t, "main")
	session := h.WithOriginal(t, "as it came")
	from := filepath.Join(t.TempDir(), "backup")
	_, err = backup.Backup(ctx, from, "test", o)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	path := filepath.Join(bucket, h.Tenant.ID, session.Documents[0].ID)
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
	h := dbtest.New(t)
	u, err := h.AddUser(ctx, h.Actor, db.User{Login: "noura", Name: "Noura", Password: "$argon2id$"}, access.Admin)
	require.NoError(t, err)
	require.NoError(t, h.CreateLogin(ctx, h.Actor,
		access.Login{TokenHash: db.HashToken("secret"), UserID: u.ID, TenantID: h.Tenant.ID, FreshAt: dbtest.Now}))
	from, _ := backUp(t, h)
	tenant, actor := h.NewTenant(t, "late")
	require.NoError(t, h.LogEvent(ctx, actor, db.Event{Action: "x"}))
	r := restore(t, h, from)
	require.Equal(t, tenant.ID, r.Epochs[len(r.Epochs)-1].Tenant)
	h.RequireWell(t)
	require.Zero(t, dbtest.Count(t, dbtest.Raw(t, h.Dir), "logins"))
	require.FileExists(t, filepath.Join(h.Dir+"-checkpoints", tenant.ID+".checkpoint.abandoned"))
	require.NoFileExists(t, filepath.Join(h.Dir+"-checkpoints", tenant.ID+".checkpoint"))
}

// TestStoreCannotBeOpenedWhileReplaced checks that nobody can open a store while it is being replaced.
func TestStoreCannotBeOpenedWhileReplaced(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	h := dbtest.New(t)
	h.AddEvents(t, 1)
	require.NoError(t, h.Close())
	release, err := lockStore(context.Background(), h.Dir)
	require.NoError(t, err)
	d, err := sql.Open("sqlite", "file:"+filepath.Join(h.Dir, "sanad.db")+"?_pragma=busy_timeout(1)")
	require.NoError(t, err)
	require.ErrorContains(t, d.QueryRow("SELECT count(*) FROM events").Scan(new(int)), "locked")
	release()
	require.NoError(t, d.QueryRow("SELECT count(*) FROM events").Scan(new(int)))
	require.NoError(t, d.Close())
	h.Store = dbtest.Open(t, h.Dir)
	requireWellTenant(t, h)
}

// lockStore locks the store in a folder against all other processes.
func lockStore(ctx context.Context, dir string) (release func(), err error) {
	l, err := backup.LockStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	return l.Release, nil
}
