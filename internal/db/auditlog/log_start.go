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
func (store *Store) StartLogs(ctx context.Context) error {
	if err := store.Read(ctx, "checkMasterKey", store.CheckMasterKey); err != nil {
		return err
	}
	seen, err := store.CheckLogs(ctx)
	if err != nil || store.Inspect {
		return err
	}
	if err := store.nameMasterKey(ctx); err != nil {
		return err
	}
	if store.Engine.InFile() && store.Checkpoints.dir != "" && files.SameDevice(store.Dir, store.Checkpoints.dir) {
		store.Logger.Warn("the checkpoints are on the database's own device: who can replace the one can replace the other; name a folder elsewhere with --checkpoints",
			"folder", store.Checkpoints.dir)
	}
	for tenant, log := range seen {
		if store.FrozenFor(tenant) != "" {
			continue
		}
		if err := store.renewCheckpointFile(tenant, log); err != nil {
			return err
		}
	}
	return nil
}

// AllTenants returns the ids of all tenants, including the installation's own.
func (store *Store) AllTenants(ctx context.Context) (out []string, err error) {
	err = store.Read(ctx, "allTenants", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT id FROM tenants ORDER BY id", nil,
			func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
		return err
	})
	return out, err
}

// AllLogs returns the ids of all tenants, and of those that have an external checkpoint.
func (store *Store) AllLogs(ctx context.Context) (tenants, files []string, err error) {
	if files, err = store.Checkpoints.Tenants(); err == nil {
		tenants, err = store.AllTenants(ctx)
	}
	return tenants, files, err
}

// seenLog is what the check of one log read.
type seenLog struct {
	head audit.TreeHead
	file string
}

// CheckLogs checks every log for consistency and against its external checkpoint, and freezes or unfreezes the store.
func (store *Store) CheckLogs(ctx context.Context) (map[string]seenLog, error) {
	tenants, files, err := store.AllLogs(ctx)
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	out := map[string]seenLog{}
	for _, tenant := range tenants {
		seen, reason, err := store.CheckLog(ctx, tenant)
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
		store.Logger.Error("a tenant only reads", "tenant", tenant, "reason", reasons[tenant])
	}
	store.Freezes.set(reasons)
	return out, nil
}

// Orphans returns the tenants that have checkpoint files but are not in the database, which must be older
// than those files.
func Orphans(tenants, files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool { return slices.Contains(tenants, f) })
}

// CheckLog checks one log; reason is "" if all is well. It reads the file first, as that is never ahead
// of the database.
func (store *Store) CheckLog(ctx context.Context, tenant string) (seen seenLog, reason string, err error) {
	if seen.file, err = store.Checkpoints.textOf(tenant); err != nil {
		return seen, "", err
	}
	err = store.Read(ctx, "checkLog", func(t *sqldb.Tx) error {
		head, found, err := LogHead(t, tenant)
		if err != nil {
			return err
		}
		seen.head = head
		w, err := store.compare(t, tenant, head, seen.file)
		if err != nil {
			return err
		}
		if reason, err = store.ownFault(t, tenant, head, found); err != nil || reason != "" {
			return err
		}
		if reason, err = store.sealFault(t, tenant, found); err == nil && reason == "" && w.bad {
			reason = w.String()
		}
		return err
	})
	return seen, reason, err
}

// renewCheckpointFile writes a checkpoint file that is behind, for example after a kill.
func (store *Store) renewCheckpointFile(tenant string, seen seenLog) error {
	if seen.file == seen.head.Checkpoint {
		return nil
	}
	c, err := audit.Claimed(seen.head.Checkpoint)
	if err == nil {
		if store.Checkpoints.offer(seen.head, c, seen.head.Checkpoint) != nil {
			store.freezeForked(tenant)
		}
	}
	return err
}

// SystemActor returns the server itself as an actor in a tenant.
func SystemActor(tenant string) access.Actor {
	return access.Actor{Tenant: tenant, ID: access.System, User: access.System}
}
