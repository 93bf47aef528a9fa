package dbtest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/keys"
)

// Server is the environment variable with the address of a PostgreSQL server for tests, without a database. If it is
// set, the stores of tests lie there: make postgres.
const Server = "SANAD_TEST_POSTGRES"

// OnPostgres reports whether the stores of tests lie on a PostgreSQL server.
func OnPostgres() bool { return os.Getenv(Server) != "" }

// Database returns the address of the database that belongs to a data folder, "" for the file in it. That of a folder
// which Dir did not make is empty at first.
func Database(dir string) string {
	if !OnPostgres() {
		return ""
	}
	databases.Lock()
	defer databases.Unlock()
	name := databases.of[dir]
	if name == "" {
		name = newName("")
		if err := onServer("CREATE DATABASE " + name + " TEMPLATE template0 " + encoding); err != nil {
			panic(err)
		}
		databases.of[dir] = name
	}
	return addressOf(name)
}

const encoding = "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

// databases has the names of the databases by the data folders that they belong to.
var databases = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

// newName returns a name that no other database of the server has.
func newName(kind string) string {
	return "sanad_test_" + kind + strings.ReplaceAll(uuid.NewString(), "-", "")[:16]
}

func addressOf(name string) string {
	u, err := url.Parse(os.Getenv(Server))
	if err != nil {
		panic(err)
	}
	u.Path = "/" + name
	return u.String()
}

// server is the pool of connections that make and drop databases.
var server = sync.OnceValues(func() (*sql.DB, error) { return sql.Open("pgx", addressOf("postgres")) })

// onServer runs a statement in the database postgres.
func onServer(statement string) error {
	d, err := server()
	if err == nil {
		_, err = d.ExecContext(context.Background(), statement)
	}
	return err
}

// template makes the migrated database that others are copied from, once per test binary.
func template() (name string, err error) {
	name = newName("template_")
	if err := onServer("CREATE DATABASE " + name + " TEMPLATE template0 " + encoding); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "sanad-template-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	box, err := keys.New(make([]byte, keys.MasterSize))
	if err != nil {
		return "", err
	}
	store, err := db.Open(context.Background(), db.Options{Dir: dir, Database: addressOf(name), Now: time.Now,
		NewID: uuid.NewString, Keys: box})
	if err != nil {
		return "", err
	}
	if err := store.Close(); err != nil {
		return "", err
	}
	return name, compatible(addressOf(name))
}

// copied is the name of a copy of the template, or the error of making it.
type copied struct {
	name string
	err  error
}

// ahead starts making copies of the template while the tests run, two ahead of them, and drops those that are no longer
// used. What is left when the tests are done goes with the server.
var ahead = sync.OnceValue(func() <-chan copied {
	ready := make(chan copied, 2)
	go func() {
		from, err := template()
		for {
			var next copied
			if next.err = err; err == nil {
				next.name = newName("")
				next.err = onServer(fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", next.name, from))
			}
			ready <- next
			for len(unused) > 0 {
				_ = drop(<-unused) // it goes with the server
			}
		}
	}()
	return ready
})

// unused takes the names of databases that are to be dropped.
var unused = make(chan string, 10_000)

func drop(name string) error { return onServer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") }

// likeSQLite lets statements of tests that look at or change a database beside the store be those for SQLite.
const likeSQLite = `
CREATE DOMAIN blob AS bytea;
CREATE FUNCTION zeroblob(n int) RETURNS bytea LANGUAGE sql AS $$ SELECT decode(repeat('00', n), 'hex') $$;
CREATE FUNCTION pragma_table_info(t text) RETURNS TABLE (name text, type text, "notnull" int, pk int) LANGUAGE sql AS $$
  SELECT c.column_name::text, CASE c.data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'integer' THEN 'INTEGER' WHEN 'text' THEN 'TEXT'
    WHEN 'bytea' THEN 'BLOB' WHEN 'double precision' THEN 'REAL' ELSE c.data_type END, (c.is_nullable = 'NO')::int,
    coalesce((SELECT array_position(k.conkey, (SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname = c.column_name))
      FROM pg_constraint k WHERE k.contype = 'p' AND k.conrelid = (quote_ident(c.table_schema) || '.' || quote_ident(t))::regclass), 0)
  FROM information_schema.columns c
  WHERE c.table_schema = current_schema() AND c.table_name = t AND c.column_name <> 'rowid' ORDER BY c.ordinal_position $$;
CREATE FUNCTION json_remove(doc text, VARIADIC paths text[]) RETURNS text LANGUAGE plpgsql AS $$ DECLARE p text; d jsonb := doc::jsonb;
  BEGIN FOREACH p IN ARRAY paths LOOP d := d #- string_to_array(substr(p, 3), '.'); END LOOP; RETURN d::text; END $$;
CREATE FUNCTION json_set(doc text, VARIADIC pairs text[]) RETURNS text LANGUAGE plpgsql AS $$ DECLARE d jsonb := doc::jsonb;
  BEGIN FOR i IN 1..array_length(pairs, 1) BY 2 LOOP d := jsonb_set(d, string_to_array(substr(pairs[i], 3), '.'), pairs[i + 1]::jsonb); END LOOP;
  RETURN d::text; END $$;
CREATE FUNCTION typeof(v anyelement) RETURNS text LANGUAGE sql AS $$ SELECT CASE pg_typeof(v)::text WHEN 'bigint' THEN 'integer' WHEN 'bytea' THEN 'blob' ELSE pg_typeof(v)::text END $$;
CREATE VIEW sqlite_master AS
  SELECT tablename::text AS name, 'table' AS type, tablename::text AS tbl_name, CASE WHEN EXISTS (SELECT 1 FROM pg_attribute a
    WHERE a.attrelid = tablename::regclass AND a.attname = 'rowid') THEN '' ELSE 'WITHOUT ROWID' END AS sql
  FROM pg_tables WHERE schemaname = current_schema()
  UNION ALL SELECT indexname, 'index', tablename, indexdef FROM pg_indexes WHERE schemaname = current_schema()
  UNION ALL SELECT t.tgname, 'trigger', c.relname, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgname NOT LIKE 'lock\_checked\_%';
CREATE VIEW sqlite_schema AS SELECT * FROM sqlite_master;
CREATE VIEW claim_search_docsize AS SELECT rowid AS id FROM claim_search;
CREATE VIEW session_search_docsize AS SELECT rowid AS id FROM session_search;`

func compatible(address string) error {
	d, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // nothing is left to lose
	_, err = d.ExecContext(context.Background(), likeSQLite+checkLocks)
	return err
}

// newDatabase makes the database of a data folder, which is dropped when the test ends.
func newDatabase(t testing.TB, dir string) {
	t.Helper()
	next := <-ahead()
	require.NoError(t, next.err)
	belongs(t, dir, next.name)
}

// belongs says that a database is a data folder's until the test ends.
func belongs(t testing.TB, dir, name string) {
	t.Helper()
	databases.Lock()
	defer databases.Unlock()
	databases.of[dir] = name
	t.Cleanup(func() { unused <- name })
}

// openedRaw has the folders of databases that Raw has opened.
var openedRaw sync.Map

// Raw opens the database of a data folder beside the store, like somebody with a shell. Statements are written as the
// store writes them, for either engine.
func Raw(t testing.TB, dir string) *sql.DB {
	t.Helper()
	openedRaw.Store(dir, true)
	if !OnPostgres() {
		d, err := sql.Open("sqlite", "file:"+dir+"/"+db.DatabaseFile+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)")
		require.NoError(t, err)
		t.Cleanup(func() { _ = d.Close() })
		return d
	}
	config, err := pgx.ParseConfig(Database(dir))
	require.NoError(t, err)
	always := func(context.Context, stdlib.ShouldPingParams) bool { return true } // Copy ends connections
	d := sql.OpenDB(connector{stdlib.GetConnector(*config, stdlib.OptionShouldPing(always))})
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// connector connects with statements that are translated as the store's are.
type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return rewriting{conn.(*stdlib.Conn)}, nil
}

type rewriting struct{ *stdlib.Conn }

// tampering has what tests do to a schema, as PostgreSQL says it: a trigger goes with its function, which has its name.
var tampering = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`DROP TRIGGER (?:IF EXISTS )?(\w+)`), `DROP FUNCTION IF EXISTS "$1"() CASCADE`},
	{regexp.MustCompile(`^(?:INSERT OR )?REPLACE INTO (\w+) ((?:\([^()]*\) )?SELECT .*)`),
		"INSERT INTO $1 $2 ON CONFLICT DO NOTHING"},
	{regexp.MustCompile(`UPDATE OR REPLACE`), "UPDATE"},
	{regexp.MustCompile(`\btemp\.(\w+)`), "pg_temp.$1"},
	{regexp.MustCompile(`\bCAST\(bytes AS TEXT\)`), "convert_from(bytes, 'UTF8')"},
	{regexp.MustCompile(`PRAGMA foreign_keys = OFF`), withoutConstraints("f")},
	{regexp.MustCompile(`PRAGMA ignore_check_constraints = 1`), withoutConstraints("c")},
	{regexp.MustCompile(`PRAGMA foreign_keys = 0`), "SET session_replication_role = replica"},
	{regexp.MustCompile(`CREATE TRIGGER (\w+) BEFORE (\w+(?: OF \w+)?) ON (\w+)\s+BEGIN SELECT (?i:raise)\(ABORT, ('[^']*')\); END`),
		`CREATE FUNCTION "$1"() RETURNS trigger LANGUAGE plpgsql AS $$$$ BEGIN RAISE EXCEPTION USING MESSAGE = $4; END $$$$; ` +
			`CREATE TRIGGER "$1" BEFORE $2 ON $3 FOR EACH ROW EXECUTE FUNCTION "$1"()`},
}

// withoutConstraints is a statement that drops the foreign keys (f) or the checks (c) of all tables.
func withoutConstraints(kind string) string {
	return `DO $$$$ DECLARE k record; BEGIN FOR k IN SELECT conrelid::regclass AS t, conname FROM pg_constraint
		WHERE contype = '` + kind + `' AND connamespace = current_schema()::regnamespace AND conrelid <> 0
		LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.t, k.conname); END LOOP; END $$$$`
}

func rewrite(query string) string {
	for _, d := range tampering {
		query = d.from.ReplaceAllString(query, d.to)
	}
	return db.RewriteForPostgres(query)
}

func (c rewriting) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c rewriting) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, rewrite(query))
}

func (c rewriting) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, rewrite(query), args)
}

func (c rewriting) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, rewrite(query), args)
}

// SQLiteOnly skips a test of what only a database file has, or only SQLite does.
func SQLiteOnly(t testing.TB, why string) {
	t.Helper()
	if OnPostgres() {
		t.Skip("only of SQLite: " + why)
	}
}

// Copy copies a data folder with its database, whose connections are closed. What lies in the other folder is lost.
func Copy(t testing.TB, from, to string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(to))
	require.NoError(t, os.CopyFS(to, os.DirFS(from)))
	if !OnPostgres() {
		return
	}
	databases.Lock()
	source, name := databases.of[from], databases.of[to]
	databases.Unlock()
	if name == "" {
		name = newName("")
		belongs(t, to, name)
	}
	require.NoError(t, drop(name))
	require.NoError(t, onServer("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+source+"'"))
	require.NoError(t, onServer(fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", name, source)))
}

// Rows returns every row of every table as a text, with the table's name before it: of PostgreSQL only.
func Rows(t testing.TB, dir string) (out []string) {
	t.Helper()
	d := Raw(t, dir)
	tables, err := d.QueryContext(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
	require.NoError(t, err)
	defer tables.Close() //nolint:errcheck // only read
	for tables.Next() {
		table := ""
		require.NoError(t, tables.Scan(&table))
		rows, err := d.QueryContext(t.Context(), "SELECT x::text FROM "+table+" x")
		require.NoError(t, err)
		for rows.Next() {
			row := ""
			require.NoError(t, rows.Scan(&row))
			out = append(out, table+": "+row)
		}
		require.NoError(t, rows.Err())
	}
	require.NoError(t, tables.Err())
	return out
}

// RowsOfFile lists every row of every table of a data folder's database file, but for when its schema was made.
func RowsOfFile(t testing.TB, dir string) (out []string) {
	t.Helper()
	ctx := t.Context()
	d, err := sql.Open("sqlite", "file:"+filepath.Join(dir, db.DatabaseFile)+"?mode=ro&immutable=1")
	require.NoError(t, err)
	defer d.Close() //nolint:errcheck // only read
	names, err := d.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
		AND name NOT LIKE '%\_search\_%' ESCAPE '\' AND name <> 'schema_migrations' ORDER BY name`)
	require.NoError(t, err)
	defer names.Close() //nolint:errcheck // only read
	for names.Next() {
		table := ""
		require.NoError(t, names.Scan(&table))
		rows, err := d.QueryContext(ctx, "SELECT * FROM "+table)
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		var of []string
		for rows.Next() {
			require.NoError(t, rows.Scan(into...))
			of = append(of, table+" "+strings.TrimSpace(fmt.Sprintf("%q", values)))
		}
		require.NoError(t, rows.Close())
		slices.Sort(of)
		out = append(out, of...)
	}
	require.NoError(t, names.Err())
	require.NotEmpty(t, out)
	return out
}

// OnPostgresOnly skips a test that SQLite cannot run.
func OnPostgresOnly(t testing.TB) {
	t.Helper()
	if !OnPostgres() {
		t.Skip("needs a PostgreSQL server: make postgres")
	}
}

// DatabaseOf is the name of the database in an address.
func DatabaseOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return strings.TrimPrefix(u.Path, "/")
}
