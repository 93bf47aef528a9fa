package bundles

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// ErasureClaims are what an erasure does to the tables of bundles.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Bundle, Does: auditlog.Deletes, By: "bundle_no = ?", Of: auditlog.Rows(
		"run_evidence", "evidence_items", "evidence_builds")},
	{Kind: erasure.Bundle, Does: auditlog.Deletes, By: "no = ?", Of: auditlog.Rows("evidence_bundles")},
	{Kind: erasure.Bundle, Does: auditlog.Deletes, By: "path = ?", Of: auditlog.Rows("lake_artifacts")},
	{Kind: erasure.Artifact, Does: auditlog.Deletes, Of: auditlog.Rows("lake_artifacts")},
	{Kind: erasure.Artifact, Does: auditlog.Keeps, Why: "a bundle still says which artifact it had, without its bytes",
		Of: []auditlog.Columns{
			{Table: "evidence_bundles", Names: "bundle_id, created_at, made_by, build_version, policy, type_counts"},
			{Table: "evidence_builds", Names: "digest, created_at, made_by, lake_uri, sha256, bounding, " +
				"dropped, failed, said"},
			{Table: "evidence_items", Names: "evidence_id, evidence_type, source_ref, content_sha256, " +
				"full_ref, metadata"},
			{Table: "run_evidence", Names: "run_id, created_at, made_by"},
		}},
}
