package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresEngine holds a store in a database of a PostgreSQL server. Writing transactions are READ COMMITTED and wait
// for each other on locks that their first statement takes (type Lock): under REPEATABLE READ their snapshot would be
// older than the lock. Readers are REPEATABLE READ READ ONLY, so that they see a single moment.
type postgresEngine struct {
	config    *pgx.ConnConfig
	modeGiven bool // whether the address has default_query_exec_mode
	schema    *Schema
	dialect   *dialect
}

// writersPerProcess is how many writing transactions a process runs at the same time, of different tenants.
const writersPerProcess = 8

// Timeouts of connections, in milliseconds: how long a statement may run, and wait for a lock.
const (
	statementTimeout = 120_000
	lockTimeout      = 30_000
)

func newPostgres(address string, schema *Schema) (Engine, error) {
	const form = "the address of the database has the form postgres://USER@HOST:5432/NAME"
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return nil, openError{form}
	}
	c, err := pgx.ParseConfig(address) // its errors have the address without its password
	if err != nil {
		return nil, openError{form + ": " + oneLine(err)}
	}
	// A server that expects many rows would compile a page's query and start parallel workers, which takes a hundred
	// times as long as reading the page.
	for name, value := range map[string]string{
		"jit": "off", "max_parallel_workers_per_gather": "0",
		"application_name": "sanad", "timezone": "UTC", "client_encoding": "UTF8", "standard_conforming_strings": "on",
		"statement_timeout": strconv.Itoa(statementTimeout), "lock_timeout": strconv.Itoa(lockTimeout),
		"idle_in_transaction_session_timeout": strconv.Itoa(statementTimeout),
	} {
		if c.RuntimeParams[name] == "" {
			c.RuntimeParams[name] = value
		}
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 10 * time.Second
	}
	e := &postgresEngine{config: c, schema: schema, dialect: newDialect(schema)}
	if u, err := url.Parse(address); err == nil {
		e.modeGiven = u.Query().Has("default_query_exec_mode")
	}
	return e, nil
}

func (engine *postgresEngine) open(ctx context.Context, exclusive bool) (writer, reader *sql.DB, err error) {
	if err := engine.chooseMode(ctx); err != nil {
		return nil, nil, err
	}
	writer = stdlib.OpenDB(*engine.config)
	writer.SetMaxOpenConns(writersPerProcess)
	writer.SetMaxIdleConns(writersPerProcess)
	if err := engine.check(ctx, writer); err != nil {
		return writer, nil, err
	}
	if exclusive {
		if err := engine.awaitExclusive(ctx, writer); err != nil {
			return writer, nil, err
		}
	}
	reader = stdlib.OpenDB(*engine.config)
	n := max(4, 2*runtime.NumCPU())
	reader.SetMaxOpenConns(n)
	reader.SetMaxIdleConns(n)
	return writer, reader, nil
}

// chooseMode has statements described instead of prepared behind a pooler, unless the address chooses the mode: a
// prepared statement belongs to one connection of the server, and PgBouncer may give each transaction another one.
func (engine *postgresEngine) chooseMode(ctx context.Context) error {
	if engine.modeGiven {
		return nil
	}
	c := engine.config.Copy()
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return engine.cannotOpen(err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is left to lose
	pooled, err := throughPooler(ctx, conn)
	if err != nil {
		return engine.cannotOpen(err)
	}
	if pooled {
		engine.config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return nil
}

// throughPooler reports whether the connection is through a pooler, such as PgBouncer, which does not know the pid of
// the server's process when a connection begins.
func throughPooler(ctx context.Context, conn *pgx.Conn) (bool, error) {
	process := uint32(0)
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process)
	return process != conn.PgConn().PID(), err
}

// inspect opens a pool if the database has our tables.
func (engine *postgresEngine) inspect(ctx context.Context) (*sql.DB, error) {
	if err := engine.chooseMode(ctx); err != nil {
		return nil, err
	}
	d := stdlib.OpenDB(*engine.config)
	err := engine.check(ctx, d)
	ours := false
	if err == nil {
		err = d.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema()
			AND tablename = 'schema_migrations')`).Scan(&ours)
	}
	if err != nil || !ours {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (*postgresEngine) InFile() bool { return false }

func (*postgresEngine) settle(context.Context, *sql.DB) error { return nil }

func (*postgresEngine) clock() string {
	return "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
}

func (*postgresEngine) prepares() bool { return false } // pgx keeps the statements of each connection prepared

func (*postgresEngine) reading() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

func (*postgresEngine) CopyTo(context.Context, string) (bool, error) { return false, nil }

// CheckIntegrity finds nothing: it is the server's checksums and pg_amcheck that find damage.
func (*postgresEngine) CheckIntegrity(*Tx) ([]string, error) { return nil, nil }

// scrub frees the space of deleted rows, which is then written over. Copies in the write-ahead log, its archive,
// replicas and backups are for the operator to remove.
func (*postgresEngine) scrub(ctx context.Context, writer *sql.DB) error {
	_, err := writer.ExecContext(ctx, "VACUUM")
	return err
}
