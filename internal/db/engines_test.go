package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

// words of a default or a check that the engines write otherwise.
var (
	castOf   = regexp.MustCompile(`::[a-z ]+(\[\])?`)
	literal  = regexp.MustCompile(`'[^']*'`)
	momentOf = regexp.MustCompile(`(?s)(BEFORE|AFTER)\s+(INSERT|UPDATE|DELETE)`)
	checkOf  = regexp.MustCompile(`\bCHECK\s*\(`)
)

// What each engine has of its own: indexes of words, and SQLite's own tables.
const ownTables = `NOT LIKE '%\_search' ESCAPE '\' AND m.name NOT LIKE '%\_search\_%' ESCAPE '\' AND m.name NOT LIKE 'sqlite%'`

// Queries for the parts of a schema, each as lines of text.
var sqliteSchema = map[string]string{
	"columns": `SELECT m.name || '.' || c.name || ' ' || c.type || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN ' NOT NULL' ELSE '' END ||
		coalesce(' DEFAULT ' || replace(c.dflt_value, '"', ''''), '') FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name ` + ownTables,
	"primary keys": `SELECT m.name || ': ' || (SELECT group_concat(c.name, ', ' ORDER BY c.pk) FROM pragma_table_info(m.name) c WHERE c.pk > 0)
		FROM sqlite_schema m WHERE m.type = 'table' AND m.name ` + ownTables,
	"foreign keys": `SELECT m.name || ': ' || group_concat(f."from", ', ' ORDER BY f.seq) || ' -> ' || f."table"
		FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' GROUP BY m.name, f.id`,
	"unique": `SELECT m.name || ': ' || (SELECT group_concat(coalesce(x.name, '?'), ', ' ORDER BY x.seqno) FROM pragma_index_info(i.name) x)
		FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique" = 1 AND i.origin <> 'pk' AND m.name ` + ownTables,
	"indexes": `SELECT m.name || ': ' || i.name || ' (' || (SELECT group_concat(coalesce(x.name, '?'), ', ' ORDER BY x.seqno)
		FROM pragma_index_info(i.name) x) || ')' || CASE i.partial WHEN 1 THEN ' WHERE' ELSE '' END
		FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i.origin = 'c' AND m.name ` + ownTables,
	"triggers": `SELECT name || ' ON ' || tbl_name || char(10) || sql FROM sqlite_schema WHERE type = 'trigger'`,
	"checks":   `SELECT m.name || char(10) || m.sql FROM sqlite_schema m WHERE m.type = 'table' AND m.name ` + ownTables,
}

const (
	ourTables = `c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
		AND c.relname NOT LIKE '%\_search'`
	keyColumns = `(SELECT string_agg(a.attname, ', ' ORDER BY u.n) FROM unnest(k.conkey) WITH ORDINALITY u (no, n)
		JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.no)`
	indexColumns = `(SELECT string_agg(coalesce(a.attname, '?'), ', ' ORDER BY u.n) FROM unnest(i.indkey::int[]) WITH ORDINALITY u (no, n)
		LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = u.no AND u.no > 0)`
)

var postgresSchema = map[string]string{
	"columns": `SELECT c.relname || '.' || a.attname || ' ' || CASE format_type(a.atttypid, NULL) WHEN 'bigint' THEN 'INTEGER' WHEN 'text' THEN 'TEXT'
		WHEN 'bytea' THEN 'BLOB' WHEN 'double precision' THEN 'REAL' WHEN 'integer' THEN 'INTEGER' ELSE format_type(a.atttypid, NULL) END ||
		CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE a.attname <> 'rowid' AND ` + ourTables,
	"primary keys": `SELECT c.relname || ': ' || ` + keyColumns + ` FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
		WHERE k.contype = 'p' AND ` + ourTables,
	"foreign keys": `SELECT c.relname || ': ' || ` + keyColumns + ` || ' -> ' || k.confrelid::regclass FROM pg_constraint k
		JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.conparentid = 0 AND ` + ourTables,
	"unique": `SELECT c.relname || ': ' || ` + indexColumns + ` FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
		WHERE i.indisunique AND NOT i.indisprimary AND ` + ourTables,
	"indexes": `SELECT c.relname || ': ' || x.relname || ' (' || ` + indexColumns + ` || ')' || CASE WHEN i.indpred IS NULL THEN '' ELSE ' WHERE' END
		FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
		WHERE NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u')) AND ` + ourTables,
	"triggers": `SELECT t.tgname || ' ON ' || c.relname || chr(10) || pg_get_triggerdef(t.oid) FROM pg_trigger t
		JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal`,
	"checks": `SELECT c.relname || chr(10) || coalesce((SELECT string_agg(pg_get_constraintdef(k.oid), ' ') FROM pg_constraint k
		WHERE k.conrelid = c.oid AND k.contype = 'c'), '') FROM pg_class c WHERE ` + ourTables,
}

// plain removes from a line of a schema how its engine writes it.
func plain(part, line string) string {
	head, rest, _ := strings.Cut(line, "\n")
	switch part {
	case "columns":
		line = strings.ReplaceAll(castOf.ReplaceAllString(line, ""), `'\x'`, "x''")
	case "triggers":
		line = head + " " + strings.Join(strings.Fields(momentOf.FindString(rest)), " ")
	case "checks": // their number, and the values that they name
		texts := ""
		for _, at := range checkOf.FindAllStringIndex(rest, -1) {
			texts += rest[at[1]:closing(rest, at[1])] + " "
		}
		values := literal.FindAllString(texts, -1)
		sort.Strings(values)
		line = head + ": " + strings.Repeat("CHECK ", len(checkOf.FindAllString(rest, -1))) + strings.Join(values, " ")
	}
	return strings.TrimSpace(line)
}

// closing returns where the bracket that was opened before at is closed.
func closing(s string, at int) int {
	for depth := 1; at < len(s); at++ {
		switch s[at] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

// schemaLines returns the parts of a schema.
func schemaLines(t *testing.T, d *sql.DB, queries map[string]string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for part, query := range queries {
		for _, line := range dbtest.TextsOf(t, d, query) {
			out[part] = append(out[part], plain(part, line))
		}
		slices.Sort(out[part])
	}
	return out
}

// TestEnginesHaveOneSchema compares what the catalogues of both engines say: tables, columns and their types and
// defaults, keys, indexes, checks, and triggers with their moment.
func TestEnginesHaveOneSchema(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("it compares with a PostgreSQL server: make postgres")
	}
	open := func(dir, database string) {
		s, err := db.Open(context.Background(),
			db.Options{Dir: dir, Database: database, Now: time.Now, NewID: uuid.NewString,
				Keys: dbtest.MasterKey(t, 1)})
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	dir := t.TempDir()
	open(dir, "")
	file, err := sql.Open("sqlite", "file:"+filepath.Join(dir, db.DatabaseFile))
	require.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read
	other := t.TempDir()
	open(other, dbtest.Database(other))
	server, err := sql.Open("pgx", dbtest.Database(other))
	require.NoError(t, err)
	defer server.Close() //nolint:errcheck // only read
	want, got := schemaLines(t, file, sqliteSchema), schemaLines(t, server, postgresSchema)
	lookups := tenantInFront(want)
	got["indexes"] = without(got["indexes"], lookups)
	for part := range sqliteSchema {
		require.NotEmpty(t, want[part], part)
		assert.Empty(t, without(want[part], got[part]), "%s that only SQLite has", part)
		assert.Empty(t, without(got[part], want[part]), "%s that only PostgreSQL has", part)
	}
}

// keyLine is a line of a key: table, columns, and the table that a foreign one refers to.
var keyLine = regexp.MustCompile(`^(\w+): (.*?)( -> (\w+))?$`)

// tenantInFront puts the tenant in front of the keys of tables that have one, as PostgreSQL has them, and drops keys
// that then say the same as another. It returns the indexes that PostgreSQL may have besides, for rows that are looked
// up by a key of SQLite before their tenant is known.
func tenantInFront(schema map[string][]string) (lookups []string) {
	tenants := map[string]bool{}
	for _, line := range schema["columns"] {
		if table, found := strings.CutSuffix(line, ".tenant_id TEXT NOT NULL"); found {
			tenants[table] = true
		}
	}
	there := map[string]bool{}
	for _, part := range []string{"primary keys", "unique", "foreign keys"} {
		var out []string
		for _, line := range schema[part] {
			m := keyLine.FindStringSubmatch(line)
			table, columns, to := m[1], m[2], m[4]
			if tenants[table] && !strings.HasPrefix(columns, "tenant_id") && (to == "" || tenants[to]) {
				if to == "" {
					lookups = append(lookups,
						fmt.Sprintf("%s: %s_by_%s (%s)", table, table, strings.Split(columns, ", ")[0], columns))
				}
				line = table + ": tenant_id, " + strings.ReplaceAll(columns, ", tenant_id", "") + m[3]
			}
			key, _, _ := strings.Cut(line, " -> ")
			if to == "" && there[key] {
				continue
			}
			there[key] = true
			out = append(out, line)
		}
		schema[part] = out
	}
	for i, line := range schema["indexes"] {
		if strings.HasPrefix(line, "pack_exports: pack_exports_link (") { // the only one whose index was made by itself
			schema["indexes"][i] = "pack_exports: pack_exports_link (tenant_id, token_hash) WHERE"
		}
	}
	return lookups
}

func without(list, others []string) (out []string) {
	for _, x := range list {
		if !slices.Contains(others, x) {
			out = append(out, x)
		}
	}
	return out
}

// sqliteWords are words of migrations that PostgreSQL does not know, or reads otherwise.
var sqliteWords = regexp.MustCompile(`(?i)\bSTRICT\b|WITHOUT ROWID|VIRTUAL TABLE|\bRAISE\s*\(|CREATE TRIGGER|DROP TRIGGER|\bBLOB\b|\bREAL\b|\bINTEGER\b` +
	`|\bTEXT\b|AUTOINCREMENT|OR REPLACE INTO|OR IGNORE|PRAGMA|json_(set|object|group_array|remove|extract|each)|\bx'|\bIS NOT \(|temp\.|ifnull|group_concat|rowid`)

// sqliteComment is a comment of a migration.
var sqliteComment = regexp.MustCompile(`(?m)--.*$`)

// TestMigrationsAreForBothEngines checks that a migration has a file of its name for PostgreSQL, or no word that only
// SQLite understands. TEXT without COLLATE "C", INTEGER and BLOB are among those: PostgreSQL would order, bound or
// refuse them otherwise.
func TestMigrationsAreForBothEngines(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		_, err = os.Stat(filepath.Join("migrations", "postgres", filepath.Base(path)))
		if word := sqliteWords.FindString(sqliteComment.ReplaceAllString(string(text), "")); word != "" {
			require.NoError(t, err, "%s has %q: write migrations/postgres/%s too", path, word, filepath.Base(path))
		}
	}
	counterparts, err := filepath.Glob("migrations/postgres/*.sql")
	require.NoError(t, err)
	for _, path := range counterparts {
		_, err := os.Stat(filepath.Join("migrations", filepath.Base(path)))
		require.NoError(t, err, "%s replaces no migration", path)
	}
}
