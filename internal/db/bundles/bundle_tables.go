package bundles

import (
	"sanad/internal/db/auditlog"
)

// BundleTables are the recorded tables of bundles of evidence and their files.
var BundleTables = []auditlog.RecordTable{
	{Name: "evidence_bundles", Keys: []string{"bundle_id"}, Columns: []string{"created_at", "made_by", "build_version",
		"policy", "item_count", "total_bytes", "type_counts"}},
	{Name: "evidence_items", Keys: []string{"bundle_no"}, Order: "n", Columns: []string{"n", "evidence_id",
		"evidence_type", "source_ref", "content_sha256", "byte_count", "full_ref", "metadata"}},
	{Name: "evidence_builds", Keys: []string{"bundle_no", "n"}, Columns: []string{"digest", "created_at", "made_by",
		"lake_uri", "sha256", "size", "bounding", "dropped", "failed", "said", "dropped_n", "failed_n"}},
	{Name: "run_evidence", Keys: []string{"run_id", "bundle_no"}, Chosen: true, Columns: []string{"created_at",
		"made_by"}},
	{Name: "lake_artifacts", Keys: []string{"path"}, Chosen: true, Columns: []string{"sha256", "size", "created_at",
		"made_by"}},
}
