package db

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"time"
)

// engine is what differs between the databases that hold a store: SQLite (engine_sqlite.go) and PostgreSQL
// (engine_postgres.go). Queries are written once, in the SQL that both understand and in SQLite's few words for what
// they don't (rewrite translates these). Only these files and the migrations know an engine.
type engine interface {
	// place names the database for an operator, without a secret.
	place() string
	// open opens the pools for writing and reading, and checks their settings. alone asks that nobody else has the store
	// open, until it is closed.
	open(ctx context.Context, alone bool) (writer, reader *sql.DB, err error)
	// inspect opens a pool that only reads the database; nil if the database does not exist yet.
	inspect(ctx context.Context) (*sql.DB, error)
	// settle leaves the database as it lies on disk when nobody has it open.
	settle(ctx context.Context, writer *sql.DB) error

	// clock returns a query for the microseconds since 1970 by the server's clock, "" if there is no server.
	clock() string

	rewrite(query string) string
	// args returns values as parameters of a statement of a transaction that reads or writes.
	args(values []any, reads bool) []any
	// prepares reports whether statements of reading transactions are worth keeping prepared here. If not, a query is a
	// round trip, and announce sends several in one.
	prepares() bool
	// announce sends queries whose answers are read afterwards, by the same queries in the same order; skip passes over
	// the answers to the next n of them.
	announce(t *tx, queries []asked) error
	skip(t *tx, n int)
	// replicas prepares the connections to replicas of the database that primary reads.
	replicas(addresses []string) (*replicas, error)
	reading() *sql.TxOptions
	// begin makes a writing transaction wait for those that it may not run beside (type lock).
	begin(t *tx) error
	// reserve returns at least n numbers after each other that no row of a table has, nor any row that another
	// transaction is about to write.
	reserve(t *tx, in numberSpace, n int) (first, last int, err error)
	// refused reports whether the error of a commit says that nothing was stored.
	refused(err error) bool

	// notify wakes the other processes that listen, once the transaction is committed.
	notify(t *tx) error
	// listen calls heard once it listens, and woke for each notification, until ctx or the connection ends. can is
	// false where there is nothing to hear.
	listen(ctx context.Context, heard, woke func()) (can bool, err error)

	// stream returns what sends many rows into a table, nil if statements with many rows do.
	stream(t *tx, table, columns string) *copyStream
	// analyse renews what the planner knows of tables that have grown by so many rows.
	analyse(ctx context.Context, pool *sql.DB, grown map[string]int) error

	// partition has the big tables of an empty database in n partitions by tenant, or checks that they are.
	partition(t *tx, n int) error

	// migrations lists the steps of the schema, the oldest first.
	migrations() ([]migrationFile, error)
	wordTenants() bool   // whether rows of search tables name their tenant
	besideWords() string // the condition that rows are of a tenant, for those that the words of a search find
	strict() string      // what ends the definition of a table whose columns take their type only
	skipLocked() string  // ends a subquery for a row j to take: it passes over those that others are taking
	lateral() bool       // whether a subquery in FROM may name the tables before it
	// onePlan has the queries that follow in the transaction planned once for all values, where planning takes longer than
	// they do.
	onePlan(t *tx) error
	// storable reports whether a text can be stored.
	storable(text string) bool
	// describe lists the tables that hold rows of the store; nil if the engine hides the order of their rows.
	describe(t *tx) ([]table, error)
	// fresh returns an error unless the database is empty, or its schema is ours.
	fresh(t *tx) error
	hasTable(t *tx, name string) (bool, error)
	// references lists the foreign keys between tables; nil if the other engine is to be asked.
	references(t *tx) ([]reference, error)
	// tablesWith lists the tables that have a column.
	tablesWith(t *tx, column string) ([]string, error)
	// deferKeys lets rows of the transaction refer to rows that are missing until it commits.
	deferKeys(t *tx) error
	// copyTo writes the database as of one moment into a new file of SQLite; others may be writing.
	copyTo(ctx context.Context, file string, now func() time.Time) error
	// unguard takes the triggers and keys away from tables that are filled; restore puts them back.
	unguard(t *tx, tables []table) (restore func() error, err error)
	// words returns a query for the rows of a search index and their words, and what is to be done after it.
	words(t *tx, index string) (query string, done func() error, err error)
	// lastNumber returns the last number that a table has given to a row, 0 if none; setNumber makes it go on after that.
	lastNumber(t *tx, x table) (int64, error)
	setNumber(t *tx, x table, last int64) error
	// scrub removes the traces of deleted rows.
	scrub(ctx context.Context, writer *sql.DB) error
	// damage lists what the engine's own check of the database finds.
	damage(t *tx) ([]string, error)
}

// engineOf returns the engine for the address of a database; "" for SQLite's file.
func engineOf(address, file string) (engine, error) {
	if address == "" {
		return sqliteEngine{path: file}, nil
	}
	return newPostgres(address)
}

// fault is what kind of error a database has answered with.
type fault int

const (
	otherFault   fault = iota
	takenFault         // a row with this key exists
	fullFault          // there is no room left
	damagedFault       // the database cannot be read
	badTextFault       // a text cannot be stored: it has a NUL or is not UTF-8
	lockedFault        // somebody else has it open, or holds a lock for too long
	againFault         // it collided with another transaction: the same transaction may succeed if repeated
	awayFault          // the server cannot be reached, or takes no more connections
)

// faultOf classifies an error of either engine.
func faultOf(err error) fault {
	if f := sqliteFault(err); f != otherFault {
		return f
	}
	return postgresFault(err)
}

// isFault reports whether err is of a kind.
func isFault(err error, f fault) bool { return err != nil && faultOf(err) == f }

// errNewer is the refusal of a schema that a newer program made.
var errNewer = errors.New("the database was written by a newer version")

// migrationFile is a step of the schema: its version counts from 1, and an engine that came later begins with the step
// that made all before it.
type migrationFile struct {
	version int
	name    string // without the folder
	text    []byte
}

// script runs statements without parameters.
func (t *tx) script(text string) error {
	t.sent(text, nil)
	_, err := t.sql.ExecContext(t.ctx, text)
	return err
}

// migrationsIn reads the steps of a folder; override names a folder whose files replace those of the same name.
func migrationsIn(files fs.FS, folder, override string) ([]migrationFile, error) {
	names, err := fs.Glob(files, folder+"/*.sql")
	if err != nil {
		return nil, err
	}
	out := make([]migrationFile, len(names))
	for i, name := range names {
		short := strings.TrimPrefix(name, folder+"/")
		text, err := fs.ReadFile(files, override+"/"+short)
		if override == "" || errors.Is(err, fs.ErrNotExist) {
			text, err = fs.ReadFile(files, name)
		}
		if err != nil {
			return nil, err
		}
		out[i] = migrationFile{version: i + 1, name: short, text: text}
	}
	return out, nil
}
