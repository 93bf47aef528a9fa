package bundles

import (
	"context"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/canonical"
)

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
func (store *Store) BuildOf(ctx context.Context, tenant string, b *bundle.Bundle) (a bundle.Artifact, err error) {
	digest, err := BuildDigest(b)
	if err != nil {
		return a, sqldb.Fail("BuildOf", err)
	}
	err = store.Read(ctx, "BuildOf", func(t *sqldb.Tx) error {
		return t.Row(`SELECT x.lake_uri, x.sha256, x.size FROM evidence_bundles b JOIN evidence_builds x
			ON x.tenant_id = b.tenant_id AND x.bundle_no = b.no
			WHERE b.tenant_id = ? AND b.bundle_id = ? AND x.digest = ?`, []any{tenant, b.BundleID, digest}, &a.Path,
			&a.SHA256, &a.Size)
	})
	return a, err
}

// InsertBundle stores a bundle that is in the lake. If the bundle is stored already, only new facts are added: another
// record of what was left out, another run. created reports whether the bundle is new.
func (store *Store) InsertBundle(ctx context.Context, a access.Actor, in BuiltBundle) (created bool, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "InsertBundle", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		w := bundleWriter{s: store, t: t, actor: a, in: in}
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
		_, err := store.linkRun(t, a, w.no, in.Bundle.BundleID, in.RunID)
		return err
	})
	return created, err
}

// bundleWriter stores one bundle in one transaction.
type bundleWriter struct {
	s     *Store
	t     *sqldb.Tx
	actor access.Actor
	in    BuiltBundle
	no    int
}

// bundle inserts the rows of a bundle and its items, unless they exist.
func (writer *bundleWriter) bundle() (created bool, err error) {
	b := writer.in.Bundle
	writer.no, err = bundleNo(writer.t, writer.actor.Tenant, b.BundleID)
	if !sqldb.NoRow(err) {
		return false, err
	}
	policy, err := sqldb.JSONText(b.Policy)
	if err != nil {
		return false, err
	}
	types, err := sqldb.JSONText(b.Summary.TypeCounts)
	if err != nil {
		return false, err
	}
	err = writer.t.Row(`INSERT INTO evidence_bundles (tenant_id, bundle_id, created_at, made_by, build_version, policy,
		item_count, total_bytes, type_counts)
		VALUES (`+sqldb.Placeholders(9)+") RETURNING no", []any{
		writer.actor.Tenant, b.BundleID, sqldb.Stamp(writer.s.Now()), writer.actor.ID, b.BuildVersion, policy,
		len(b.Items),
		b.Summary.TotalBytes, types,
	}, &writer.no)
	if err != nil {
		return false, err
	}
	auditlog.Record(writer.t, writer.actor.Tenant, auditlog.Wrote("evidence_bundles", []any{b.BundleID}))
	if len(b.Items) > 0 {
		auditlog.Record(writer.t, writer.actor.Tenant, auditlog.Wrote("evidence_items", []any{writer.no}))
	}
	return true, writer.items()
}

func (writer *bundleWriter) items() error {
	rows := sqldb.NewBulk(writer.t, "evidence_items",
		"tenant_id, bundle_no, n, evidence_id, evidence_type, source_ref, content_sha256, byte_count, full_ref, metadata")
	for n := range writer.in.Bundle.Items {
		x := &writer.in.Bundle.Items[n]
		values := []any{writer.actor.Tenant, writer.no, n, x.EvidenceID, x.EvidenceType, nil, x.ContentSHA256,
			x.ByteCount, nil,
			nil}
		for at, v := range map[int]any{5: x.SourceRef, 8: x.FullRef, 9: x.Metadata} {
			text, err := sqldb.JSONText(v)
			if err != nil {
				return errors.Join(err, rows.Flush())
			}
			values[at] = text
		}
		rows.Add(values...)
	}
	return rows.Flush()
}

// artifacts records the artifacts and the build that wrote them: the build's event stands for them, if it is a new one.
func (writer *bundleWriter) artifacts() error {
	var fresh []bundle.Artifact
	for _, x := range append([]bundle.Artifact{writer.in.Artifact}, writer.in.Writes...) {
		created, err := writer.s.addArtifact(writer.t, writer.actor, x)
		if err != nil {
			return err
		}
		if created {
			fresh = append(fresh, x)
		}
	}
	if built, err := writer.build(); err != nil || built {
		return err
	}
	for _, x := range fresh {
		if err := writer.s.AppendEvent(writer.t, writer.actor, artifactEvent(x)); err != nil {
			return err
		}
	}
	return nil
}

// build appends the record of this build, unless there is an identical one.
func (writer *bundleWriter) build() (built bool, err error) {
	b := writer.in.Bundle
	digest, err := BuildDigest(b)
	if err != nil {
		return false, err
	}
	n, same := 0, 0
	if err := writer.t.Row(`SELECT count(*), count(*) FILTER (WHERE digest = ?) FROM evidence_builds
		WHERE tenant_id = ? AND bundle_no = ?`,
		[]any{digest, writer.actor.Tenant, writer.no}, &n, &same); err != nil || same > 0 {
		return false, err
	}
	values := []any{
		writer.actor.Tenant, writer.no, n, digest, sqldb.Stamp(b.CreatedUTC), writer.actor.ID, writer.in.Artifact.Path,
		writer.in.Artifact.SHA256,
		writer.in.Artifact.Size,
		len(b.DroppedItems), len(b.FailedSources),
	}
	said := make([]domain.Message, len(b.FailedSources))
	for i := range said {
		said[i] = b.FailedSources[i].Said
	}
	for _, v := range []any{b.Summary.BundleBounding, b.DroppedItems, b.FailedSources, said} {
		text, err := sqldb.JSONText(v)
		if err != nil {
			return false, err
		}
		values = append(values, text)
	}
	if _, err := writer.t.Exec(`INSERT INTO evidence_builds (tenant_id, bundle_no, n, digest, created_at, made_by, lake_uri,
		sha256, size, dropped_n, failed_n,
		bounding, dropped, failed, said) VALUES (`+sqldb.Placeholders(len(values))+")", values...); err != nil {
		return false, err
	}
	auditlog.Record(writer.t, writer.actor.Tenant, auditlog.Wrote("evidence_builds", []any{writer.no, n}))
	return true, writer.s.AppendEvent(writer.t, writer.actor,
		auditlog.Event{Action: "bundle.built", Kind: "bundle", ObjectID: b.BundleID, Details: map[string]any{
			"items": len(b.Items), "bytes": b.Summary.TotalBytes, "dropped": len(b.DroppedItems),
			"failed":   len(b.FailedSources),
			"redacted": b.Policy.EnableRedaction, "artifact_sha256": writer.in.Artifact.SHA256,
		}})
}

// bundleNo returns the number of a bundle's row.
func bundleNo(t *sqldb.Tx, tenant, bundleID string) (no int, err error) {
	err = t.Row("SELECT no FROM evidence_bundles WHERE tenant_id = ? AND bundle_id = ?", []any{tenant, bundleID}, &no)
	return no, err
}
