package library

import "sanad/internal/db/auditlog"

// LibraryTables are the recorded tables of the library.
var LibraryTables = []auditlog.RecordTable{
	{Name: "library_documents", Keys: []string{"id"}, Columns: []string{"version", "created_at", "created_by",
		"changed_at", "name_key", "search_key", "name", "folder", "tags"}},
	{Name: "library_versions", Keys: []string{"document_id", "n"}, Columns: []string{"blob", "sha256", "size",
		"created_at", "created_by", "media_type", "text_by", "filename", "passages"}},
}
