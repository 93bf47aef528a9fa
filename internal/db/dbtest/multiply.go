package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
)

// multiplied are the tables that a session has rows in, and the columns that differ in a copy; all others are copied. g
// is the number of the copy, t its tenant.
var multiplied = []struct {
	table, where string
	instead      map[string]string
}{
	{"sessions", "x.no = S.no", map[string]string{
		"no": "S.no + g", "id": "md5('s' || x.id || g)::uuid::text", "ledger_id": "md5('l' || x.id || g)::uuid::text",
		"digest": "md5(x.digest || g) || md5(x.digest)", "first_claim": "x.first_claim + g * S.claims",
		"title": "x.title || ' ' || g", "title_key": "x.title_key || ' ' || g",
	}},
	{"ledger_runs", "x.session_no = S.no", map[string]string{"id": "md5('r' || x.id || g)::uuid::text"}},
	{"documents", "x.session_no = S.no", map[string]string{"id": "md5('d' || x.id || g)::uuid::text"}},
	{"chunks", "x.session_no = S.no", map[string]string{"id": "md5('c' || x.id || g)::uuid::text"}},
	{"answer_parts", "x.session_no = S.no", nil},
	{"claims", "x.session_no = S.no", map[string]string{
		"no": "x.no + g * S.claims", "id": "md5('k' || x.id || g)::uuid::text",
	}},
	{"matches", "x.session_no = S.no", nil},
	{"citations", "x.session_no = S.no", nil},
	{"find_runs", "x.session_no = S.no", map[string]string{"first": "x.first + g * S.texts"}},
	{"session_search", "x.rowid = S.no", map[string]string{
		"rowid": "S.no + g", "words": words("replace(S.tenant, '-', '')", "replace(t.id, '-', '')"),
	}},
	{"claim_search", "x.rowid BETWEEN S.first_claim AND S.first_claim + S.claims - 1", map[string]string{
		"rowid": "x.rowid + g * S.claims",
	}},
	{"find_search", "x.rowid BETWEEN S.first_text AND S.first_text + S.texts - 1", map[string]string{
		"rowid": "x.rowid + g * S.texts", "words": words("substr(S.tenant, 1, 8)", "substr(t.id, 1, 8)"),
	}},
}

func words(from, to string) string {
	return "replace(array_to_string(tsvector_to_array(x.words), ' '), " + from + ", " + to + ")::tsvector"
}

// Multiply fills a database of PostgreSQL: it makes tenants, and spreads copies of its newest session over them and the
// session's own tenant, which gets at least own copies. The server makes the rows. The copies are read and searched as
// others are; they have no events in a log and no digests, so nobody can verify or change them.
func Multiply(t testing.TB, dir string, tenants, copies, own int) {
	t.Helper()
	config, err := pgx.ParseConfig(Database(dir))
	require.NoError(t, err)
	config.RuntimeParams["session_replication_role"] = "replica" // no triggers, no keys
	config.RuntimeParams["maintenance_work_mem"] = "1GB"
	config.RuntimeParams["synchronous_commit"] = "off"
	d := stdlib.OpenDB(*config)
	defer d.Close() //nolint:errcheck // nothing is left to lose
	d.SetMaxOpenConns(1)
	run := func(statement string) {
		_, err := d.ExecContext(context.Background(), statement)
		require.NoError(t, err, statement)
	}
	run(`CREATE TEMP TABLE spread AS SELECT row_number() OVER (ORDER BY found.own DESC, found.id) - 1 AS n, found.id FROM (
		SELECT tenant_id AS id, 1 AS own FROM sessions WHERE no = (SELECT max(no) FROM sessions)
		UNION ALL SELECT md5('tenant' || g)::uuid::text, 0 FROM generate_series(2, ` + fmt.Sprint(tenants) + `) g) found`)
	run(`INSERT INTO tenants (id, slug, name, freshness_months, created_at)
		SELECT id, 't-' || n, 'Tenant ' || n, 24, '2026-01-01T00:00:00.000000000Z' FROM spread WHERE n > 0`)
	run(`CREATE TEMP TABLE S AS SELECT no, tenant_id AS tenant, first_claim, total AS claims,
		(SELECT min(first) FROM find_runs r WHERE r.session_no = s.no) AS first_text,
		(SELECT max(rowid) + 1 FROM find_search) - (SELECT min(first) FROM find_runs r WHERE r.session_no = s.no) AS texts
		FROM sessions s WHERE no = (SELECT max(no) FROM sessions)`)
	tenant := fmt.Sprintf("t.n = g %% %d", tenants)
	if own > 0 { // one copy in so many, so that its rows lie among those of others
		tenant = fmt.Sprintf("t.n = CASE g %% %d WHEN 0 THEN 0 ELSE 1 + g %% %d END", copies/own, tenants-1)
	}
	// Indexes are built afterwards: ids are random, so each row would touch another page of each index.
	for _, x := range multiplied {
		run(fmt.Sprintf("UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = '%s'::regclass",
			x.table))
	}
	for _, x := range multiplied {
		into, from := columnsOf(t, d, x.table, x.instead)
		run(fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM generate_series(1, %d) g CROSS JOIN S JOIN spread t ON %s JOIN %s x ON %s`,
			x.table, into, from, copies, tenant, x.table, x.where))
	}
	for _, x := range multiplied {
		run("REINDEX TABLE " + x.table)
	}
	run("SELECT setval(pg_get_serial_sequence('sessions', 'no'), (SELECT max(no) FROM sessions))")
	run("VACUUM ANALYZE")
}

// columnsOf returns a table's columns as they are inserted, and what is read for each.
func columnsOf(t testing.TB, d *sql.DB, table string, instead map[string]string) (into, from string) {
	t.Helper()
	rows, err := d.QueryContext(context.Background(), `SELECT column_name, is_identity FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`, table)
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err has the error
	var names, values []string
	for rows.Next() {
		var name, identity string
		require.NoError(t, rows.Scan(&name, &identity))
		value := "x." + name
		switch other := instead[name]; {
		case other != "":
			value = other
		case identity == "YES":
			continue // the table numbers its rows
		case name == "tenant_id":
			value = "t.id"
		case name == "session_no":
			value = "S.no + g"
		}
		names, values = append(names, name), append(values, value)
	}
	require.NoError(t, rows.Err())
	return strings.Join(names, ", "), strings.Join(values, ", ")
}

// Size returns how many bytes the database of a data folder takes on disk.
func Size(t testing.TB, dir string) (bytes int64) {
	t.Helper()
	d := Raw(t, dir)
	query := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
	if OnPostgres() {
		query = "SELECT pg_database_size(current_database())"
	}
	require.NoError(t, d.QueryRowContext(context.Background(), query).Scan(&bytes))
	return bytes
}
