package bundles

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// Erase deletes a bundle with its artifacts in the lake, or one artifact.
func (store *Store) Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, files []string) (auditlog.Event, error) {
	if e.Kind == erasure.Artifact {
		return eraseArtifact(t, by.Tenant, e.ObjectID)
	}
	tenant := by.Tenant
	no, err := bundleNo(t, tenant, e.ObjectID)
	if err != nil {
		return auditlog.Event{}, err
	}
	auditlog.Record(t, tenant, auditlog.Deleted("evidence_bundles", e.ObjectID), auditlog.Deleted("evidence_items", no))
	for _, name := range []string{"evidence_builds", "run_evidence"} {
		if err := auditlog.DeletedRows(t, tenant, name, " AND r.bundle_no = ?2", no); err != nil {
			return auditlog.Event{}, err
		}
	}
	for _, key := range files {
		auditlog.Record(t, tenant, auditlog.Deleted("lake_artifacts", key))
		if err := auditlog.Erase(t, ErasureClaims, e.Kind, tenant, "path = ?", key); err != nil {
			return auditlog.Event{}, err
		}
	}
	if err := auditlog.Erase(t, ErasureClaims, e.Kind, tenant, "bundle_no = ?", no); err != nil {
		return auditlog.Event{}, err
	}
	return auditlog.Event{Action: "bundle.erased", Kind: "bundle", ObjectID: e.ObjectID},
		auditlog.Erase(t, ErasureClaims, e.Kind, tenant, "no = ?", no)
}

func eraseArtifact(t *sqldb.Tx, tenant, path string) (auditlog.Event, error) {
	sum := ""
	err := t.Row("DELETE FROM lake_artifacts WHERE tenant_id = ? AND path = ? RETURNING sha256",
		[]any{tenant, path}, &sum)
	auditlog.Record(t, tenant, auditlog.Deleted("lake_artifacts", path))
	return auditlog.Event{Action: "bundle.artifact_erased", Kind: "artifact", ObjectID: sum}, err
}
