package bundles

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
)

// MaxRunsShown is the maximum number of runs that Bundle returns.
const MaxRunsShown = 100

const bundleColumns = `b.bundle_id, b.created_at, b.made_by, b.item_count, b.total_bytes, b.type_counts,
	b.policy ->> 'enable_redaction',
	(SELECT coalesce(max(dropped_n), 0) FROM evidence_builds x WHERE x.tenant_id = b.tenant_id AND x.bundle_no = b.no),
	(SELECT coalesce(max(failed_n), 0) FROM evidence_builds x WHERE x.tenant_id = b.tenant_id AND x.bundle_no = b.no),
	(SELECT count(*) FROM run_evidence r WHERE r.tenant_id = b.tenant_id AND r.bundle_no = b.no),
	(SELECT lake_uri FROM evidence_builds x WHERE x.tenant_id = b.tenant_id AND x.bundle_no = b.no AND x.n = 0)`

func scanBundle(r sqldb.Scanner, b *bundle.Row, more ...any) error {
	return r.Scan(append([]any{&b.BundleID, sqldb.TimeInto(&b.CreatedAt), &b.MadeBy, &b.Items, &b.Bytes,
		sqldb.JSONInto(&b.Types), &b.Redacted,
		&b.Dropped, &b.Failed, &b.Runs, &b.LakeURI}, more...)...)
}

// Bundles lists up to q.Limit bundles of a tenant; next is the After of the following page, "" after the last one.
func (store *Store) Bundles(ctx context.Context, tenant string,
	q bundle.Query) (rows []bundle.Row, next string, err error) {
	w := sqldb.Conditions{}
	w.Add("b.tenant_id = ?", tenant)
	if q.RunID != "" {
		w.Add("b.no IN (SELECT bundle_no FROM run_evidence WHERE tenant_id = ? AND run_id = ?)", tenant, q.RunID)
	}
	if q.SHA256 != "" {
		w.Add("b.no IN (SELECT bundle_no FROM evidence_items WHERE tenant_id = ? AND content_sha256 = ?)", tenant,
			q.SHA256)
	}
	if q.EvidenceID != "" {
		w.Add("b.no IN (SELECT bundle_no FROM evidence_items WHERE tenant_id = ? AND evidence_id = ?)", tenant,
			q.EvidenceID)
	}
	l := sqldb.List[bundle.Row]{
		Columns: bundleColumns, From: "evidence_bundles b", Where: w, After: q.After, Limit: q.Limit,
		Order: sqldb.NewestFirst("bundles", "evidence_bundles", "b", "bundle_id", "no"),
		Scan:  func(r sqldb.Scanner, b *bundle.Row) error { return scanBundle(r, b) },
		Place: func(b *bundle.Row) (any, string) { return sqldb.Stamp(b.CreatedAt), b.BundleID },
	}
	return l.Read(ctx, store.DB, "Bundles", tenant)
}

// Bundle returns a bundle with up to limit of its items, starting at from.
func (store *Store) Bundle(ctx context.Context, tenant, bundleID string, from, limit int) (*bundle.Stored, error) {
	out := &bundle.Stored{From: max(0, from)}
	err := store.Read(ctx, "Bundle", func(t *sqldb.Tx) (err error) {
		no, err := bundleNo(t, tenant, bundleID)
		if err != nil {
			return err
		}
		err = t.Each("SELECT "+bundleColumns+
			", b.build_version, b.policy FROM evidence_bundles b WHERE b.tenant_id = ? AND b.no = ?", []any{tenant, no},
			func(r sqldb.Scanner) error {
				return scanBundle(r, &out.Row, &out.BuildVersion, sqldb.JSONInto(&out.Policy))
			})
		if err != nil {
			return err
		}
		if out.Builds, err = builds(t, tenant, no); err != nil {
			return err
		}
		if out.Page, err = items(t, tenant, no, out.From, limit); err != nil {
			return err
		}
		out.Linked, err = linkedRuns(t, tenant, bundleID, no)
		return err
	})
	return sqldb.OrZero(out, err)
}

// BundleRuns returns up to MaxRunsShown runs that were given a bundle, the newest first, and how many there are.
func (store *Store) BundleRuns(ctx context.Context, tenant, bundleID string) (runs []bundle.Run, total int, err error) {
	err = store.Read(ctx, "BundleRuns", func(t *sqldb.Tx) error {
		no, err := bundleNo(t, tenant, bundleID)
		if err != nil {
			return err
		}
		if runs, err = linkedRuns(t, tenant, bundleID, no); err != nil {
			return err
		}
		return t.Row("SELECT count(*) FROM run_evidence WHERE tenant_id = ? AND bundle_no = ?", []any{tenant, no}, &total)
	})
	return runs, total, err
}

// linkedRuns reads the runs that were given a bundle, the newest first.
func linkedRuns(t *sqldb.Tx, tenant, bundleID string, no int) ([]bundle.Run, error) {
	return sqldb.Collect(t,
		`SELECT e.run_id, e.created_at, e.made_by, coalesce(s.id, ''), coalesce(s.title, ''), coalesce(r.n + 1, 0),
		coalesce(r.bundle_id = ?, FALSE) FROM run_evidence e
		LEFT JOIN ledger_runs r ON r.tenant_id = e.tenant_id AND r.id = e.run_id
		LEFT JOIN sessions s ON s.tenant_id = r.tenant_id AND s.no = r.session_no
		WHERE e.tenant_id = ? AND e.bundle_no = ? ORDER BY e.created_at DESC, r.session_no DESC, r.n DESC, e.run_id
		LIMIT ?`,
		[]any{bundleID, tenant, no, MaxRunsShown},
		func(r sqldb.Scanner, x *bundle.Run) error {
			return r.Scan(&x.ID, sqldb.TimeInto(&x.LinkedAt), &x.LinkedBy, &x.SessionID, &x.SessionTitle,
				&x.Number, &x.Read)
		})
}

// BundleArtifact returns where a bundle is in the lake: the artifact of its first build.
func (store *Store) BundleArtifact(ctx context.Context, tenant, bundleID string) (a bundle.Artifact, err error) {
	err = store.Read(ctx, "BundleArtifact", func(t *sqldb.Tx) error {
		return t.Row(`SELECT x.lake_uri, x.sha256, x.size FROM evidence_bundles b
			JOIN evidence_builds x ON x.tenant_id = b.tenant_id AND x.bundle_no = b.no AND x.n = 0
			WHERE b.tenant_id = ? AND b.bundle_id = ?`, []any{tenant, bundleID}, &a.Path, &a.SHA256, &a.Size)
	})
	return a, err
}

func builds(t *sqldb.Tx, tenant string, no int) ([]bundle.BuildRecord, error) {
	return sqldb.Collect(t, `SELECT created_at, made_by, lake_uri, sha256, size, bounding, dropped, failed, said
		FROM evidence_builds WHERE tenant_id = ? AND bundle_no = ? ORDER BY n`, []any{tenant, no},
		func(r sqldb.Scanner, b *bundle.BuildRecord) error {
			var said []domain.Message
			err := r.Scan(sqldb.TimeInto(&b.CreatedAt), &b.MadeBy, &b.Artifact.Path, &b.Artifact.SHA256,
				&b.Artifact.Size,
				sqldb.JSONInto(&b.Bounding), sqldb.JSONInto(&b.Dropped), sqldb.JSONInto(&b.Failed),
				sqldb.JSONInto(&said))
			for i := range said {
				b.Failed[i].Said = said[i]
			}
			return err
		})
}

func items(t *sqldb.Tx, tenant string, no, from, limit int) ([]bundle.Item, error) {
	return sqldb.Collect(t, `SELECT evidence_id, evidence_type, source_ref, content_sha256, byte_count, full_ref, metadata
		FROM evidence_items
		WHERE tenant_id = ? AND bundle_no = ? AND n >= ? ORDER BY n LIMIT ?`, []any{tenant, no, from, limit},
		func(r sqldb.Scanner, x *bundle.Item) error {
			return r.Scan(&x.EvidenceID, &x.EvidenceType, sqldb.JSONInto(&x.SourceRef), &x.ContentSHA256, &x.ByteCount,
				sqldb.JSONInto(&x.FullRef), sqldb.JSONInto(&x.Metadata))
		})
}
