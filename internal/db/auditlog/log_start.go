package auditlog

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/files"
)

// StartLogs checks the logs at Open: every log for consistency and against its external checkpoint. A tenant is frozen
// if its log is not the one seen before; a checkpoint that is behind is written again.
func (s *Store) StartLogs(ctx context.Context) error {
	if err := s.Read(ctx, "checkMasterKey", s.CheckMasterKey); err != nil {
		return err
	}
	seen, err := s.CheckLogs(ctx)
	if err != nil || s.Inspect {
		return err
	}
	if err := s.nameMasterKey(ctx); err != nil {
		return err
	}
	if s.Engine.InFile() && s.Checkpoints.dir != "" && files.SameDevice(s.Dir, s.Checkpoints.dir) {
		s.Logger.Warn("the checkpoints are on the database's own device: who can replace the one can replace the other; name a folder elsewhere with --checkpoints",
			"folder", s.Checkpoints.dir)
	}
	for tenant, log := range seen {
		if s.FrozenFor(tenant) != "" {
			continue
		}
		if err := s.renewCheckpointFile(tenant, log); err != nil {
			return err
		}
	}
	return nil
}

// AllTenants returns the ids of all tenants, including the installation's own.
func (s *Store) AllTenants(ctx context.Context) (out []string, err error) {
	err = s.Read(ctx, "allTenants", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT id FROM tenants ORDER BY id", nil,
			func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
		return err
	})
	return out, err
}

// AllLogs returns the ids of all tenants, and of those that have an external checkpoint.
func (s *Store) AllLogs(ctx context.Context) (tenants, files []string, err error) {
	if files, err = s.Checkpoints.Tenants(); err == nil {
		tenants, err = s.AllTenants(ctx)
	}
	return tenants, files, err
}

// seenLog is what the check of one log read.
type seenLog struct {
	head audit.TreeHead
	file string
}

// CheckLogs checks every log for consistency and against its external checkpoint, and freezes or unfreezes the store.
func (s *Store) CheckLogs(ctx context.Context) (map[string]seenLog, error) {
	tenants, files, err := s.AllLogs(ctx)
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	out := map[string]seenLog{}
	for _, tenant := range tenants {
		seen, reason, err := s.CheckLog(ctx, tenant)
		if err != nil {
			return nil, err
		}
		if out[tenant] = seen; reason != "" {
			reasons[tenant] = fmt.Sprintf("the audit log of tenant %s is not the one that was seen before: %s", tenant,
				reason)
		}
	}
	if gone := Orphans(tenants, files); len(gone) > 0 {
		reasons[wholeStore] = fmt.Sprintf(
			"there is a checkpoint outside for tenant %.40q, which the database does not have", gone[0])
	}
	for _, tenant := range slices.Sorted(maps.Keys(reasons)) {
		s.Logger.Error("a tenant only reads", "tenant", tenant, "reason", reasons[tenant])
	}
	s.Freezes.set(reasons)
	return out, nil
}

// Orphans returns the tenants that have checkpoint files but are not in the database, which must be older
// than those files.
func Orphans(tenants, files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool { return slices.Contains(tenants, f) })
}

// CheckLog checks one log; reason is "" if all is well. It reads the file first, as that is never ahead
// of the database.
func (s *Store) CheckLog(ctx context.Context, tenant string) (seen seenLog, reason string, err error) {
	if seen.file, err = s.Checkpoints.textOf(tenant); err != nil {
		return seen, "", err
	}
	err = s.Read(ctx, "checkLog", func(t *sqldb.Tx) error {
		head, found, err := LogHead(t, tenant)
		if err != nil {
			return err
		}
		seen.head = head
		w, err := s.compare(t, tenant, head, seen.file)
		if err != nil {
			return err
		}
		if reason, err = s.ownFault(t, tenant, head, found); err != nil || reason != "" {
			return err
		}
		if reason, err = s.sealFault(t, tenant, found); err == nil && reason == "" && w.bad {
			reason = w.String()
		}
		return err
	})
	return seen, reason, err
}

// renewCheckpointFile writes a checkpoint file that is behind, for example after a kill.
func (s *Store) renewCheckpointFile(tenant string, seen seenLog) error {
	if seen.file == seen.head.Checkpoint {
		return nil
	}
	c, err := audit.Claimed(seen.head.Checkpoint)
	if err == nil {
		if s.Checkpoints.offer(seen.head, c, seen.head.Checkpoint) != nil {
			s.freezeForked(tenant)
		}
	}
	return err
}

// SystemActor returns the server itself as an actor in a tenant.
func SystemActor(tenant string) access.Actor {
	return access.Actor{Tenant: tenant, ID: access.System, User: access.System}
}
