package auditlog_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
	"sanad/internal/thorough"
)

// tampering changes a log of size events in the database file. It returns the first bad event, 0 if only the head or a
// key is wrong.
type tampering func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64

// one returns a random event.
func one(r *rand.Rand, size int64) int64 { return 1 + r.Int64N(size) }

const copied = "tenant_id, %d, id, at, actor, role, action, object_kind, object_id, bytes"

var tamperings = map[string]tampering{
	"a bit of the bytes": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		var b []byte
		require.NoError(t, d.QueryRow("SELECT bytes FROM events WHERE seq = ?", k).Scan(&b))
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		dbtest.Exec(t, d, "UPDATE events SET bytes = ? WHERE seq = ?", b, k)
		return k
	},
	"a column": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		column := []string{"id", "at", "actor", "role", "action", "object_kind", "object_id"}[r.IntN(7)]
		dbtest.Exec(t, d, "UPDATE events SET "+column+" = "+column+" || 'x' WHERE seq = ?", k)
		return k
	},
	"delete": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		dbtest.Exec(t, d, "DELETE FROM events WHERE seq = ?", k)
		return k
	},
	"delete and close the gap": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		dbtest.Exec(t, d, "DELETE FROM events WHERE seq = ?", k)
		dbtest.Exec(t, d, "UPDATE events SET seq = -seq WHERE seq > ?", k)
		dbtest.Exec(t, d, "UPDATE events SET seq = -seq - 1 WHERE seq < 0")
		return k
	},
	"insert": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		dbtest.Exec(t, d, "UPDATE events SET seq = -seq WHERE seq >= ?", k)
		dbtest.Exec(t, d, "UPDATE events SET seq = -seq + 1 WHERE seq < 0")
		dbtest.Exec(t, d, "INSERT INTO events SELECT "+fmt.Sprintf(copied, k)+
			" FROM events WHERE seq = (SELECT max(seq) FROM events)")
		if k == size { // put a copy of the last one before it
			return k + 1
		}
		return k
	},
	"append": func(t *testing.T, d *sql.DB, _ *rand.Rand, size int64) int64 {
		dbtest.Exec(t, d, "INSERT INTO events SELECT "+fmt.Sprintf(copied, size+1)+" FROM events WHERE seq = 1")
		return size + 1
	},
	"append far behind": func(t *testing.T, d *sql.DB, _ *rand.Rand, size int64) int64 {
		dbtest.Exec(t, d, "INSERT INTO events SELECT "+fmt.Sprintf(copied, int64(1)<<60)+" FROM events WHERE seq = 1")
		return 1 << 60
	},
	"append far behind, with the head": func(t *testing.T, d *sql.DB, _ *rand.Rand, size int64) int64 {
		dbtest.Exec(t, d, "INSERT INTO events SELECT "+fmt.Sprintf(copied, int64(1)<<60)+" FROM events WHERE seq = 1")
		dbtest.Exec(t, d, "UPDATE log_heads SET size = ?", int64(1)<<60)
		return size + 1
	},
	"before the first": func(t *testing.T, d *sql.DB, r *rand.Rand, _ int64) int64 {
		dbtest.Exec(t, d, "INSERT INTO events SELECT "+fmt.Sprintf(copied, -r.IntN(9))+" FROM events WHERE seq = 1")
		return 1
	},
	"swap": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		i := one(r, size-1)
		j := i + one(r, size-i)
		dbtest.Exec(t, d, "UPDATE events SET seq = -1 WHERE seq = ?", i)
		dbtest.Exec(t, d, "UPDATE events SET seq = ? WHERE seq = ?", i, j)
		dbtest.Exec(t, d, "UPDATE events SET seq = ? WHERE seq = -1", j)
		return i
	},
	"truncate": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		dbtest.Exec(t, d, "DELETE FROM events WHERE seq >= ?", k)
		return k
	},
	"truncate all but the signature": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := 1 + one(r, size-1)
		root := rootAt(t, d, k-1)
		dbtest.Exec(t, d, "DELETE FROM events WHERE seq >= ?", k)
		dbtest.Exec(t, d, "DELETE FROM log_hashes WHERE n >= ?", tlog.StoredHashCount(k-1))
		dbtest.Exec(t, d, "UPDATE log_heads SET size = ?, root = ?", k-1, root)
		return k // the external checkpoint has seen it
	},
	"a stored hash": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		n := tlog.StoredHashCount(k-1) + r.Int64N(int64(audit.StoredHashes(k)))
		dbtest.Exec(t, d, "UPDATE log_hashes SET hash = zeroblob(32) WHERE n = ?", n)
		return k
	},
	"a lost hash": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		k := one(r, size)
		dbtest.Exec(t, d, "DELETE FROM log_hashes WHERE n = ?",
			tlog.StoredHashCount(k-1)+r.Int64N(int64(audit.StoredHashes(k))))
		return k
	},
	"a hash too many": func(t *testing.T, d *sql.DB, _ *rand.Rand, size int64) int64 {
		dbtest.Exec(t, d, "INSERT INTO log_hashes SELECT tenant_id, ?, hash FROM log_hashes WHERE n = 0",
			tlog.StoredHashCount(size))
		return 0
	},
	"the head's size": func(t *testing.T, d *sql.DB, r *rand.Rand, size int64) int64 {
		other := size + 1 + r.Int64N(9)
		dbtest.Exec(t, d, "UPDATE log_heads SET size = ?", other)
		return size + 1
	},
	"the head's root": func(t *testing.T, d *sql.DB, _ *rand.Rand, _ int64) int64 {
		dbtest.Exec(t, d, "UPDATE log_heads SET root = zeroblob(32)")
		return 0
	},
	"the head's epoch": func(t *testing.T, d *sql.DB, _ *rand.Rand, _ int64) int64 {
		dbtest.Exec(t, d, "UPDATE log_heads SET epoch = epoch + 1")
		return 0
	},
	"the checkpoint": func(t *testing.T, d *sql.DB, _ *rand.Rand, size int64) int64 {
		dbtest.Exec(t, d, "UPDATE log_heads SET checkpoint = replace(checkpoint, ?, ?)", fmt.Sprintf("\n%d\n", size),
			fmt.Sprintf("\n%d\n", size+1))
		return 0
	},
	"no head": func(t *testing.T, d *sql.DB, _ *rand.Rand, _ int64) int64 {
		dbtest.Exec(t, d, "DELETE FROM log_heads")
		return 1
	},
	"another public key": func(t *testing.T, d *sql.DB, _ *rand.Rand, _ int64) int64 {
		dbtest.Exec(t, d, "UPDATE keys SET public = zeroblob(32)")
		return 0
	},
	"no key": func(t *testing.T, d *sql.DB, _ *rand.Rand, _ int64) int64 {
		dbtest.Exec(t, d, "DELETE FROM keys")
		return 0
	},
}

func rootAt(t *testing.T, d *sql.DB, size int64) []byte {
	t.Helper()
	root, err := tlog.TreeHash(size, tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, n := range indexes {
			var b []byte
			if err := d.QueryRow("SELECT hash FROM log_hashes WHERE n = ?", n).Scan(&b); err != nil {
				return nil, err
			}
			copy(out[i][:], b)
		}
		return out, nil
	}))
	require.NoError(t, err)
	return root[:]
}

var logTables = []string{"events", "log_hashes", "log_heads", "keys"}

// TestNoTamperingIsMissed changes a real database many times by random, each time verifying it and restoring it.
// (Package audit tests ten thousand changes of a log in memory.)
func TestNoTamperingIsMissed(t *testing.T) {
	h := dbtest.New(t)
	const size = 21
	h.AddEvents(t, size)
	d := dbtest.Unguarded(t, h.Dir)
	for _, table := range logTables {
		dbtest.Exec(t, d, "CREATE TABLE good_"+table+" AS SELECT * FROM "+table)
	}
	names := make([]string, 0, len(tamperings))
	for name := range tamperings {
		names = append(names, name)
	}
	slices.Sort(names)
	r := thorough.Random(t)
	for n := range thorough.Times(4, 15) * len(names) {
		name := names[n%len(names)]
		dbtest.Exec(t, d, "BEGIN")
		want := tamperings[name](t, d, r, size)
		dbtest.Exec(t, d, "COMMIT")
		got := h.CheckLog(t)
		require.False(t, got.OK(), "%s was missed", name)
		for _, f := range got.Faults {
			require.Contains(t, audit.FaultKinds(), f.Kind)
		}
		require.Equal(t, want, got.FirstBad, "%s: %v", name, got.Faults)
		dbtest.Exec(t, d, "BEGIN")
		for _, table := range logTables {
			dbtest.Exec(t, d, "DELETE FROM "+table)
			dbtest.Exec(t, d, "INSERT INTO "+table+" SELECT * FROM good_"+table)
		}
		dbtest.Exec(t, d, "COMMIT")
	}
	got := h.CheckLog(t)
	require.True(t, got.OK(), got.Faults)
}

// TestOpenDetectsCheapTampering checks that what can be found without reading all events is found at the start, and
// freezes the store.
func TestOpenDetectsCheapTampering(t *testing.T) {
	h := dbtest.New(t)
	h.AddEvents(t, 21)
	good := t.TempDir()
	require.NoError(t, h.Close())
	dbtest.CopyFolder(t, h.Dir, good)
	r := rand.New(rand.NewPCG(5, 5))
	for _, name := range []string{
		"truncate", "truncate all but the signature", "append", "append far behind",
		"append far behind, with the head", "the head's size", "the head's root", "the head's epoch", "the checkpoint",
		"no head", "another public key", "no key",
	} {
		d := dbtest.Unguarded(t, h.Dir)
		tamperings[name](t, d, r, 21)
		require.NoError(t, d.Close())
		h.Store = dbtest.Open(t, h.Dir)
		require.NotEmpty(t, h.Frozen(), name)
		dbtest.RequireUnavailable(t, h.Ready(context.Background()))
		require.NoError(t, h.Close())
		dbtest.CopyFolder(t, good, h.Dir)
	}
	// the last checkpoint file is gone too, but the log itself is still inconsistent
	require.NoError(t, os.Remove(h.CheckpointFile()))
	d := dbtest.Unguarded(t, h.Dir)
	dbtest.Exec(t, d, "DELETE FROM log_heads")
	dbtest.Exec(t, d, "DELETE FROM log_hashes")
	require.NoError(t, d.Close())
	h.Store = dbtest.Open(t, h.Dir)
	require.Contains(t, h.Frozen(), "no head", "old events enter the tree once only")
}
