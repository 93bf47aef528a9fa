package bundles

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// LinkRun records that a run was given a bundle; created is false if that was recorded before.
func (store *Store) LinkRun(ctx context.Context, a access.Actor, bundleID, runID string) (created bool, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "LinkRun", func(t *sqldb.Tx) error {
		no, err := bundleNo(t, a.Tenant, bundleID)
		if err != nil {
			return err
		}
		created, err = store.linkRun(t, a, no, bundleID, runID)
		return err
	})
	return created, err
}

// LinkRunTo is LinkRun within a transaction; known is false, and nothing is stored, if there is no such bundle.
func (store *Store) LinkRunTo(t *sqldb.Tx, a access.Actor, bundleID, runID string) (known bool, err error) {
	no, err := bundleNo(t, a.Tenant, bundleID)
	if sqldb.NoRow(err) {
		return false, nil
	}
	if err == nil {
		_, err = store.linkRun(t, a, no, bundleID, runID)
	}
	return true, err
}

func (store *Store) linkRun(t *sqldb.Tx, a access.Actor, no int, bundleID, runID string) (created bool, err error) {
	var one int
	err = t.Row("SELECT 1 FROM run_evidence WHERE tenant_id = ? AND run_id = ? AND bundle_no = ?",
		[]any{a.Tenant, runID, no}, &one)
	if !sqldb.NoRow(err) {
		return false, err
	}
	if _, err := t.Exec("INSERT INTO run_evidence (tenant_id, run_id, bundle_no, created_at, made_by) VALUES ("+
		sqldb.Placeholders(5)+")",
		a.Tenant, runID, no, sqldb.Stamp(store.Now()), a.ID); err != nil {
		return false, err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("run_evidence", []any{runID, no}))
	return true, store.AppendEvent(t, a,
		auditlog.Event{Action: "bundle.run_linked", Kind: "bundle", ObjectID: bundleID,
			Details: map[string]any{"run_commitment": auditlog.HideName(runID)}})
}
