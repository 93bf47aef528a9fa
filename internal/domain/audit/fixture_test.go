package audit_test

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
)

const tenant = "5e7a0a52-6b1c-4f7e-9d0e-111111111111"

// signer signs as the origin of epoch 1.
type signer struct {
	note.Verifier
	key ed25519.PrivateKey
}

func (s signer) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(s.key, msg), nil }

func newSigner(t testing.TB, origin string, seed byte) (signer, audit.Key) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(slices.Repeat([]byte{seed}, 32))
	public := key.Public().(ed25519.PublicKey)
	text, err := note.NewEd25519VerifierKey(origin, public)
	require.NoError(t, err)
	v, err := note.NewVerifier(text)
	require.NoError(t, err)
	return signer{v, key}, audit.Key{ID: fmt.Sprint("key ", seed), Public: public}
}

// entry is a stored event with the hashes stored for it.
type entry struct {
	row    *audit.StoredEvent
	hashes []audit.Hash
}

// storedLog is a whole log in memory, as the database has it.
type storedLog struct {
	entries []entry
	head    audit.TreeHead
	key     audit.Key
}

func event(t testing.TB, seq int64) audit.Event {
	t.Helper()
	details, err := json.Marshal(map[string]any{"claim": seq, "note": "ملاحظة <b>\u2028"})
	require.NoError(t, err)
	return audit.Event{
		Format: audit.EventFormat, Tenant: tenant, Seq: seq, ID: fmt.Sprintf("id-%d", seq),
		At:    fmt.Sprintf("2026-03-01T12:00:%02d.000000000Z", seq%60),
		Actor: "u1", Role: "reviewer", From: "192.0.2.1", Trace: "t", Action: "claim.reviewed",
		Object: audit.Object{Kind: "session", ID: "s1"}, Details: details,
	}
}

func rowOf(t testing.TB, e audit.Event) *audit.StoredEvent {
	t.Helper()
	data, err := canonical.JSON(e)
	require.NoError(t, err)
	return &audit.StoredEvent{Seq: e.Seq, ID: e.ID, At: e.At, Actor: e.Actor, Role: e.Role, Action: e.Action,
		Kind: e.Object.Kind, ObjectID: e.Object.ID, Bytes: data}
}

func newLog(t testing.TB, size int) storedLog {
	t.Helper()
	var tree audit.Tree
	var l storedLog
	for i := range size {
		row := rowOf(t, event(t, int64(i+1)))
		l.entries = append(l.entries, entry{row, tree.Append(audit.LeafHash(row.Bytes))})
	}
	c := audit.Checkpoint{Tenant: tenant, Epoch: 1, Size: tree.Size(), Root: tree.Root()}
	by, key := newSigner(t, c.Origin(), 1)
	text, err := audit.Sign(&c, by)
	require.NoError(t, err)
	l.head, l.key = audit.TreeHead{Epoch: 1, Size: c.Size, Root: c.Root, Checkpoint: text}, key
	return l
}

// clone returns a copy whose rows and hashes may be changed.
func (l *storedLog) clone() storedLog {
	out := *l
	out.entries = slices.Clone(l.entries)
	return out
}

// own returns an entry that may be changed without changing another log's.
func (l *storedLog) own(i int) *entry {
	e := &l.entries[i]
	if e.row != nil {
		row := *e.row
		row.Bytes = slices.Clone(row.Bytes)
		e.row = &row
	}
	e.hashes = slices.Clone(e.hashes)
	return e
}

// verify checks the log as storage would: event by event, with the hashes of each.
func (l *storedLog) verify() audit.Report {
	v := audit.NewVerifier(tenant, l.head)
	for i, e := range l.entries {
		hashes := make([]audit.Hash, audit.StoredHashes(int64(i+1)))
		copy(hashes, e.hashes)
		v.Add(e.row, hashes)
	}
	return v.Finish([]audit.Key{l.key})
}

// reader returns the stored hashes by tlog's index.
func (l *storedLog) reader() tlog.HashReaderFunc {
	var all []audit.Hash
	for _, e := range l.entries {
		all = append(all, e.hashes...)
	}
	return func(indexes []int64) ([]audit.Hash, error) {
		out := make([]audit.Hash, len(indexes))
		for i, n := range indexes {
			out[i] = all[n]
		}
		return out, nil
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 4)) }
