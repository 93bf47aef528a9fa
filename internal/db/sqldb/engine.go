package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
)

// Engine is what differs between the databases that hold a store: SQLite (engine_sqlite.go) and PostgreSQL
// (engine_postgres*.go). Queries are written once, in the SQL that both understand; where they differ, in SQLite's,
// which rewrite translates. Only these files and the migrations know an engine.
type Engine interface {
	// Place names the database for an operator, without a secret.
	Place() string
	InFile() bool // whether the database is a file of this machine
	// open opens the pools for writing and reading, and checks their settings. exclusive keeps others from opening the
	// store until it is closed.
	open(ctx context.Context, exclusive bool) (writer, reader *sql.DB, err error)
	// inspect opens a pool that only reads the database; nil if the database does not exist yet.
	inspect(ctx context.Context) (*sql.DB, error)
	// settle leaves the files of the database as they are when nobody has it open.
	settle(ctx context.Context, writer *sql.DB) error

	// clock returns a query for the microseconds since 1970 by the server's clock, "" if there is no server.
	clock() string

	rewrite(query string) string
	// args returns values as parameters of a statement of a transaction that reads or writes.
	args(values []any, reads bool) []any
	// prepares reports whether statements of reading transactions are worth keeping prepared here.
	prepares() bool
	reading() *sql.TxOptions
	// takeLocks makes a writing transaction wait for those that it excludes (type Lock).
	takeLocks(t *Tx) error
	// Reserve returns at least n consecutive numbers that no row of a table has, nor any row that another transaction
	// is about to write.
	Reserve(t *Tx, in NumberSpace, n int) (first, last int, err error)
	// notCommitted reports whether the error of a commit says that nothing was stored.
	notCommitted(err error) bool

	// Notify wakes the other processes that listen, once the transaction is committed.
	Notify(t *Tx, channel string) error
	// Listen calls listening once it listens, and notified for each notification on a channel, until ctx or the
	// connection ends. supported is false where there are no notifications.
	Listen(ctx context.Context, channel string, listening, notified func()) (supported bool, err error)

	// stream returns a stream of rows into a table; nil if statements with many rows are used instead.
	stream(t *Tx, table, columns string) *copyStream
	// analyse renews the planner's statistics of tables that have grown by so many rows.
	analyse(ctx context.Context, pool *sql.DB, grown map[string]int) error

	// Migrations lists the steps of the schema, the oldest first.
	Migrations() ([]Step, error)
	searchNamesTenant() bool // whether rows of search tables name their tenant
	SearchTenant() string    // the condition on the tenant of rows that are found by words
	tableOptions() string    // ends a CREATE TABLE, so that columns hold values of their own type only
	SkipLocked() string      // ends a subquery that takes a row j: rows that others are taking are left out
	Lateral() bool           // whether a subquery in FROM may refer to the tables before it
	// GenericPlan has the queries that follow in the transaction planned once for all values, for queries whose
	// planning takes longer than they do.
	GenericPlan(t *Tx) error
	// Storable reports whether a text can be stored.
	Storable(text string) bool
	// Tables lists the tables that hold rows of the store; nil if the engine hides the order of their rows.
	Tables(t *Tx) ([]Table, error)
	// checkOwner returns an error if the database holds tables of another program.
	checkOwner(t *Tx) error
	HasTable(t *Tx, name string) (bool, error)
	// References lists the foreign keys between tables; nil if only the other engine can list them.
	References(t *Tx) ([]Reference, error)
	// DeferKeys has foreign keys checked at the commit.
	DeferKeys(t *Tx) error
	// CopyTo writes the database as of one moment into a new file of SQLite; others may be writing. can is false if the
	// engine has no such copy of its own.
	CopyTo(ctx context.Context, file string) (can bool, err error)
	// DisableTriggers disables the triggers of tables that are filled, and defers their keys; restore enables them
	// again.
	DisableTriggers(t *Tx, tables []Table) (restore func() error, err error)
	// IndexedWords returns a query for the rows of a search index and their words, and what is to be done after it.
	IndexedWords(t *Tx, index string) (query string, done func() error, err error)
	// LastNumber returns the last number that a table has given to a row, 0 if none; SetNumber sets it.
	LastNumber(t *Tx, x Table) (int64, error)
	SetNumber(t *Tx, x Table, last int64) error
	// scrub removes the traces of deleted rows.
	scrub(ctx context.Context, writer *sql.DB) error
	// CheckIntegrity lists what the engine's own check of the database finds.
	CheckIntegrity(t *Tx) ([]string, error)
}

// Schema is what an engine must know of the tables that a program keeps in a database.
type Schema struct {
	Steps  fs.FS    // a folder migrations of SQL, whose folder postgres has the files that this engine needs otherwise
	Search []string // indexes of words
	// Ranged are the indexes of words that are searched within a range of rows while they hold those of all tenants: on
	// PostgreSQL such a search does not use the index
	Ranged []string
	Apart  []string // tables that no copy of the rows has, besides those of this package
}

// EngineOf returns the engine for the address of a database; "" for SQLite's file.
func EngineOf(address, file string, schema *Schema) (Engine, error) {
	if address == "" {
		return sqliteEngine{path: file, schema: schema}, nil
	}
	return newPostgres(address, schema)
}

// SQLiteFile returns the engine of a file of SQLite.
func SQLiteFile(file string, schema *Schema) Engine { return sqliteEngine{path: file, schema: schema} }

// Fault is a kind of error that a database answers with.
type Fault int

const (
	otherFault       Fault = iota
	takenFault             // a row with this key exists
	fullFault              // there is no room left
	DamagedFault           // the database cannot be read
	badTextFault           // a text cannot be stored: it has a NUL or is not UTF-8
	LockedFault            // another process has it open, or holds a lock for too long
	conflictFault          // it collided with another transaction: the same transaction may succeed if repeated
	unavailableFault       // the server cannot be reached, or takes no more connections
)

// FaultOf classifies an error of either engine.
func FaultOf(err error) Fault {
	if f := sqliteFault(err); f != otherFault {
		return f
	}
	return postgresFault(err)
}

// IsFault reports whether err is of a kind.
func IsFault(err error, f Fault) bool { return err != nil && FaultOf(err) == f }

// ErrNewer is the refusal of a schema that a newer program made.
var ErrNewer = errors.New("the database was written by a newer version")

// Step is a step of the schema. Its version counts from 1, which is the baseline.
type Step struct {
	Version int
	Name    string // without the folder
	Text    []byte
}

// script runs statements without parameters.
func (tx *Tx) script(text string) error {
	tx.sent(text, nil)
	_, err := tx.sql.ExecContext(tx.ctx, text)
	return err
}

// migrationsIn reads the steps of a folder; override names a folder whose files replace those of the same name, where
// the engines need different texts.
func migrationsIn(files fs.FS, folder, override string) ([]Step, error) {
	names, err := fs.Glob(files, folder+"/*.sql")
	if err != nil {
		return nil, err
	}
	out := make([]Step, len(names))
	for i, name := range names {
		short := strings.TrimPrefix(name, folder+"/")
		text, err := fs.ReadFile(files, override+"/"+short)
		if override == "" || errors.Is(err, fs.ErrNotExist) {
			text, err = fs.ReadFile(files, name)
		}
		if err != nil {
			return nil, err
		}
		out[i] = Step{Version: i + 1, Name: short, Text: text}
	}
	return out, nil
}

// Table is a table as it is copied. Its columns include rowid if no other column keeps the order of its rows.
type Table struct {
	Name    string
	Columns []string
	Number  string // the column that the engine numbers, "" if none
}

// Reference is a foreign key from one table to another.
type Reference struct{ From, To string }
