package auditlog

import (
	"context"
	"fmt"
	"slices"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
)

// StartEpoch continues the log of by's tenant from its present state, which is older than its external checkpoint:
// later checkpoints get a new origin, and an event records the abandoned checkpoint and the reason. It works on a
// frozen store, and unfreezes it if nothing else is wrong. An inconsistent log is refused (Conflict): it is not an
// older copy, but a changed one.
func (store *Store) StartEpoch(ctx context.Context, by access.Actor, reason string) error {
	if reason == "" {
		return domain.Refuse(domain.Invalid, "reason", "refused_say_why_newer")
	}
	if err := store.BeginEpoch(ctx, by, reason); err != nil {
		return err
	}
	_, err := store.CheckLogs(ctx)
	return err
}

// StartEpochs does what StartEpoch does for every log and every external checkpoint, as the operator, after a restore.
// The checkpoint of a tenant that the database does not have is renamed (.abandoned) and recorded in the system's log.
func (store *Store) StartEpochs(ctx context.Context, reason string) error {
	tenants, files, err := store.AllLogs(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		text, err := store.Checkpoint(ctx, tenant)
		if err != nil {
			return err
		}
		if text != "" || slices.Contains(files, tenant) {
			if err := store.StartEpoch(ctx, access.AtCommandLine(tenant), reason); err != nil {
				return err
			}
		}
	}
	for _, orphan := range Orphans(tenants, files) {
		if err := store.PutAside(ctx, orphan, reason); err != nil {
			return err
		}
	}
	_, err = store.CheckLogs(ctx)
	return err
}

// BeginEpoch is StartEpoch without the check of all logs that unfreezes the store: a restore begins several.
func (store *Store) BeginEpoch(ctx context.Context, by access.Actor, reason string) error {
	file, err := store.Checkpoints.textOf(by.Tenant)
	if err != nil {
		return sqldb.Fail("StartEpoch", err)
	}
	store.Checkpoints.accept(by.Tenant, file)
	return store.Write(ctx, sqldb.EveryTenant, "StartEpoch", func(t *sqldb.Tx) error {
		LogOf.Of(t).whileFrozen = true
		if err := reads.TenantExists(t, by.Tenant); err != nil {
			return err
		}
		head, found, err := LogHead(t, by.Tenant)
		if err != nil {
			return err
		}
		fault, err := store.ownFault(t, by.Tenant, head, found)
		if err != nil {
			return err
		}
		if fault != "" {
			return domain.Refuse(domain.Conflict, "", "refused_audit_log_tenant", "Name", by.Tenant, "Other", fault)
		}
		if _, err := t.Exec("DELETE FROM log_seals WHERE tenant_id = ?", by.Tenant); err != nil {
			return err
		}
		if err := store.sealLog(t, by.Tenant); err != nil {
			return err
		}
		g, err := store.Grow(t, by.Tenant)
		if err != nil {
			return err
		}
		details := map[string]any{"reason": reason}
		if why := store.FrozenFor(by.Tenant); why != "" {
			details["accepted"] = why
		}
		if file != "" {
			c, _ := audit.Claimed(file) // the text's hash identifies it even if it can't be parsed
			details["abandoned"] = abandon(c, file)
			g.epoch = max(g.epoch, c.Epoch)
		}
		g.epoch++
		details["epoch"] = g.epoch
		return store.AppendEvent(t, by, Event{Action: epochStarted, Kind: "log", ObjectID: by.Tenant, Details: details})
	})
}

// PutAside renames the checkpoint of a tenant that the database does not have, after recording it in the system's log.
func (store *Store) PutAside(ctx context.Context, tenant, reason string) error {
	file, err := store.Checkpoints.textOf(tenant)
	if err != nil {
		return sqldb.Fail("StartEpochs", err)
	}
	c, _ := audit.Claimed(file)
	err = store.Write(ctx, sqldb.EveryTenant, "StartEpochs", func(t *sqldb.Tx) error {
		LogOf.Of(t).whileFrozen = true
		return store.AppendEvent(t, access.AtCommandLine(reads.SystemTenant),
			Event{Action: "log.checkpoint_abandoned", Kind: "log",
				ObjectID: fmt.Sprintf("%.40s", tenant),
				Details:  map[string]any{"reason": reason, "abandoned": abandon(c, file)}})
	})
	if err != nil {
		return err
	}
	return sqldb.Fail("StartEpochs", store.Checkpoints.PutAside(tenant))
}
