package auditlog_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/s3/s3test"
	"sanad/internal/thorough"
)

// openAt opens a store whose checkpoints are at an address.
func openAt(t testing.TB, dir, checkpoints string) *db.Store {
	t.Helper()
	return openOn(t, dir, "", checkpoints)
}

func openOn(t testing.TB, dir, database, checkpoints string) *db.Store {
	t.Helper()
	s, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: database, Now: func() time.Time { return dbtest.Now },
			NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1), Checkpoints: checkpoints})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // some tests close it
	return s
}

// witnesses returns each kind of place of checkpoints that two nodes can share, and how to read a tenant's there.
func witnesses(t *testing.T) map[string]struct {
	address string
	read    func(tenant string) string
} {
	type place = struct {
		address string
		read    func(tenant string) string
	}
	dir, bucket := filepath.Join(t.TempDir(), "witness"), s3test.Start(t)
	return map[string]place{
		"folder": {dir, func(tenant string) string {
			text, err := os.ReadFile(filepath.Join(dir, tenant+".checkpoint"))
			require.NoError(t, err)
			return string(text)
		}},
		"bucket": {bucket.URL, func(tenant string) string { return string(bucket.Object(tenant + ".checkpoint")) }},
	}
}

// Two nodes on one database append to one log at the same moment, 1,000 times: after each step the checkpoint outside
// is the newest, and neither node takes the other's for a fork.
func TestTwoNodesShareAWitness(t *testing.T) {
	ctx := context.Background()
	steps := thorough.Times(100, 1000)
	for name, w := range witnesses(t) {
		t.Run(name, func(t *testing.T) {
			dir := dbtest.Dir(t)
			h := &dbtest.Fixture{Store: openAt(t, dir, w.address), Dir: dir}
			h.Tenant, h.Actor = h.NewTenant(t, "main")
			nodes := []*db.Store{h.Store, openAt(t, dir, w.address)}
			begun := h.CheckLog(t)
			for n := range steps {
				require.Equal(t, len(nodes), dbtest.Together(len(nodes), func(i int) bool {
					ev := db.Event{Action: "test.done", Kind: "test", ObjectID: fmt.Sprint(n, " ", i)}
					return assert.NoError(t, nodes[i].LogEvent(ctx, h.Actor, ev))
				}))
				head, err := h.Checkpoint(ctx, h.Tenant.ID)
				require.NoError(t, err)
				require.Equal(t, head, w.read(h.Tenant.ID), "step %d", n)
			}
			for _, node := range nodes {
				require.Empty(t, node.Frozen())
				require.NoError(t, node.Ready(ctx))
			}
			report := h.CheckLog(t)
			require.True(t, report.OK(), report.Words())
			require.Equal(t, begun.Size+2*int64(steps), report.Size)
		})
	}
}

// Two servers go on from copies of one database, as after a failover to which the first primary did not agree. Of each
// log exactly one continues; the other's change is not acknowledged, its tenant only reads, and it says so.
func TestAForkIsNotAcknowledged(t *testing.T) {
	ctx := context.Background()
	for name, w := range witnesses(t) {
		t.Run(name, func(t *testing.T) {
			const tenants = 20
			dir, copied := dbtest.Dir(t), filepath.Join(t.TempDir(), "copy")
			h := &dbtest.Fixture{Store: openAt(t, dir, w.address), Dir: dir}
			var actors []access.Actor
			for i := range tenants {
				_, actor := h.NewTenant(t, fmt.Sprint("t", i))
				require.NoError(t, h.LogEvent(ctx, actor,
					db.Event{Action: "test.done", Kind: "test", ObjectID: "both"}))
				actors = append(actors, actor)
			}
			require.NoError(t, h.Close())
			dbtest.CopyFolder(t, dir, copied)
			nodes := []*db.Store{openAt(t, dir, w.address), openAt(t, copied, w.address)}
			for _, actor := range actors {
				var errs [2]error
				require.Equal(t, 1, dbtest.Together(len(nodes), func(i int) bool {
					errs[i] = nodes[i].LogEvent(ctx, actor,
						db.Event{Action: "test.done", Kind: "test", ObjectID: fmt.Sprint("only ", i)})
					return errs[i] == nil
				}))
				won, lost := 0, 1
				if errs[0] != nil {
					won, lost = 1, 0
				}
				require.NoError(t, errs[won])
				dbtest.RequireUnavailable(t, errs[lost])
				require.Contains(t, nodes[lost].FrozenFor(actor.Tenant), "was forked")
				require.Empty(t, nodes[won].FrozenFor(actor.Tenant))
				head, err := nodes[won].Checkpoint(ctx, actor.Tenant)
				require.NoError(t, err)
				require.Equal(t, head, w.read(actor.Tenant))

				require.NoError(t, nodes[won].LogEvent(ctx, actor,
					db.Event{Action: "test.done", Kind: "test", ObjectID: "more"}))
				dbtest.RequireUnavailable(t, nodes[lost].LogEvent(ctx, actor,
					db.Event{Action: "test.done", Kind: "test", ObjectID: "more"}))
				report, err := nodes[lost].VerifyLog(ctx, actor.Tenant)
				require.NoError(t, err)
				require.False(t, report.OK(), "audit verify says it too")
			}
		})
	}
}

// A witness in a bucket that does not answer stops no change; readiness says it until the checkpoint is there.
func TestABucketThatDoesNotAnswer(t *testing.T) {
	ctx, bucket, dir := context.Background(), s3test.Start(t), dbtest.Dir(t)
	h := &dbtest.Fixture{Store: openAt(t, dir, bucket.URL), Dir: dir}
	h.Tenant, h.Actor = h.NewTenant(t, "main")
	h.AddEvents(t, 2)
	require.NoError(t, h.Ready(ctx))
	bucket.Down.Store(true)
	head := h.AddEvents(t, 2)
	dbtest.RequireUnavailable(t, h.Ready(ctx))
	require.NotEqual(t, head, string(bucket.Object(h.Tenant.ID+".checkpoint")))
	bucket.Down.Store(false)
	require.NoError(t, h.Ready(ctx))
	require.Equal(t, head, string(bucket.Object(h.Tenant.ID+".checkpoint")))
}

// A backup and a restore use a witness in a bucket as one in a folder: what was lost begins a new epoch.
func TestRestoreWithAWitnessInABucket(t *testing.T) {
	ctx, bucket, dir := context.Background(), s3test.Start(t), dbtest.Dir(t)
	h := &dbtest.Fixture{Store: openAt(t, dir, bucket.URL), Dir: dir}
	h.Tenant, h.Actor = h.NewTenant(t, "main")
	h.AddEvents(t, 3)
	o := db.Options{Dir: dir, Now: func() time.Time { return dbtest.Now }, NewID: uuid.NewString,
		Keys:        dbtest.MasterKey(t, 1),
		Checkpoints: bucket.URL}
	to := filepath.Join(t.TempDir(), "backup")
	_, err := backup.Backup(ctx, to, "test", o)
	require.NoError(t, err)
	h.AddEvents(t, 2)
	_, late := h.NewTenant(t, "late")
	require.NoError(t, h.LogEvent(ctx, late, db.Event{Action: "x"}))
	require.NoError(t, h.Close())
	r, err := backup.Restore(ctx, to, "disk lost", o)
	require.NoError(t, err)
	require.NotEmpty(t, r.Epochs)
	h.Store = openAt(t, dir, bucket.URL)
	h.RequireWell(t)
	c, err := audit.Claimed(string(bucket.Object(h.Tenant.ID + ".checkpoint")))
	require.NoError(t, err)
	require.EqualValues(t, 2, c.Epoch)
	require.NotEmpty(t, bucket.Object(late.Tenant+".checkpoint.abandoned"))
	require.Empty(t, bucket.Object(late.Tenant+".checkpoint"))
	require.NoDirExists(t, dir+"-checkpoints")
}

// A standby is promoted that lacks the newest events, and the process that wrote the newest checkpoint goes on: it
// takes it neither for its own log nor, when others have made the log longer than it was, for a log that has grown.
func TestALostTailIsNotAcknowledged(t *testing.T) {
	ctx := context.Background()
	for name, more := range map[string]int{"shorter": 0, "longer again": 6} {
		t.Run(name, func(t *testing.T) {
			dir, outside := dbtest.Dir(t), filepath.Join(t.TempDir(), "witness")
			h := &dbtest.Fixture{Store: openOn(t, dir, dbtest.Database(dir), outside), Dir: dir}
			h.Tenant, h.Actor = h.NewTenant(t, "main")
			h.AddEvents(t, 5)
			d := dbtest.Unguarded(t, dir)
			var size int64
			var root []byte
			var signed string
			require.NoError(t, d.QueryRow("SELECT size, root, checkpoint FROM log_heads WHERE tenant_id = ?",
				h.Tenant.ID).
				Scan(&size, &root, &signed))
			h.AddEvents(t, 3)
			dbtest.Exec(t, d, "DELETE FROM events WHERE tenant_id = ? AND seq > ?", h.Tenant.ID, size)
			dbtest.Exec(t, d, "DELETE FROM log_hashes WHERE tenant_id = ? AND n >= ?", h.Tenant.ID,
				tlog.StoredHashCount(size))
			dbtest.Exec(t, d, "UPDATE log_heads SET size = ?, root = ?, checkpoint = ? WHERE tenant_id = ?", size,
				root, signed, h.Tenant.ID)
			if more > 0 {
				own := filepath.Join(t.TempDir(), "its own") // where nothing tells it
				require.NoError(t, os.CopyFS(own, os.DirFS(outside)))
				require.NoError(t, os.WriteFile(filepath.Join(own, h.Tenant.ID+".checkpoint"), []byte(signed), 0o600))
				other := openOn(t, dir, dbtest.Database(dir), own)
				for i := range more {
					ev := db.Event{Action: "test.done", Kind: "test", ObjectID: fmt.Sprint(i)}
					require.NoError(t, other.LogEvent(ctx, h.Actor, ev))
				}
			}
			before, err := os.ReadFile(filepath.Join(outside, h.Tenant.ID+".checkpoint"))
			require.NoError(t, err)
			dbtest.RequireUnavailable(t,
				h.LogEvent(ctx, h.Actor, db.Event{Action: "test.done", Kind: "test", ObjectID: "after"}))
			require.Contains(t, h.FrozenFor(h.Tenant.ID), "audit log")
			after, err := os.ReadFile(filepath.Join(outside, h.Tenant.ID+".checkpoint"))
			require.NoError(t, err)
			require.Equal(t, string(before), string(after), "the checkpoint stays, as a proof of what was lost")
		})
	}
}
