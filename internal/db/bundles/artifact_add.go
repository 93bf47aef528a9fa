package bundles

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
)

// ArtifactOf describes the artifact with these bytes at a path.
func ArtifactOf(path string, data []byte) bundle.Artifact {
	sum := sha256.Sum256(data)
	return bundle.Artifact{Path: path, SHA256: hex.EncodeToString(sum[:]), Size: len(data)}
}

// AddArtifact records an artifact in the lake, once.
func (store *Store) AddArtifact(ctx context.Context, a access.Actor, x bundle.Artifact) (created bool, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AddArtifact", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		if created, err = store.addArtifact(t, a, x); err != nil || !created {
			return err
		}
		return store.AppendEvent(t, a, artifactEvent(x))
	})
	return created, err
}

func artifactEvent(x bundle.Artifact) auditlog.Event {
	return auditlog.Event{Action: "bundle.artifact_written", Kind: "artifact", ObjectID: x.SHA256,
		Details: map[string]any{
			"size": x.Size, "path_commitment": auditlog.HideName(x.Path),
		}}
}

// addArtifact inserts a row unless there is one. A row with other bytes means that the lake was changed.
func (store *Store) addArtifact(t *sqldb.Tx, a access.Actor, x bundle.Artifact) (created bool, err error) {
	sum := ""
	err = t.Row("SELECT sha256 FROM lake_artifacts WHERE tenant_id = ? AND path = ?", []any{a.Tenant, x.Path}, &sum)
	switch {
	case err == nil && sum != x.SHA256:
		return false, domain.Refuse(domain.Conflict, "", "refused_something_else_written")
	case !sqldb.NoRow(err):
		return false, err
	}
	_, err = t.Exec("INSERT INTO lake_artifacts (tenant_id, path, sha256, size, created_at, made_by) VALUES ("+
		sqldb.Placeholders(6)+")",
		a.Tenant, x.Path, x.SHA256, x.Size, sqldb.Stamp(store.Now()), a.ID)
	auditlog.Record(t, a.Tenant, auditlog.Wrote("lake_artifacts", []any{x.Path}))
	return true, err
}
