package db

import (
	"embed"

	"sanad/internal/db/sqldb"
)

//go:embed migrations/*.sql migrations/postgres/*.sql
var migrationFiles embed.FS

// SearchTables are the full-text indexes. Until its segments are merged, an index keeps the words of deleted rows.
var SearchTables = []string{"session_search", "claim_search", "find_search", "decision_search", "pack_search"}

// Schema is what the engines know of the store's tables.
var Schema = &sqldb.Schema{Steps: migrationFiles, Search: SearchTables, Ranged: []string{"claim_search"},
	Apart: []string{MovingTable}}

// RewriteForPostgres translates a statement as the store does.
var RewriteForPostgres = sqldb.PostgresDialect(Schema)

// ErrNotOpened is the error of a database whose server cannot be reached or refuses this program. Its text says what to
// do.
var ErrNotOpened = sqldb.ErrNotOpened
