package library

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

// ErasureClaims are what an erasure does to the tables of the library. The file of a version stays while a session's
// document or a pack has it too.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Library, Does: auditlog.Deletes, By: "document_id = ?", Of: auditlog.Rows("library_versions")},
	{Kind: erasure.Library, Does: auditlog.Deletes, By: "id = ?", Of: auditlog.Rows("library_documents")},
	{Kind: erasure.Library, Does: auditlog.Deletes, Files: auditlog.Originals, By: "document_id = ?2",
		Of: []auditlog.Columns{{Table: "library_versions", Names: "blob, sha256", Size: "f.size"}},
		Unless: []auditlog.Columns{{Table: "documents", Names: "blob", Only: "x.library_id <> ''"},
			{Table: "pack_attachments", Names: "blob"}}},
}
