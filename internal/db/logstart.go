package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// startLogs prepares the logs at Open: events stored before there was a tree are added to it, every log is checked for
// consistency and against its external checkpoint, and the store is frozen if a log is not the one seen before.
func (s *Store) startLogs(ctx context.Context) error {
	if err := s.checkMasterKey(ctx); err != nil {
		return err
	}
	tenants, err := s.allTenants(ctx)
	if err != nil {
		return err
	}
	entered := map[string]bool{}
	for _, tenant := range tenants {
		if entered[tenant], err = s.enterOldEvents(ctx, tenant); err != nil {
			return err
		}
	}
	seen, err := s.checkLogs(ctx)
	if err != nil || s.Frozen() != "" || s.inspect {
		return err
	}
	for _, tenant := range tenants {
		if err := s.renewCheckpointFile(ctx, tenant, seen[tenant], entered[tenant]); err != nil {
			return err
		}
	}
	return nil
}

// allTenants returns the ids of all tenants, including the installation's own.
func (s *Store) allTenants(ctx context.Context) (out []string, err error) {
	err = s.read(ctx, "allTenants", func(t *tx) error {
		out, err = collect(t, "SELECT id FROM tenants ORDER BY id", nil,
			func(r scanner, id *string) error { return r.Scan(id) })
		return err
	})
	return out, err
}

// entryBatch is how many older events are added to the tree in one transaction.
const entryBatch = 5_000

// enterOldEvents adds events that were stored before there was a tree, in several transactions; only the last one
// creates a key and signs. A log with a key, a signed head or an external checkpoint was in the tree before, so that
// removing its head does not get it a new one here.
func (s *Store) enterOldEvents(ctx context.Context, tenant string) (entered bool, err error) {
	file, err := s.checkpoints.read(tenant)
	if err != nil || file != "" {
		return false, err
	}
	for more := true; more; {
		err := s.write(ctx, "enterOldEvents", func(t *tx) error {
			var did bool
			did, more, err = s.enterBatch(t, tenant)
			entered = entered || did
			return err
		})
		if err != nil {
			return false, err
		}
	}
	return entered, nil
}

func (s *Store) enterBatch(t *tx, tenant string) (did, more bool, err error) {
	head, _, err := logHead(t, tenant)
	if err != nil || head.Checkpoint != "" {
		return false, false, err
	}
	if _, all, err := s.logKeys(t, tenant); err != nil || len(all) > 0 {
		return false, false, err
	}
	tree, ok, err := loadTree(t, tenant, head)
	if err != nil || !ok {
		return false, false, err
	}
	old, err := collect(t, "SELECT "+eventColumns+" FROM events WHERE tenant_id = ? AND seq > ? ORDER BY seq LIMIT ?",
		[]any{tenant, head.Size, entryBatch}, scanEvent)
	if err != nil || len(old) == 0 && head.Size == 0 {
		return false, false, err
	}
	g := &growing{head: head, epoch: head.Epoch, tree: tree}
	for _, e := range old {
		if e.Seq != g.tree.Size()+1 {
			return false, false, nil // the check that follows reports it
		}
		if err := g.enter(t, tenant, e.Bytes); err != nil {
			return false, false, err
		}
	}
	if len(old) == entryBatch {
		return true, true, g.save(t, tenant, stamp(s.now()))
	}
	t.logs = map[string]*growing{tenant: g} // signed with the commit
	return true, false, nil
}

// seenLog is what the check of one log read.
type seenLog struct {
	head audit.TreeHead
	file string
}

// checkLogs checks every log for consistency and against its external checkpoint, and freezes or unfreezes the store.
func (s *Store) checkLogs(ctx context.Context) (map[string]seenLog, error) {
	files, err := s.checkpoints.tenants()
	if err != nil {
		return nil, err
	}
	tenants, err := s.allTenants(ctx)
	if err != nil {
		return nil, err
	}
	var reasons []string
	out := map[string]seenLog{}
	for _, tenant := range tenants {
		seen, reason, err := s.checkLog(ctx, tenant)
		if err != nil {
			return nil, err
		}
		if out[tenant] = seen; reason != "" {
			reasons = append(reasons,
				fmt.Sprintf("the audit log of tenant %s is not the one that was seen before: %s", tenant, reason))
		}
	}
	for _, tenant := range orphans(tenants, files) {
		reasons = append(reasons, fmt.Sprintf("there is a checkpoint outside for tenant %.40q, which the database does not have", tenant))
	}
	s.freeze(strings.Join(reasons, "; "))
	return out, nil
}

// orphans returns the tenants that have checkpoint files but are not in the database, which must be older
// than those files.
func orphans(tenants, files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool { return slices.Contains(tenants, f) })
}

// checkLog checks one log; reason is "" if all is well. It reads the file first, as that is never ahead
// of the database.
func (s *Store) checkLog(ctx context.Context, tenant string) (seen seenLog, reason string, err error) {
	if seen.file, err = s.checkpoints.read(tenant); err != nil {
		return seen, "", err
	}
	err = s.read(ctx, "checkLog", func(t *tx) error {
		head, found, err := logHead(t, tenant)
		if err != nil {
			return err
		}
		seen.head = head
		w, err := s.compare(t, tenant, head, seen.file)
		if err != nil {
			return err
		}
		if reason, err = s.ownFault(t, tenant, head, found); err == nil && reason == "" && w.bad {
			reason = w.String()
		}
		return err
	})
	return seen, reason, err
}

// renewCheckpointFile writes a checkpoint file that is behind, for example after a kill. A missing file is also written
// again, and logged, unless there has never been one.
func (s *Store) renewCheckpointFile(ctx context.Context, tenant string, seen seenLog, entered bool) error {
	if seen.file == seen.head.Checkpoint {
		return nil
	}
	if seen.file == "" && !entered { // another process may have written its first one meanwhile
		again, err := s.checkpoints.read(tenant)
		if err != nil {
			return err
		}
		if again == "" {
			s.log.Warn("the checkpoint outside the database is missing; a new one is made", "tenant", tenant, "folder",
				s.checkpoints.dir)
			return s.LogEvent(ctx, systemActor(tenant),
				Event{Action: "log.checkpoint_missing", Kind: "log", ObjectID: tenant})
		}
	}
	c, err := audit.Claimed(seen.head.Checkpoint)
	if err == nil {
		s.checkpoints.offer(c, seen.head.Checkpoint)
	}
	return err
}

// systemActor returns the server itself as an actor in a tenant.
func systemActor(tenant string) domain.Actor {
	return domain.Actor{Tenant: tenant, ID: domain.System, User: domain.System}
}

// Frozen returns why the store is read-only, namely that a log is not the one seen before; "" if it isn't.
func (s *Store) Frozen() string {
	if p := s.frozen.Load(); p != nil {
		return *p
	}
	return ""
}

// freeze makes the store read-only for a reason; "" unfreezes it.
func (s *Store) freeze(reason string) {
	if reason != "" {
		s.log.Error("the store only reads", "reason", reason)
	}
	s.frozen.Store(&reason)
}

func (s *Store) frozenError() error {
	return &domain.Error{Kind: domain.Unavailable, Op: "db.appendEvent", Err: errors.New(s.Frozen()),
		Msg: "Nothing can be changed at the moment: the audit log did not pass its check, so the store only reads. Tell your operator."}
}
