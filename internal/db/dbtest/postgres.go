package dbtest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"regexp"
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
	making.Lock()
	defer making.Unlock()
	if name := nameOf(dir); !made[name] {
		if err := onServer("CREATE DATABASE " + name + " TEMPLATE template0 " + encoding); err != nil {
			panic(err)
		}
		made[name] = true
	}
	return addressOf(nameOf(dir))
}

const encoding = "ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"

// making guards made, and lets one database be copied at a time: a template that somebody is connected to cannot be.
var (
	making sync.Mutex
	made   = map[string]bool{}
)

func nameOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return "sanad_test_" + hex.EncodeToString(sum[:8])
}

func addressOf(name string) string {
	u, err := url.Parse(os.Getenv(Server))
	if err != nil {
		panic(err)
	}
	u.Path = "/" + name
	return u.String()
}

// onServer runs a statement in the database postgres.
func onServer(statement string) error {
	d, err := sql.Open("pgx", addressOf("postgres"))
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // nothing is left to lose
	_, err = d.Exec(statement)
	return err
}

// template makes the migrated database that others are copied from, once per test binary.
var template = sync.OnceValues(func() (name string, err error) {
	name = "sanad_test_template_" + hex.EncodeToString([]byte(uuid.NewString()[:4]))
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
	return name, store.Close()
})

// newDatabase makes the database of a data folder, which is dropped when the test ends.
func newDatabase(t testing.TB, dir string) {
	t.Helper()
	from, err := template()
	require.NoError(t, err)
	making.Lock()
	defer making.Unlock()
	require.NoError(t, onServer(fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", nameOf(dir), from)))
	made[nameOf(dir)] = true
	t.Cleanup(func() { _ = onServer("DROP DATABASE IF EXISTS " + nameOf(dir) + " WITH (FORCE)") })
}

// Raw opens the database of a data folder beside the store, like somebody with a shell. Statements are written as the
// store writes them, for either engine.
func Raw(t testing.TB, dir string) *sql.DB {
	t.Helper()
	if !OnPostgres() {
		d, err := sql.Open("sqlite", "file:"+dir+"/"+db.DatabaseFile+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)")
		require.NoError(t, err)
		t.Cleanup(func() { _ = d.Close() })
		return d
	}
	config, err := pgx.ParseConfig(Database(dir))
	require.NoError(t, err)
	d := sql.OpenDB(connector{stdlib.GetConnector(*config)})
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
	{regexp.MustCompile(`DROP TRIGGER (?:IF EXISTS )?(\w+)`), "DROP FUNCTION IF EXISTS $1() CASCADE"},
	{regexp.MustCompile(`PRAGMA foreign_keys = 0`), "SET session_replication_role = replica"},
	{regexp.MustCompile(`CREATE TRIGGER (\w+) BEFORE (\w+) ON (\w+)\s+BEGIN SELECT (?i:raise)\(ABORT, ('[^']*')\); END`),
		"CREATE FUNCTION $1() RETURNS trigger LANGUAGE plpgsql AS $$$$ BEGIN RAISE EXCEPTION USING MESSAGE = $4; END $$$$; " +
			"CREATE TRIGGER $1 BEFORE $2 ON $3 FOR EACH ROW EXECUTE FUNCTION $1()"},
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
