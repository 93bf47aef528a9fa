package audit

import (
	"fmt"
	"math/bits"
)

// TreeHead is a log's newest tree as it is stored.
type TreeHead struct {
	Epoch      int64
	Size       int64
	Root       Hash   // the zero Hash if what is stored is not a hash
	Checkpoint string // the signed note
}

// StoredEvent is an event as it is stored, in its place in the tenant's log: the hashed bytes, and the columns to
// search it by.
type StoredEvent struct {
	Seq      int64 // 1, 2, 3 … in each tenant
	ID       string
	At       string // RFC 3339
	Actor    string
	Role     string
	Action   string
	Kind     string
	ObjectID string
	Address  string // of the client, "" if there was none or it was forgotten; not part of the log
	Named    string // the id that a caller chose for the object, "" if none or forgotten; not part of the log
	Bytes    []byte // the event as RFC 8785 JSON; what it is hashed as, never made again
}

// maxFaults is how many faults a report lists at most; the first ones matter.
const maxFaults = 20

// Verifier checks a log event by event. It keeps only one hash for each bit of the log's size.
type Verifier struct {
	tenant string
	head   TreeHead
	tree   Tree
	next   int64
	report Report

	kept map[int64][]KeptCheckpoint // by the size of their trees
}

// KeptCheckpoint is a checkpoint that is kept in something signed, such as an evidence pack: its tree must be a prefix
// of the log.
type KeptCheckpoint struct {
	Checkpoint Checkpoint
	Holder     string // such as the id of the pack
}

// NewVerifier returns a Verifier of a tenant's log, given the head that is stored for it.
func NewVerifier(tenant string, head TreeHead) *Verifier {
	return &Verifier{tenant: tenant, head: head, next: 1}
}

// Fault records a fault of the event seq, 0 for none in particular; detail fills {detail} in the kind's text.
func (v *Verifier) Fault(kind string, seq int64, detail any) {
	if seq > 0 && (v.report.FirstBad == 0 || seq < v.report.FirstBad) {
		v.report.FirstBad = seq
	}
	if len(v.report.Faults) < maxFaults {
		v.report.Faults = append(v.report.Faults, Fault{kind, seq, fmt.Sprint(detail)})
	}
}

// Holds has the log compared with a checkpoint, before the events of its tree are added.
func (v *Verifier) Holds(k KeptCheckpoint) {
	c := &k.Checkpoint
	if c.Tenant != v.tenant || c.Size < 1 || c.Epoch > v.head.Epoch || c.Size > v.head.Size {
		v.Fault("pack", 0, fmt.Sprintf("%s is ahead of the log: %d events, epoch %d", k.Holder, c.Size, c.Epoch))
		return
	}
	if v.kept == nil {
		v.kept = map[int64][]KeptCheckpoint{}
	}
	v.kept[c.Size] = append(v.kept[c.Size], k)
}

// compareKept compares the tree with the checkpoints of its size.
func (v *Verifier) compareKept() {
	for _, k := range v.kept[v.tree.Size()] {
		if k.Checkpoint.Root != v.tree.Root() {
			v.Fault("pack", 0, fmt.Sprintf("%s is of another tree of %d events", k.Holder, k.Checkpoint.Size))
		}
	}
}

// Full reports whether the report lists as many faults as it can; further checks would not change it.
func (v *Verifier) Full() bool { return len(v.report.Faults) >= maxFaults }

// StoredHashes is how many hashes are stored for an event.
func StoredHashes(seq int64) int { return bits.TrailingZeros64(uint64(seq)) + 1 }

// Add checks the next event, beginning with 1. row is nil if the event is missing. stored has StoredHashes hashes; a
// missing one is the zero Hash. Events beyond the head's size belong to no tree.
func (v *Verifier) Add(row *StoredEvent, stored []Hash) {
	seq := v.next
	v.next++
	if seq > v.head.Size {
		if row != nil {
			v.Fault("behind", seq, v.head.Size)
		}
		return
	}
	leaf := stored[0]
	if row == nil {
		v.Fault("missing", seq, "")
	} else {
		v.row(seq, row)
		if h := LeafHash(row.Bytes); h != leaf {
			v.Fault("bytes", seq, "")
			if leaf == (Hash{}) {
				leaf = h
			}
		}
	}
	for i, want := range v.tree.Append(leaf) {
		if i > 0 && stored[i] != want {
			v.Fault("hash", seq, i)
		}
	}
	v.compareKept()
}

// row checks that the columns of an event agree with its bytes.
func (v *Verifier) row(seq int64, r *StoredEvent) {
	e, err := ParseEvent(r.Bytes)
	if err != nil {
		v.Fault("unreadable", seq, err)
		return
	}
	says := StoredEvent{
		Seq: e.Seq, ID: e.ID, At: e.At, Actor: e.Actor, Role: e.Role, Action: e.Action, Kind: e.Object.Kind,
		ObjectID: e.Object.ID,
	}
	for _, c := range []struct {
		name string
		same bool
	}{
		{"tenant", e.Tenant == v.tenant}, {"seq", says.Seq == seq}, {"id", says.ID == r.ID}, {"at", says.At == r.At},
		{"actor", says.Actor == r.Actor}, {"role", says.Role == r.Role}, {"action", says.Action == r.Action},
		{"object_kind", says.Kind == r.Kind}, {"object_id", says.ObjectID == r.ObjectID},
	} {
		if !c.same {
			v.Fault("column", seq, c.name)
		}
	}
}

// Finish checks the head and returns the report. known are the keys that may have signed the newest checkpoint.
func (v *Verifier) Finish(known []Key) Report {
	for v.next <= v.head.Size && !v.Full() {
		v.Add(nil, make([]Hash, StoredHashes(v.next)))
	}
	now := Checkpoint{Tenant: v.tenant, Epoch: v.head.Epoch, Size: v.head.Size, Root: v.head.Root}
	v.report.Origin, v.report.Size, v.report.Root = now.Origin(), now.Size, now.Root.String()
	if v.tree.Size() == v.head.Size && v.tree.Root() != v.head.Root {
		v.Fault("root", 0, "")
	}
	if v.head == (TreeHead{Epoch: v.head.Epoch, Root: v.head.Root}) { // an empty log has no checkpoint
		return v.report
	}
	signed, keyID, err := Open(v.head.Checkpoint, known)
	switch {
	case err != nil:
		v.Fault("signature", 0, err)
	case signed != now:
		v.Fault("other_tree", 0, fmt.Sprintf("%s, %d", signed.Origin(), signed.Size))
	}
	v.report.KeyID = keyID
	return v.report
}
