package auditlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// ownFault returns what is inconsistent in a log, without reading the events: between its head, its newest event, its
// stored hashes and its signature. It returns "" if all is well. VerifyLog checks every event.
func (store *Store) ownFault(t *sqldb.Tx, tenant string, head audit.TreeHead, found bool) (string, error) {
	var last int64
	if err := t.Row("SELECT coalesce(max(seq), 0) FROM events WHERE tenant_id = ?", []any{tenant}, &last); err != nil {
		return "", err
	}
	inUse, all, err := store.logKeys(t, tenant)
	if err != nil {
		return "", err
	}
	if !found {
		if last > 0 || len(all) > 0 {
			return fmt.Sprintf("it has %d events and no head", last), nil
		}
		return "", nil
	}
	if last != head.Size {
		return fmt.Sprintf("it has %d events, and its head says %d", last, head.Size), nil
	}
	c, _, err := audit.Open(head.Checkpoint, inUse)
	if err != nil {
		return "its newest checkpoint is not signed by its key", nil //nolint:nilerr // a result, not an error
	}
	if c != (audit.Checkpoint{Tenant: tenant, Epoch: head.Epoch, Size: head.Size, Root: head.Root}) {
		return "its head is not what its checkpoint signs", nil
	}
	_, ok, err := loadTree(t, tenant, head)
	if err == nil && !ok {
		return "its stored hashes do not make its root", nil
	}
	return "", err
}

// The result of comparing the external checkpoint with the log.
const (
	checkpointAgrees      = "agrees"
	CheckpointFileMissing = "is missing" // no checkpoint file, so nothing was compared
	checkpointAbandoned   = "is of an epoch that was abandoned"
	checkpointForeign     = "is not signed by a key of this log"
	checkpointAhead       = "is ahead of the database"
	checkpointOther       = "is of another tree"
)

// comparedCheckpoint is the result of comparing a log with its external checkpoint.
type comparedCheckpoint struct {
	word    string
	bad     bool
	claimed audit.Checkpoint // content of the file
}

func (w *comparedCheckpoint) String() string { return "the checkpoint kept outside " + w.claim() }

// claim describes the external checkpoint as the end of a sentence about it.
func (w *comparedCheckpoint) claim() string {
	if w.word != checkpointAhead {
		return w.word
	}
	return fmt.Sprintf("%s: it has seen %d events in epoch %d", w.word, w.claimed.Size, w.claimed.Epoch)
}

// compare compares a tenant's checkpoint file with the log that has this head.
func (store *Store) compare(t *sqldb.Tx, tenant string, head audit.TreeHead, file string) (comparedCheckpoint, error) {
	if file == "" {
		if head.Size == 0 {
			return comparedCheckpoint{word: checkpointAgrees}, nil
		}
		return comparedCheckpoint{word: CheckpointFileMissing, bad: true}, nil
	}
	_, all, err := store.logKeys(t, tenant)
	if err != nil {
		return comparedCheckpoint{}, err
	}
	claimed, _ := audit.Claimed(file)
	if head.Size == 0 && claimed.Tenant == tenant && claimed.Size == 0 && claimed.Epoch == 1 {
		return comparedCheckpoint{checkpointAgrees, false, claimed}, nil // killed as the log was begun
	}
	c, _, err := audit.Open(file, all)
	switch {
	case err != nil && len(all) == 0 && claimed.Tenant == tenant:
		return comparedCheckpoint{checkpointAhead, true, claimed}, nil // a database without events has no key
	case err != nil || c.Tenant != tenant:
		return comparedCheckpoint{checkpointForeign, true, claimed}, nil //nolint:nilerr // the result says it
	case c.Epoch > head.Epoch || c.Epoch == head.Epoch && c.Size > head.Size:
		return comparedCheckpoint{checkpointAhead, true, c}, nil
	case c.Epoch < head.Epoch:
		named, err := abandoned(t, tenant, head, file)
		if err != nil || !named {
			return comparedCheckpoint{checkpointOther, true, c}, err
		}
		return comparedCheckpoint{checkpointAbandoned, false, c}, nil
	}
	root, err := rootAt(t, tenant, c.Size)
	if errors.Is(err, errNoHash) || err == nil && root != c.Root {
		return comparedCheckpoint{checkpointOther, true, c}, nil
	}
	return comparedCheckpoint{checkpointAgrees, false, c}, err
}

// rootAt returns the root of the first n events of a log, by its stored hashes.
func rootAt(t *sqldb.Tx, tenant string, n int64) (audit.Hash, error) {
	if n == 0 {
		var empty audit.Tree
		return empty.Root(), nil
	}
	return tlog.TreeHash(n, StoredHashes(t, tenant))
}

const epochStarted = "log.epoch_started"

// abandonment is what the event of a new epoch records about the checkpoint that it abandons.
type abandonment struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   string `json:"root"`
	SHA256 string `json:"sha256"` // of the file's text
}

func abandon(c audit.Checkpoint, file string) abandonment {
	sum := sha256.Sum256([]byte(file))
	return abandonment{Origin: c.Origin(), Size: c.Size, Root: c.Root.String(), SHA256: hex.EncodeToString(sum[:])}
}

// abandoned reports whether the log has abandoned this exact checkpoint, by an event proven to be in its tree.
func abandoned(t *sqldb.Tx, tenant string, head audit.TreeHead, file string) (bool, error) {
	claimed, err := audit.Claimed(file)
	if err != nil {
		return false, nil //nolint:nilerr // no event can name an invalid checkpoint
	}
	events, err := sqldb.Collect(t, "SELECT "+eventColumns+
		" FROM events WHERE tenant_id = ? AND action = ? ORDER BY seq DESC",
		[]any{tenant, epochStarted}, scanEvent)
	if err != nil {
		return false, err
	}
	for _, e := range events {
		var says struct {
			Action  string
			Details struct{ Abandoned *abandonment }
		}
		if json.Unmarshal(e.Bytes, &says) != nil || says.Action != epochStarted || says.Details.Abandoned == nil ||
			*says.Details.Abandoned != abandon(claimed, file) {
			continue
		}
		_, err := provenEvent(t, tenant, head, e.Seq)
		if err == nil || sqldb.NoRow(err) {
			return err == nil, nil
		}
	}
	return false, nil
}
