package auditlog

import (
	"context"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
)

// verifyBatch is how many events one read transaction of VerifyLog reads.
const verifyBatch = 2_000

// snapshot is the log that VerifyLog checks. Events below its size never change, so later transactions read the same.
type snapshot struct {
	head    audit.TreeHead
	last    int64 // seq of the newest event
	before  int64 // number of events before the first
	behind  int64 // first event after the end of the log, 0 if none
	beyond  int64 // number of stored hashes beyond a tree of this size
	inUse   []audit.Key
	outside comparedCheckpoint

	kept    []audit.KeptCheckpoint // checkpoints in signed packs
	foreign []string               // packs whose checkpoint no key of the log has signed
}

// VerifyLog reads a tenant's whole log and checks every leaf, the stored hashes, the head, the checkpoint's signature
// the external checkpoint, and those in signed packs. Faults are in the report; an error means that the check was not
// possible. It reads in many short transactions and does not check what is appended meanwhile.
func (store *Store) VerifyLog(ctx context.Context, tenant string) (audit.Report, error) {
	file, err := store.Checkpoints.textOf(tenant) // before the database, which is never behind it
	if err != nil {
		return audit.Report{}, sqldb.Fail("VerifyLog", err)
	}
	var snap snapshot
	if err := store.Read(ctx, "VerifyLog", func(t *sqldb.Tx) error {
		return store.snapshot(t, tenant, file,
			&snap)
	}); err != nil {
		return audit.Report{}, err
	}
	v := audit.NewVerifier(tenant, snap.head)
	for _, k := range snap.kept {
		v.Holds(k)
	}
	for _, id := range snap.foreign {
		v.Fault("pack", 0, id+" is not signed by a key of this log")
	}
	if snap.before > 0 {
		v.Fault("before", 1, snap.before)
	}
	end := min(snap.last, snap.head.Size)
	for from := int64(1); from <= end && !v.Full(); from += verifyBatch { // both may be false, and very large
		err := store.Read(ctx, "VerifyLog",
			func(t *sqldb.Tx) error { return verifyRows(t, v, tenant, from, min(from+verifyBatch-1, end)) })
		if err != nil {
			return audit.Report{}, err
		}
	}
	if snap.behind > 0 {
		v.Fault("behind", snap.behind, snap.head.Size)
	}
	if snap.beyond > 0 {
		v.Fault("beyond", 0, snap.beyond)
	}
	if w := snap.outside; w.bad {
		seq := int64(0)
		if w.word == checkpointAhead && w.claimed.Size > snap.head.Size {
			seq = snap.head.Size + 1
		}
		v.Fault("checkpoint_file", seq, w.claim())
	}
	report := v.Finish(snap.inUse)
	report.CheckpointFile = snap.outside.word
	return report, nil
}

func (store *Store) snapshot(t *sqldb.Tx, tenant, file string, out *snapshot) (err error) {
	if err := reads.TenantExists(t, tenant); err != nil {
		return err
	}
	if out.head, _, err = LogHead(t, tenant); err != nil {
		return err
	}
	if err := t.Row(`SELECT coalesce(max(seq), 0), count(*) FILTER (WHERE seq < 1),
		coalesce(min(seq) FILTER (WHERE seq >= 1 AND seq > ?), 0)
		FROM events WHERE tenant_id = ?`, []any{out.head.Size, tenant}, &out.last, &out.before,
		&out.behind); err != nil {
		return err
	}
	if err := t.Row("SELECT count(*) FROM log_hashes WHERE tenant_id = ? AND (n < 0 OR n >= ?)",
		[]any{tenant, tlog.StoredHashCount(max(out.head.Size, 0))}, &out.beyond); err != nil {
		return err
	}
	var all []audit.Key
	if out.inUse, all, err = store.logKeys(t, tenant); err != nil {
		return err
	}
	if err := out.readKept(t, tenant, all); err != nil {
		return err
	}
	out.outside, err = store.compare(t, tenant, out.head, file)
	return err
}

// readKept reads the checkpoints in a tenant's signed packs, also of those of which only the signed part is kept.
func (out *snapshot) readKept(t *sqldb.Tx, tenant string, known []audit.Key) error {
	query := `SELECT pack_id, name, data FROM pack_files WHERE tenant_id = ? AND name = ?
		UNION ALL SELECT pack_id, name, data FROM erased_packs WHERE tenant_id = ? AND name = ? ORDER BY pack_id, name`
	return t.Each(query, []any{tenant, pack.FileCheckpoint, tenant, pack.FileLogProof}, func(r sqldb.Scanner) error {
		var id, name string
		var data []byte
		if err := r.Scan(&id, &name, &data); err != nil {
			return err
		}
		text := string(data)
		if name == pack.FileLogProof {
			p, _ := audit.ParseProof(text) // without a checkpoint, which Open refuses, if it can't be read
			text = p.Checkpoint
		}
		c, _, err := audit.Open(text, known)
		if err != nil {
			out.foreign = append(out.foreign, id)
			return nil //nolint:nilerr // a result, not an error
		}
		out.kept = append(out.kept, audit.KeptCheckpoint{Checkpoint: c, Holder: id})
		return nil
	})
}

// verifyRows passes the events from to to to the verifier, including missing ones, each with its stored hashes.
func verifyRows(t *sqldb.Tx, v *audit.Verifier, tenant string, from, to int64) error {
	rows := make([]*audit.StoredEvent, to-from+1)
	err := t.Each("SELECT "+eventColumns+" FROM events WHERE tenant_id = ? AND seq BETWEEN ? AND ?",
		[]any{tenant, from, to}, func(r sqldb.Scanner) error {
			var e audit.StoredEvent
			if err := scanEvent(r, &e); err != nil {
				return err
			}
			rows[e.Seq-from] = &e
			return nil
		})
	if err != nil {
		return err
	}
	first, end := tlog.StoredHashCount(from-1), tlog.StoredHashCount(to)
	hashes := make([]audit.Hash, end-first)
	err = t.Each("SELECT n, hash FROM log_hashes WHERE tenant_id = ? AND n >= ? AND n < ?", []any{tenant, first, end},
		func(r sqldb.Scanner) error {
			var n int64
			var column []byte
			err := r.Scan(&n, &column)
			if err == nil {
				hashes[n-first] = hashOf(column)
			}
			return err
		})
	if err != nil {
		return err
	}
	for i, row := range rows {
		n := audit.StoredHashes(from + int64(i))
		v.Add(row, hashes[:n])
		hashes = hashes[n:]
	}
	return nil
}
