package auditlog_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

func TestOpenNeedsItsMasterKey(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	h.AddEvents(t, 1)
	o := db.Options{Dir: h.Dir, Database: dbtest.Database(h.Dir), Now: time.Now, NewID: uuid.NewString}
	_, err := db.Open(ctx, o)
	require.ErrorContains(t, err, "there is no master key")
	o.Keys = dbtest.MasterKey(t, 2)
	_, err = db.Open(ctx, o)
	require.ErrorIs(t, err, db.ErrWrongMasterKey)
	o.Keys = dbtest.MasterKey(t, 1)
	s, err := db.Open(ctx, o)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// TestOlderDatabaseIsReadOnly replaces the database by an older copy.
func TestOlderDatabaseIsReadOnly(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	session := dbtest.FullSession()
	h.AddSession(t, session)
	h.AddEvents(t, 4)
	old, newer := filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "newer")
	h.Reopen(t, func() { dbtest.CopyFolder(t, h.Dir, old) })
	seen := h.AddEvents(t, 3)
	h.Reopen(t, func() { dbtest.CopyFolder(t, h.Dir, newer); dbtest.CopyFolder(t, old, h.Dir) })

	require.Contains(t, h.Frozen(), "is ahead of the database")
	err := h.Ready(ctx)
	dbtest.RequireUnavailable(t, err)
	require.ErrorContains(t, err, "it has seen 8 events")
	dbtest.RequireUnavailable(t, h.LogEvent(ctx, h.Actor, db.Event{Action: "x"}))
	_, err = h.ReviewClaim(session.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
	dbtest.RequireUnavailable(t, err)
	_, _, err = h.InsertSession(ctx, h.Actor, dbtest.Assess(dbtest.FullSession()), nil, nil)
	dbtest.RequireUnavailable(t, err)
	require.NoError(t, h.LogEvent(ctx, h.Actor, db.Event{Action: "login.failed"}), "logins work, without being logged")
	_, err = h.Session(ctx, h.Tenant.ID, session.ID)
	require.NoError(t, err, "it reads")
	report := h.CheckLog(t)
	require.Equal(t, int64(6), report.FirstBad)
	require.Equal(t, "is ahead of the database", report.CheckpointFile)
	file, err := os.ReadFile(h.CheckpointFile())
	require.NoError(t, err)
	require.Equal(t, seen, string(file), "the checkpoint file is not overwritten")

	require.Equal(t, domain.Invalid, domain.KindOf(h.StartEpoch(ctx, h.Actor, "")))
	require.NoError(t, h.StartEpoch(ctx, h.Actor, "disk lost"))
	require.Empty(t, h.Frozen())
	require.NoError(t, h.Ready(ctx))
	next := h.AddEvents(t, 1)
	require.True(t, strings.HasPrefix(next, "sanad/"+h.Tenant.ID+"/2\n7\n"), next)
	events, _, err := h.Log(ctx, h.Tenant.ID, audit.Query{Action: "log.epoch_started", Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Contains(t, string(events[0].Bytes), `"reason":"disk lost"`)
	require.Contains(t, string(events[0].Bytes), `"size":8`)
	report = h.CheckLog(t)
	require.True(t, report.OK(), report.Faults)

	// killed between the commit and the writing of the file: the abandoned checkpoint is still outside
	h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(seen), 0o600)) })
	require.Empty(t, h.Frozen())
	file, err = os.ReadFile(h.CheckpointFile())
	require.NoError(t, err)
	require.Equal(t, next, string(file))

	// nor is the abandoned database accepted again
	h.Reopen(t, func() { dbtest.CopyFolder(t, newer, h.Dir) })
	require.Contains(t, h.Frozen(), "in epoch 2")
}

// TestAnotherAbandonedCheckpointFreezes checks that a checkpoint of an older epoch is accepted only if the log names
// this exact one.
func TestAnotherAbandonedCheckpointFreezes(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	first := h.AddEvents(t, 3)
	h.AddEvents(t, 2)
	require.NoError(t, h.StartEpoch(ctx, h.Actor, "test"))
	h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(first), 0o600)) })
	require.Contains(t, h.Frozen(), "is of another tree")
}

func TestAForeignCheckpointFreezes(t *testing.T) {
	h, other := dbtest.New(t), dbtest.New(t)
	h.AddEvents(t, 3)
	other.AddEvents(t, 3)
	foreign, err := os.ReadFile(other.CheckpointFile())
	require.NoError(t, err)
	for name, text := range map[string]string{"another log's": string(foreign), "garbage": "garbage"} {
		h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(text), 0o600)) })
		require.Contains(t, h.Frozen(), "is not signed by a key of this log", name)
		require.NoError(t, h.StartEpoch(context.Background(), h.Actor, "test"))
		require.Empty(t, h.Frozen())
	}
}

// TestMissingCheckpointFreezesItsTenant checks that a checkpoint that is missing or empty makes its tenant read-only,
// and no other, until the operator accepts the log as it is, which is logged.
func TestMissingCheckpointFreezesItsTenant(t *testing.T) {
	ctx := context.Background()
	for name, spoil := range map[string]func(path string) error{
		"missing": os.Remove, "empty": func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			h := dbtest.New(t)
			_, other := h.NewTenant(t, "other")
			h.AddEvents(t, 3)
			require.NoError(t, h.LogEvent(ctx, other, db.Event{Action: "x"}))
			h.Reopen(t, func() { require.NoError(t, spoil(h.CheckpointFile())) })
			require.Contains(t, h.FrozenFor(h.Tenant.ID), "the checkpoint kept outside is missing")
			dbtest.RequireUnavailable(t, h.LogEvent(ctx, h.Actor, db.Event{Action: "x"}))
			require.Empty(t, h.FrozenFor(other.Tenant), "others go on")
			require.NoError(t, h.LogEvent(ctx, other, db.Event{Action: "x"}))
			require.NoError(t, h.Ready(ctx), "they do so although one tenant only reads")
			report := h.CheckLog(t)
			require.False(t, report.OK())

			require.NoError(t, h.StartEpoch(ctx, access.AtCommandLine(h.Tenant.ID), "the disk was lost"))
			require.Empty(t, h.Frozen())
			events, _, err := h.Log(ctx, h.Tenant.ID, audit.Query{Limit: 1})
			require.NoError(t, err)
			require.Equal(t, "log.epoch_started", events[0].Action)
			require.Contains(t, string(events[0].Bytes), "is missing")
			require.Contains(t, string(events[0].Bytes), "the disk was lost")
			h.Reopen(t, nil)
			require.Empty(t, h.Frozen())
		})
	}
}

// TestLogTakenAwayBeginsNoOther deletes what a tenant's log was signed with, changes an event and starts the server:
// it does not sign the forged log, and the tenant only reads.
func TestLogTakenAwayBeginsNoOther(t *testing.T) {
	ctx := context.Background()
	attack := []string{"DELETE FROM log_heads WHERE tenant_id = ?", "DELETE FROM log_hashes WHERE tenant_id = ?",
		"DELETE FROM keys WHERE tenant_id = ?",
		"UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), 'test.done', 'test.gone') AS BLOB), action = 'test.gone' WHERE tenant_id = ? AND seq = 2"}
	for name, more := range map[string][]string{
		"head, hashes, key and checkpoint": nil,
		"the seal too":                     {"DELETE FROM log_seals WHERE tenant_id = ?"},
		"all events too":                   {"DELETE FROM events WHERE tenant_id = ?"},
		"all events and the seal too": {"DELETE FROM events WHERE tenant_id = ?",
			"DELETE FROM log_seals WHERE tenant_id = ?"},
		"the seal only, the log as it was": {"ROLLBACK", "DELETE FROM log_seals WHERE tenant_id = ?"},
		"another seal, the log as it was": {"ROLLBACK",
			"UPDATE log_seals SET sealed = zeroblob(60) WHERE tenant_id = ?"},
	} {
		t.Run(name, func(t *testing.T) {
			h := dbtest.New(t)
			h.AddSession(t, dbtest.FullSession())
			h.AddEvents(t, 4)
			_, other := h.NewTenant(t, "other")
			require.NoError(t, h.LogEvent(ctx, other, db.Event{Action: "x"}))
			h.Reopen(t, func() {
				d := dbtest.Unguarded(t, h.Dir)
				statements := append(append([]string{}, attack...), more...)
				if len(more) > 0 && more[0] == "ROLLBACK" {
					statements = more[1:]
				} else {
					require.NoError(t, os.Remove(h.CheckpointFile()))
				}
				for _, q := range statements {
					dbtest.Exec(t, d, q, h.Tenant.ID)
				}
				require.NoError(t, d.Close())
			})
			require.NotEmpty(t, h.FrozenFor(h.Tenant.ID))
			dbtest.RequireUnavailable(t, h.LogEvent(ctx, h.Actor, db.Event{Action: "x"}))
			require.Empty(t, h.FrozenFor(other.Tenant))
			require.NoError(t, h.LogEvent(ctx, other, db.Event{Action: "x"}))
			require.NotContains(t, h.Frozen(), other.Tenant)
			note, err := h.Checkpoint(ctx, h.Tenant.ID)
			require.NoError(t, err)
			if len(more) == 0 || more[0] != "ROLLBACK" {
				require.Empty(t, note, "the forged log is not signed")
			}
			err = h.StartEpoch(ctx, h.Actor, "please")
			if strings.HasPrefix(name, "all events") || strings.HasSuffix(name, "as it was") {
				require.NoError(t, err, "what is there is whole; that it was accepted is logged")
				require.Empty(t, h.Frozen())
				return
			}
			require.Equal(t, domain.Conflict, domain.KindOf(err), "a changed log cannot be accepted")
		})
	}
}

// TestLateCheckpointIsUpdated checks that a file left behind by a kill is updated.
func TestLateCheckpointIsUpdated(t *testing.T) {
	h := dbtest.New(t)
	early := h.AddEvents(t, 3)
	newest := h.AddEvents(t, 2)
	h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(early), 0o600)) })
	require.Empty(t, h.Frozen())
	text, err := os.ReadFile(h.CheckpointFile())
	require.NoError(t, err)
	require.Equal(t, newest, string(text))
}

// TestCheckpointOfAnUnknownTenant checks a database that is older than the tenant.
func TestCheckpointOfAnUnknownTenant(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	h.AddEvents(t, 2)
	old := filepath.Join(t.TempDir(), "old")
	h.Reopen(t, func() { dbtest.CopyFolder(t, h.Dir, old) })
	tenant, actor := h.NewTenant(t, "late")
	require.NoError(t, h.LogEvent(ctx, actor, db.Event{Action: "x"}))
	h.Reopen(t, func() { dbtest.CopyFolder(t, old, h.Dir) })
	require.Contains(t, h.Frozen(), tenant.ID)
	require.NoError(t, h.StartEpochs(ctx, "restored"))
	require.Empty(t, h.Frozen())
	events, _, err := h.Log(ctx, db.SystemTenant, audit.Query{Action: "log.checkpoint_abandoned", Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Equal(t, tenant.ID, events[0].ObjectID)
	h.Reopen(t, nil)
	require.Empty(t, h.Frozen())
}

// TestChangedLogStartsNoEpoch checks that a new epoch can abandon a newer log, but can't legitimise a changed one.
func TestChangedLogStartsNoEpoch(t *testing.T) {
	h := dbtest.New(t)
	h.AddEvents(t, 3)
	h.Reopen(t, func() {
		d := dbtest.Unguarded(t, h.Dir)
		dbtest.Exec(t, d, "DELETE FROM events WHERE seq = 3")
		require.NoError(t, d.Close())
	})
	require.Equal(t, domain.Conflict, domain.KindOf(h.StartEpoch(context.Background(), h.Actor, "test")))
	require.NotEmpty(t, h.Frozen())
}

// TestCheckpointThatCannotBeWritten checks that the change stays if the file can't be written, and that the store
// reports that it is not ready.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	h.AddEvents(t, 1)
	folder := filepath.Dir(h.CheckpointFile())
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.WriteFile(folder, nil, 0o600))
	text := h.AddEvents(t, 1)
	err := h.Ready(ctx)
	dbtest.RequireUnavailable(t, err)
	require.NoError(t, os.Remove(folder))
	require.NoError(t, h.Ready(ctx), "it tries again")
	file, err := os.ReadFile(h.CheckpointFile())
	require.NoError(t, err)
	require.Equal(t, text, string(file))
}

// TestLogKeyIsNotReplacedSilently checks that only RotateKey gives another key to a log that has been signed.
func TestLogKeyIsNotReplacedSilently(t *testing.T) {
	h := dbtest.New(t)
	h.AddEvents(t, 2)
	dbtest.Exec(t, dbtest.Unguarded(t, h.Dir), "DELETE FROM keys")
	dbtest.RequireUnavailable(t, h.LogEvent(context.Background(), h.Actor, db.Event{Action: "x"}))
	require.Contains(t, h.Frozen(), "its key is gone")
	require.Equal(t, int64(2), func() int64 { r := h.CheckLog(t); return r.Size }())
}

// TestStoredHashesAreCheckedBeforeTheTreeGrows checks that a process that did not write the newest tree reads and
// verifies it.
func TestStoredHashesAreCheckedBeforeTheTreeGrows(t *testing.T) {
	h := dbtest.New(t)
	h.AddEvents(t, 5)
	h.Reopen(t, nil)
	dbtest.Exec(t, dbtest.Unguarded(t, h.Dir), "UPDATE log_hashes SET hash = zeroblob(32)")
	dbtest.RequireUnavailable(t, h.LogEvent(context.Background(), h.Actor, db.Event{Action: "x"}))
	require.NotEmpty(t, h.Frozen())
}

func TestKeysRotate(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	before := h.AddEvents(t, 3)
	old := logKeys(t, h)
	require.Len(t, old, 1)
	fresh, err := h.RotateKey(ctx, h.Actor, "log")
	require.NoError(t, err)
	after := h.AddEvents(t, 1)
	all := logKeys(t, h)
	require.Len(t, all, 2)
	_, id, err := audit.Open(before, all)
	require.NoError(t, err)
	require.Equal(t, old[0].ID, id, "what the old key signed stays verifiable")
	_, id, err = audit.Open(after, all)
	require.NoError(t, err)
	require.Equal(t, fresh.ID, id)
	report := h.CheckLog(t)
	require.True(t, report.OK(), report.Faults)
	require.Equal(t, fresh.ID, report.KeyID)
	h.Reopen(t, func() { require.NoError(t, os.WriteFile(h.CheckpointFile(), []byte(before), 0o600)) })
	require.Empty(t, h.Frozen(), "an old key's checkpoint still shows what was seen")
	events, _, err := h.Log(ctx, h.Tenant.ID, audit.Query{Action: "key.rotated", Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Equal(t, fresh.ID, events[0].ObjectID)
	_, err = h.RotateKey(ctx, h.Actor, "other")
	require.Equal(t, domain.Invalid, domain.KindOf(err))

	message := []byte("DSSEv1 4 type 4 body")
	first, with, err := h.SignWith(ctx, h.Actor, message)
	require.NoError(t, err)
	require.True(t, verifies(with.Public, message, first))
	again, same, err := h.SignWith(ctx, h.Actor, message)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Equal(t, with.ID, same.ID)
	require.NotEqual(t, fresh.ID, with.ID)
}
