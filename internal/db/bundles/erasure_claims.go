package bundles

import (
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// The artifacts of a bundle, and what its items are cut from, which other bundles may name too.
var (
	ofBundle  = "bundle_no = (SELECT b.no FROM evidence_bundles b WHERE b.tenant_id = ?1 AND b.bundle_id = ?2)"
	artifacts = []auditlog.Columns{{Table: "evidence_builds", Names: "lake_uri, sha256", Size: sizeOf("f.lake_uri")}}
	cutFrom   = []auditlog.Columns{{Table: "evidence_items", Names: "full_ref ->> 'lake_uri', content_sha256",
		Size: sizeOf("f.full_ref ->> 'lake_uri'")}}
)

func sizeOf(path string) string {
	return "(SELECT a.size FROM lake_artifacts a WHERE a.tenant_id = f.tenant_id AND a.path = " + path + ")"
}

// ErasureClaims are what an erasure does to the tables of bundles.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Bundle, Does: auditlog.Deletes, By: "bundle_no = ?", Of: auditlog.Rows(
		"run_evidence", "evidence_items", "evidence_builds")},
	{Kind: erasure.Bundle, Does: auditlog.Deletes, By: "no = ?", Of: auditlog.Rows("evidence_bundles")},
	{Kind: erasure.Bundle, Does: auditlog.Deletes, By: "path = ?", Of: auditlog.Rows("lake_artifacts")},
	{Kind: erasure.Artifact, Does: auditlog.Deletes, Of: auditlog.Rows("lake_artifacts")},
	{Kind: erasure.Bundle, Does: auditlog.Deletes, Files: auditlog.Lake, By: ofBundle, Of: artifacts},
	{Kind: erasure.Bundle, Does: auditlog.Deletes, Files: auditlog.Lake, By: ofBundle, Of: cutFrom, Unless: cutFrom},
	{Kind: erasure.Artifact, Does: auditlog.Deletes, Files: auditlog.Lake, By: "path = ?2", Of: []auditlog.Columns{
		{Table: "lake_artifacts", Names: "path, sha256", Size: "f.size"}}},
	{Kind: erasure.Artifact, Does: auditlog.Keeps, Files: auditlog.Lake,
		Why: "a bundle names the artifact; only the artifact asked for goes", Of: slices.Concat(artifacts, cutFrom)},
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
