package auditlog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// checkpointFiles keeps the newest checkpoint of each tenant outside the database, so that replacing the database by an
// older copy is detected (rule LOG-3), and so is a second database that goes on from the same log. A checkpoint is
// written after the commit and before the write is acknowledged: it is never ahead of the database, and lacks only
// unacknowledged changes. Concurrent writers share one write of the newest checkpoint. If it can't be written, the
// change stays, since it is committed; Ready reports the fault until writing works again.
type checkpointFiles struct {
	Witness
	dir string // of a witness in a folder; "" for a bucket
	log *slog.Logger
	// follows returns "" if a checkpoint that this process has not written is of this database's log, else what it is.
	follows func(tenant, file string) (string, error)

	mu    sync.Mutex
	files map[string]*checkpointFile // by tenant
}

// checkpointFile is one tenant's file.
type checkpointFile struct {
	writing sync.Mutex // held while the file is written; don't wait for it while holding checkpointFiles.mu

	newest  audit.Checkpoint // newest committed here; like all that follows guarded by checkpointFiles.mu
	text    string
	written string // the text that this process wrote last, or may replace
	resets  int    // how often written was forgotten, since others had written
	fault   error  // why the newest is not in the file, nil if it is

	tried time.Time // when writing failed last
	took  time.Duration
}

// errForked means that the checkpoint outside is of a log that is not this database's.
var errForked = errors.New("the checkpoint kept outside is not of this database's log")

// textOf returns a tenant's checkpoint, "" if none.
func (files *checkpointFiles) textOf(tenant string) (string, error) {
	text, _, err := files.Read(tenant)
	return text, err
}

// Later reports whether b has seen more of a log than a.
func Later(a, b audit.Checkpoint) bool {
	return b.Epoch > a.Epoch || b.Epoch == a.Epoch && b.Size > a.Size
}

// offer writes a committed checkpoint of a log that went on from a head, unless a newer one was written. It returns
// errForked, and no other error, if another log is there.
func (files *checkpointFiles) offer(from audit.TreeHead, c audit.Checkpoint, text string) error {
	files.mu.Lock()
	f := files.of(c.Tenant)
	if f.text == "" || Later(f.newest, c) {
		if f.text != "" && from.Root != f.newest.Root { // others wrote between: what is outside may be of what they lost
			f.written = ""
			f.resets++
		}
		f.newest, f.text = c, text
	}
	files.mu.Unlock()
	return files.flush(f, false)
}

// lost reports whether the log in the database is shorter than this process has left it.
func (files *checkpointFiles) lost(tenant string, head audit.TreeHead) bool {
	files.mu.Lock()
	defer files.mu.Unlock()
	f := files.files[tenant]
	return f != nil && f.text != "" && Later(audit.Checkpoint{Epoch: head.Epoch, Size: head.Size}, f.newest)
}

// of returns a tenant's file; files.mu is held.
func (files *checkpointFiles) of(tenant string) *checkpointFile {
	if files.files == nil {
		files.files = map[string]*checkpointFile{}
	}
	f := files.files[tenant]
	if f == nil {
		f = &checkpointFile{}
		files.files[tenant] = f
	}
	return f
}

// accept has a checkpoint that is outside replaced by the next one, whatever it says: the operator abandons it.
func (files *checkpointFiles) accept(tenant, text string) {
	files.mu.Lock()
	f := files.of(tenant)
	files.mu.Unlock()
	f.writing.Lock()
	defer f.writing.Unlock()
	files.mu.Lock()
	defer files.mu.Unlock()
	f.written = text
}

// begin writes the checkpoint of an empty log, unless there is one that says more.
func (files *checkpointFiles) begin(tenant, text string) {
	now, version, err := files.Read(tenant)
	if c, bad := audit.Claimed(now); now != "" && (bad != nil || c.Tenant != tenant || c.Size > 0) {
		return // what it says is compared at the next start
	}
	if err == nil {
		err = files.write(tenant, text, version)
	}
	if err != nil && !errors.Is(err, errWitnessChanged) { // who has changed it has begun the log
		files.log.Error("the first checkpoint of a log could not be written", "tenant", tenant, "err", err)
	}
}

// flush brings one file up to date. Callers that arrive while it is being written wait, and mostly find it done. While
// the witness does not answer, not every change waits for it: only one in a while does, and whoever must know.
func (files *checkpointFiles) flush(f *checkpointFile, must bool) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	files.mu.Lock()
	c, text, written, resets := f.newest, f.text, f.written, f.resets
	done, slow := written == text, f.fault != nil && f.took > slowFault && time.Since(f.tried) < faultWaits*f.took
	files.mu.Unlock()
	if done || slow && !must {
		return nil
	}
	began := time.Now()
	err := files.bring(written, c, text)
	if err != nil {
		files.log.Error("the checkpoint outside the database could not be written", "tenant", c.Tenant, "err", err)
	}
	files.mu.Lock()
	defer files.mu.Unlock()
	if f.fault = err; err == nil {
		if f.resets == resets { // else others wrote while this was being written, and the next one is compared
			f.written = text
		}
	} else {
		f.tried = time.Now()
		f.took = f.tried.Sub(began)
	}
	if errors.Is(err, errForked) {
		return errForked
	}
	return nil
}

// How long a fault takes that changes do not wait for each time, and how much longer they then do not.
const (
	slowFault  = time.Second
	faultWaits = 10
)

// witnessTries is how often a checkpoint is compared and written, while other nodes write newer ones.
const witnessTries = 50

// bring writes a checkpoint, unless another process has written a newer one of the same log meanwhile. written is what
// this process wrote last, which need not be compared.
func (files *checkpointFiles) bring(written string, c audit.Checkpoint, text string) error {
	for range witnessTries {
		now, version, err := files.Read(c.Tenant)
		if err != nil || now == text { // an answer to an earlier attempt may have been lost
			return err
		}
		if now != "" && now != written {
			if what, err := files.follows(c.Tenant, now); err != nil || what != "" {
				return errors.Join(err, forked(what))
			}
			if other, err := audit.Claimed(now); err == nil && Later(c, other) {
				return nil
			}
		}
		if err := files.write(c.Tenant, text, version); !errors.Is(err, errWitnessChanged) {
			return err
		}
	}
	return errWitnessChanged
}

func forked(what string) error {
	if what == "" {
		return nil
	}
	return fmt.Errorf("%w: it %s", errForked, what)
}

// Retry writes the checkpoints that failed before, and returns those that still fail. One that was forked is not
// written: its tenant only reads.
func (files *checkpointFiles) Retry() error {
	files.mu.Lock()
	var late []*checkpointFile
	for _, f := range files.files {
		if f.fault != nil && !errors.Is(f.fault, errForked) {
			late = append(late, f)
		}
	}
	files.mu.Unlock()
	var errs []error
	for _, f := range late {
		_ = files.flush(f, true) // its fault is read below
		files.mu.Lock()
		errs = append(errs, f.fault)
		files.mu.Unlock()
	}
	return errors.Join(errs...)
}

// OpenCheckpoints opens the place of the checkpoints outside: a folder's path or a URL.
func (store *Store) OpenCheckpoints(ctx context.Context, place string) error {
	w, err := OpenWitness(ctx, place)
	if err != nil {
		return fmt.Errorf("the place of the checkpoints: %w", err)
	}
	store.Checkpoints.Witness, store.Checkpoints.log, store.Checkpoints.follows = w, store.Logger, store.followsOwnLog
	if folder, ok := w.(FolderWitness); ok {
		store.Checkpoints.dir = folder.Dir
	}
	return nil
}

// followsOwnLog compares a checkpoint with the log in the database, which is read after it and so is not behind it.
func (store *Store) followsOwnLog(tenant, file string) (what string, err error) {
	err = store.Read(context.Background(), "checkpoint", func(t *sqldb.Tx) error {
		head, _, err := LogHead(t, tenant)
		if err != nil {
			return err
		}
		w, err := store.compare(t, tenant, head, file)
		if err == nil && w.bad {
			what = w.claim()
		}
		return err
	})
	return what, err
}

// freezeForked makes a tenant read-only whose checkpoint outside is of another log: another server goes on from a copy
// of this database, or somebody has changed the checkpoint.
func (store *Store) freezeForked(tenant string) {
	store.freeze(tenant, fmt.Sprintf("the audit log of tenant %s was forked: the checkpoint kept outside is not of this "+
		"database's log; is there a second server on a copy of this database? (sanad doctor, sanad audit verify)",
		tenant))
}

// freezeShorter makes a tenant read-only whose log has lost events that this process has seen committed.
func (store *Store) freezeShorter(tenant string) {
	store.freeze(tenant, fmt.Sprintf("the audit log of tenant %s has lost its newest events: was a standby promoted that lacked "+
		"them, or an older copy put back? (sanad doctor, sanad audit verify)", tenant))
}
