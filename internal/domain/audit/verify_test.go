package audit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
)

// changes are what somebody with the database file can do to the log. Each returns the first event that is no longer
// what was logged, 0 if only the head is wrong. (Storage detects a rollback of the whole file, by the checkpoint file:
// see internal/db.)
var changes = map[string]func(r *rand.Rand, l *storedLog) int64{
	"a bit of the bytes": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries))
		b := l.own(i).row.Bytes
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		return int64(i + 1)
	},
	"bytes and their hash": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries) - 1)
		e := l.own(i)
		e.row.Bytes = append(e.row.Bytes, ' ')
		e.hashes[0] = audit.LeafHash(e.row.Bytes)
		return int64(i + 1)
	},
	"a column": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries))
		row := l.own(i).row
		column := []*string{&row.ID, &row.At, &row.Actor, &row.Role, &row.Action, &row.Kind, &row.ObjectID}[r.IntN(7)]
		*column += "x"
		return int64(i + 1)
	},
	"delete": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries))
		l.own(i).row = nil
		return int64(i + 1)
	},
	"delete and close the gap": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries))
		l.entries = slices.Delete(l.entries, i, i+1)
		return int64(i + 1)
	},
	"insert": func(r *rand.Rand, l *storedLog) int64 {
		i, from := r.IntN(len(l.entries)+1), r.IntN(len(l.entries))
		l.entries = slices.Insert(l.entries, i, l.entries[from])
		if i == from { // a copy before the original: the second of the two is wrong
			return int64(i + 2)
		}
		return int64(i + 1)
	},
	"swap": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries) - 1)
		j := i + 1 + r.IntN(len(l.entries)-i-1)
		l.entries[i].row, l.entries[j].row = l.entries[j].row, l.entries[i].row
		return int64(i + 1)
	},
	"truncate the tail": func(r *rand.Rand, l *storedLog) int64 {
		n := r.IntN(len(l.entries))
		l.entries = l.entries[:n]
		return int64(n + 1)
	},
	"truncate with the head": func(r *rand.Rand, l *storedLog) int64 { // keeps the signed note of the longer log
		n := r.IntN(len(l.entries))
		l.entries = l.entries[:n]
		var tree audit.Tree
		for _, e := range l.entries {
			tree.Append(audit.LeafHash(e.row.Bytes))
		}
		l.head.Size, l.head.Root = int64(n), tree.Root()
		return 0
	},
	"a stored hash": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries))
		e := l.own(i)
		e.hashes[r.IntN(len(e.hashes))][r.IntN(32)] ^= 1 << r.IntN(8)
		return int64(i + 1)
	},
	"a missing hash": func(r *rand.Rand, l *storedLog) int64 {
		i := r.IntN(len(l.entries))
		e := l.own(i)
		e.hashes[r.IntN(len(e.hashes))] = audit.Hash{}
		return int64(i + 1)
	},
	"the head's size": func(r *rand.Rand, l *storedLog) int64 {
		old := l.head.Size
		for l.head.Size == old {
			l.head.Size = r.Int64N(2 * old)
		}
		return min(old, l.head.Size) + 1
	},
	"the head's root": func(r *rand.Rand, l *storedLog) int64 {
		l.head.Root[r.IntN(32)] ^= 1 << r.IntN(8)
		return 0
	},
	"the head's epoch": func(r *rand.Rand, l *storedLog) int64 {
		l.head.Epoch += 1 + r.Int64N(9)
		return 0
	},
	"the checkpoint": func(r *rand.Rand, l *storedLog) int64 {
		b := []byte(l.head.Checkpoint)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		l.head.Checkpoint = string(b)
		return 0
	},
	"no checkpoint": func(_ *rand.Rand, l *storedLog) int64 {
		l.head.Checkpoint = ""
		return 0
	},
}

// TestTenThousandChanges checks rule LOG-7: no change is missed, and the first bad index is named.
func TestTenThousandChanges(t *testing.T) {
	logs := []storedLog{newLog(t, 2), newLog(t, 7), newLog(t, 12), newLog(t, 21)}
	names := make([]string, 0, len(changes))
	for name := range changes {
		names = append(names, name)
	}
	slices.Sort(names)
	r := random(1)
	for n := range 10_000 {
		l := logs[r.IntN(len(logs))].clone()
		name := names[n%len(names)]
		want := changes[name](r, &l)
		got := l.verify()
		require.False(t, got.OK(), "%s (%d) was missed", name, n)
		require.Equal(t, want, got.FirstBad, "%s (%d): %v", name, n, got.Faults)
		require.NotEmpty(t, got.Faults)
	}
}

func TestUnchangedLogIsOK(t *testing.T) {
	for size := range 70 {
		l := newLog(t, size)
		if size == 0 {
			l.head.Checkpoint = ""
		}
		got := l.verify()
		require.True(t, got.OK(), "%d: %v", size, got.Faults)
		require.Equal(t, fmt.Sprintf("sanad/%s/1", tenant), got.Origin)
		require.Equal(t, int64(size), got.Size)
		if size > 0 {
			require.Equal(t, l.key.ID, got.KeyID)
		}
	}
}

// TestRewrittenLogNeedsTheKey shows that somebody who recomputes all hashes still cannot sign the root.
func TestRewrittenLogNeedsTheKey(t *testing.T) {
	honest, forged := newLog(t, 20), storedLog{}
	var tree audit.Tree
	for i := range 20 {
		e := event(t, int64(i+1))
		if i == 7 {
			e.Actor = "somebody else"
		}
		row := rowOf(t, e)
		forged.entries = append(forged.entries, entry{row, tree.Append(audit.LeafHash(row.Bytes))})
	}
	c := audit.Checkpoint{Tenant: tenant, Epoch: 1, Size: 20, Root: tree.Root()}
	forged.key = honest.key
	forged.head = audit.TreeHead{Epoch: 1, Size: 20, Root: tree.Root(), Checkpoint: honest.head.Checkpoint}
	got := forged.verify()
	require.Contains(t, got.Faults[0].String(), "of another tree")
	mallory, _ := newSigner(t, c.Origin(), 66)
	text, err := audit.Sign(&c, mallory)
	require.NoError(t, err)
	forged.head.Checkpoint = text
	got = forged.verify()
	require.Contains(t, got.Faults[0].String(), "no known key")
}

// Every kind of fault has its text, which names the event or detail it is about.
func TestFaultsInWords(t *testing.T) {
	for _, kind := range audit.FaultKinds() {
		words := audit.Fault{Kind: kind, Seq: 1234, Detail: "DETAIL"}.String()
		require.NotEmpty(t, words)
		require.NotContains(t, words, "{")
		require.True(t, strings.Contains(words, "1234") || strings.Contains(words, "DETAIL") ||
			strings.HasPrefix(words, "head: "), words)
	}
	require.Equal(t, "event 7: the stored actor does not match the event's bytes",
		audit.Fault{Kind: "column", Seq: 7, Detail: "actor"}.String())
}

func TestReportIsBounded(t *testing.T) {
	l := newLog(t, 10)
	l.head.Size = 1 << 60
	got := l.verify()
	require.Equal(t, int64(11), got.FirstBad)
	require.LessOrEqual(t, len(got.Faults), 20)
	l.head.Size = -5
	require.Equal(t, int64(1), func() int64 { r := l.verify(); return r.FirstBad }())
}

// TestKeptCheckpoints checks that a checkpoint that somebody else keeps must be of a prefix of the log, also if the log
// is consistent in itself.
func TestKeptCheckpoints(t *testing.T) {
	whole, part := newLog(t, 20), newLog(t, 7)
	verify := func(c audit.Checkpoint) []audit.Fault {
		v := audit.NewVerifier(tenant, whole.head)
		v.Holds(audit.KeptCheckpoint{Checkpoint: c, Holder: "pack_1"})
		for _, e := range whole.entries {
			v.Add(e.row, e.hashes)
		}
		r := v.Finish([]audit.Key{whole.key})
		return r.Faults
	}
	good := audit.Checkpoint{Tenant: tenant, Epoch: 1, Size: 7, Root: part.head.Root}
	require.Empty(t, verify(good))
	for name, change := range map[string]func(*audit.Checkpoint){
		"is of another tree of 7 events":           func(c *audit.Checkpoint) { c.Root[3] ^= 1 },
		"is of another tree of 8 events":           func(c *audit.Checkpoint) { c.Size = 8 },
		"is ahead of the log: 21 events, epoch 1":  func(c *audit.Checkpoint) { c.Size = 21 },
		"is ahead of the log: 7 events, epoch 100": func(c *audit.Checkpoint) { c.Epoch = 100 },
		"is ahead of the log: 0 events, epoch 1":   func(c *audit.Checkpoint) { c.Size = 0 },
		"is ahead of the log: 7 events, epoch 1":   func(c *audit.Checkpoint) { c.Tenant = "other" },
	} {
		c := good
		change(&c)
		require.Equal(t, []audit.Fault{{Kind: "pack", Detail: "pack_1 " + name}}, verify(c))
	}
}
