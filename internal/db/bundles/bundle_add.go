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
	"sanad/internal/domain/canonical"
)

// ArtifactOf describes the artifact with these bytes at a path.
func ArtifactOf(path string, data []byte) bundle.Artifact {
	sum := sha256.Sum256(data)
	return bundle.Artifact{Path: path, SHA256: hex.EncodeToString(sum[:]), Size: len(data)}
}

// BuiltBundle is what InsertBundle stores.
type BuiltBundle struct {
	Bundle   *bundle.Bundle
	Artifact bundle.Artifact   // the bundle's own
	Writes   []bundle.Artifact // other artifacts written for it
	RunID    string            // the run that it is for; "" if none
}

// BuildDigest distinguishes builds of one bundle: it covers what was left out and what failed, which the bundle's id
// does not.
func BuildDigest(b *bundle.Bundle) (string, error) {
	data, err := canonical.JSON(struct {
		Dropped []bundle.Dropped `json:"dropped_items"`
		Failed  []bundle.Failed  `json:"failed_sources"`
	}{b.DroppedItems, b.FailedSources})
	if err != nil {
		return "", err
	}
	return ArtifactOf("", data).SHA256, nil
}

// BuildOf returns the artifact of an earlier identical build of a bundle; NotFound if there was none.
func (s *Store) BuildOf(ctx context.Context, tenant string, b *bundle.Bundle) (a bundle.Artifact, err error) {
	digest, err := BuildDigest(b)
	if err != nil {
		return a, sqldb.Fail("BuildOf", err)
	}
	err = s.Read(ctx, "BuildOf", func(t *sqldb.Tx) error {
		return t.Row(`SELECT x.lake_uri, x.sha256, x.size FROM evidence_bundles b JOIN evidence_builds x
			ON x.tenant_id = b.tenant_id AND x.bundle_no = b.no
			WHERE b.tenant_id = ? AND b.bundle_id = ? AND x.digest = ?`, []any{tenant, b.BundleID, digest}, &a.Path,
			&a.SHA256, &a.Size)
	})
	return a, err
}

// InsertBundle stores a bundle that is in the lake. If the bundle is stored already, only new facts are added: another
// record of what was left out, another run. created reports whether the bundle is new.
func (s *Store) InsertBundle(ctx context.Context, a access.Actor, in BuiltBundle) (created bool, err error) {
	err = s.Write(ctx, sqldb.OfTenant(a.Tenant), "InsertBundle", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		w := bundleWriter{s: s, t: t, actor: a, in: in}
		created, err = w.bundle()
		if err != nil {
			return err
		}
		if err := w.artifacts(); err != nil {
			return err
		}
		if in.RunID == "" {
			return nil
		}
		_, err := s.linkRun(t, a, w.no, in.Bundle.BundleID, in.RunID)
		return err
	})
	return created, err
}

// LinkRun records that a run was given a bundle; created is false if that was recorded before.
func (s *Store) LinkRun(ctx context.Context, a access.Actor, bundleID, runID string) (created bool, err error) {
	err = s.Write(ctx, sqldb.OfTenant(a.Tenant), "LinkRun", func(t *sqldb.Tx) error {
		no, err := bundleNo(t, a.Tenant, bundleID)
		if err != nil {
			return err
		}
		created, err = s.linkRun(t, a, no, bundleID, runID)
		return err
	})
	return created, err
}

// LinkRunTo is LinkRun within a transaction; known is false, and nothing is stored, if there is no such bundle.
func (s *Store) LinkRunTo(t *sqldb.Tx, a access.Actor, bundleID, runID string) (known bool, err error) {
	no, err := bundleNo(t, a.Tenant, bundleID)
	if sqldb.NoRow(err) {
		return false, nil
	}
	if err == nil {
		_, err = s.linkRun(t, a, no, bundleID, runID)
	}
	return true, err
}

func (s *Store) linkRun(t *sqldb.Tx, a access.Actor, no int, bundleID, runID string) (created bool, err error) {
	var one int
	err = t.Row("SELECT 1 FROM run_evidence WHERE tenant_id = ? AND run_id = ? AND bundle_no = ?",
		[]any{a.Tenant, runID, no}, &one)
	if !sqldb.NoRow(err) {
		return false, err
	}
	if _, err := t.Exec("INSERT INTO run_evidence (tenant_id, run_id, bundle_no, created_at, made_by) VALUES ("+
		sqldb.Placeholders(5)+")",
		a.Tenant, runID, no, sqldb.Stamp(s.Now()), a.ID); err != nil {
		return false, err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("run_evidence", []any{runID, no}))
	return true, s.AppendEvent(t, a,
		auditlog.Event{Action: "bundle.run_linked", Kind: "bundle", ObjectID: bundleID,
			Details: map[string]any{"run_commitment": auditlog.HideName(runID)}})
}

// AddArtifact records an artifact in the lake, once.
func (s *Store) AddArtifact(ctx context.Context, a access.Actor, x bundle.Artifact) (created bool, err error) {
	err = s.Write(ctx, sqldb.OfTenant(a.Tenant), "AddArtifact", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		if created, err = s.addArtifact(t, a, x); err != nil || !created {
			return err
		}
		return s.AppendEvent(t, a, artifactEvent(x))
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
func (s *Store) addArtifact(t *sqldb.Tx, a access.Actor, x bundle.Artifact) (created bool, err error) {
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
		a.Tenant, x.Path, x.SHA256, x.Size, sqldb.Stamp(s.Now()), a.ID)
	auditlog.Record(t, a.Tenant, auditlog.Wrote("lake_artifacts", []any{x.Path}))
	return true, err
}
