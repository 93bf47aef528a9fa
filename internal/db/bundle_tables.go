package db

// bundleTables are the recorded tables of bundles of evidence and their files.
var bundleTables = []recordTable{
	{name: "evidence_bundles", keys: []string{"bundle_id"}, columns: []string{"created_at", "made_by", "build_version",
		"policy", "item_count", "total_bytes", "type_counts"}},
	{name: "evidence_items", keys: []string{"bundle_no"}, order: "n", columns: []string{"n", "evidence_id",
		"evidence_type", "source_ref", "content_sha256", "byte_count", "full_ref", "metadata"}},
	{name: "evidence_builds", keys: []string{"bundle_no", "n"}, columns: []string{"digest", "created_at", "made_by",
		"lake_uri", "sha256", "size", "bounding", "dropped", "failed", "said", "dropped_n", "failed_n"}},
	{name: "run_evidence", keys: []string{"run_id", "bundle_no"}, chosen: true, columns: []string{"created_at",
		"made_by"}},
	{name: "lake_artifacts", keys: []string{"path"}, chosen: true, columns: []string{"sha256", "size", "created_at",
		"made_by"}},
}
