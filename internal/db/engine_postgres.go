package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sanad/internal/pattern"
)

// postgresEngine holds a store in a database of a PostgreSQL server. Writing transactions are READ COMMITTED and wait
// for each other on locks that their first statement takes (type lock): under REPEATABLE READ their snapshot would be
// older than the lock. Readers are REPEATABLE READ READ ONLY, so that they see a single moment.
type postgresEngine struct {
	config    *pgx.ConnConfig
	modeNamed bool        // whether the address says how statements are sent
	rewritten sync.Map    // query → query
	divided   atomic.Bool // whether the big tables are in partitions
}

// writeLock is the key of the advisory lock everyTenant: those that have another lock share it.
const writeLock = 0x53616e6164 // "Sanad"

// writersPerProcess is how many writing transactions a process runs at the same time, of different tenants.
const writersPerProcess = 8

// leastPostgres is the oldest server_version_num that is supported.
const leastPostgres = 150000

// Timeouts of connections, in milliseconds: how long a statement may run, and wait for a lock.
const (
	statementTimeout = 120_000
	lockTimeout      = 30_000
)

// briefSettings are those of a transaction that changes the schema beside others. It waits for a lock for less time than
// a server takes to look for transactions that wait for each other (deadlock_timeout), so that of two such ones the other
// goes on.
const briefSettings = "SET LOCAL lock_timeout = 900; SET LOCAL statement_timeout = 0"

func newPostgres(address string) (*postgresEngine, error) {
	const form = "the address of the database has the form postgres://USER@HOST:5432/NAME"
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return nil, unopened{form}
	}
	c, err := pgx.ParseConfig(address) // its errors have the address without its password
	if err != nil {
		return nil, unopened{form + ": " + oneLine(err)}
	}
	for name, value := range map[string]string{
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
	e := &postgresEngine{config: c}
	if u, err := url.Parse(address); err == nil {
		e.modeNamed = u.Query().Has("default_query_exec_mode")
	}
	return e, nil
}

func (e *postgresEngine) open(ctx context.Context, alone bool) (writer, reader *sql.DB, err error) {
	if err := e.chooseMode(ctx); err != nil {
		return nil, nil, err
	}
	writer = openPostgres(e.config)
	writer.SetMaxOpenConns(writersPerProcess)
	writer.SetMaxIdleConns(writersPerProcess)
	if err := e.check(ctx, writer); err != nil {
		return writer, nil, err
	}
	if alone {
		if err := e.alone(ctx, writer); err != nil {
			return writer, nil, err
		}
	}
	reader = openPostgres(e.config)
	n := max(4, 2*runtime.NumCPU())
	reader.SetMaxOpenConns(n)
	reader.SetMaxIdleConns(n)
	return writer, reader, nil
}

// chooseMode has statements described instead of prepared where a pooler answers, unless the address says how statements
// are sent: a prepared statement belongs to one connection of the server, and PgBouncer may give each transaction another.
func (e *postgresEngine) chooseMode(ctx context.Context) error {
	if e.modeNamed {
		return nil
	}
	c := e.config.Copy()
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return e.notOpened(err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is left to lose
	pooled, err := throughPooler(ctx, conn)
	if err != nil {
		return e.notOpened(err)
	}
	if pooled {
		e.config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return nil
}

// throughPooler reports whether a pooler, such as PgBouncer, answers for the server: it does not know the number of the
// server's process when it begins a connection.
func throughPooler(ctx context.Context, conn *pgx.Conn) (bool, error) {
	process := uint32(0)
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process)
	return process != conn.PgConn().PID(), err
}

// inspect opens a pool if the database has our tables.
func (e *postgresEngine) inspect(ctx context.Context) (*sql.DB, error) {
	if err := e.chooseMode(ctx); err != nil {
		return nil, err
	}
	d := openPostgres(e.config)
	err := e.check(ctx, d)
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

// check refuses a server that would not keep what it is given as it is.
func (e *postgresEngine) check(ctx context.Context, d *sql.DB) error {
	var version int
	var encoding, synchronous string
	var standby, create, divided bool
	err := d.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_encoding'),
		current_setting('synchronous_commit'), pg_is_in_recovery(),
		coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
		EXISTS (SELECT 1 FROM pg_class WHERE relname = 'find_search' AND relkind = 'p' AND relnamespace = current_schema()::regnamespace)`).
		Scan(&version, &encoding, &synchronous, &standby, &create, &divided)
	e.divided.Store(divided)
	switch {
	case err != nil: // in words, so that it isn't taken for a fault of a running server
		return e.notOpened(err)
	case version < leastPostgres:
		return unopened{fmt.Sprintf("the server at %s is PostgreSQL %d; at least %d is needed", e.where(), version/10000,
			leastPostgres/10000)}
	case encoding != "UTF8":
		return unopened{fmt.Sprintf("%s has the encoding %s; create one with ENCODING 'UTF8'", e.place(), encoding)}
	case standby:
		return unopened{fmt.Sprintf("the server at %s is a standby, which only reads; give the address of the primary", e.where())}
	case !create:
		return unopened{fmt.Sprintf("%s may not create tables in %s; for a new store make it the owner (ALTER DATABASE … OWNER TO "+
			"%[1]s); one that exists is opened by the role that made it", e.config.User, e.place())}
	}
	return e.checkOrder(ctx, d)
}

// checkOrder refuses a store whose texts do not compare by their bytes, as after a dump that was edited or a column that was
// altered: pages of lists, and times, which are texts, depend on it.
func (e *postgresEngine) checkOrder(ctx context.Context, d *sql.DB) error {
	column, collation := "", ""
	err := d.QueryRowContext(ctx, `SELECT c.relname || '.' || a.attname, k.collname FROM pg_class s
		JOIN pg_class c ON c.relnamespace = s.relnamespace AND c.relkind IN ('r', 'p') AND c.relname NOT IN ('schema_migrations', '`+movingTable+`')
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'text'::regtype
		JOIN pg_collation k ON k.oid = a.attcollation AND k.collname <> 'C'
		WHERE s.relname = 'schema_migrations' AND s.relnamespace = current_schema()::regnamespace
		ORDER BY c.relname, a.attnum LIMIT 1`).Scan(&column, &collation)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("the columns of database %q cannot be looked at: %s", e.config.Database, oneLine(err))
	}
	return fmt.Errorf(`column %s compares its texts by the collation %q, not by their bytes: ALTER TABLE … TYPE text COLLATE "C"`,
		column, collation)
}

// oneLine returns the text of an error that lists its causes below each other.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// where names the server without a secret.
func (e *postgresEngine) where() string {
	return net.JoinHostPort(e.config.Host, strconv.Itoa(int(e.config.Port)))
}

// alone refuses while other programs named sanad are connected to the database. It gives those that have just ended a
// moment, in which the server notices.
func (e *postgresEngine) alone(ctx context.Context, d *sql.DB) error {
	for left := aloneTries; ; left-- {
		who, err := e.connectedOnes(ctx, d)
		switch {
		case err != nil || len(who) == 0:
			return err
		case left == 1:
			return openElsewhere{who}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(alonePause):
		}
	}
}

// How often, and how long after each other, a database that shall be had alone is asked whether others have it open.
const (
	aloneTries = 20
	alonePause = 100 * time.Millisecond
)

// errOpenElsewhere says that somebody else has the store open.
var errOpenElsewhere = errors.New("another server or command has the database open")

func (*postgresEngine) settle(context.Context, *sql.DB) error { return nil }

func (*postgresEngine) clock() string {
	return "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
}

func (*postgresEngine) prepares() bool { return false } // pgx keeps the statements of each connection prepared

func (*postgresEngine) reading() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// noSync has a transaction not wait until it is on disk or at a standby.
const noSync = "set_config('synchronous_commit', 'off', true)"

// begin takes the lock of the transaction and then its share of everyTenant, in one statement: who waits for a tenant
// does not keep those waiting that need everyTenant.
func (*postgresEngine) begin(t *tx) (err error) {
	if t.brief {
		if err := t.script(briefSettings); err != nil {
			return err
		}
	}
	switch t.lock {
	case everyTenant:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock($1)", int64(writeLock))
	case singleRow:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock_shared($1)", int64(writeLock))
	case fleeting:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock_shared($1), "+noSync, int64(writeLock))
	case limitUse:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock($1), pg_advisory_xact_lock_shared($2), "+noSync,
			t.lock.key(), int64(writeLock))
	default:
		query, args := "SELECT ", []any{}
		for _, l := range t.lock.each() {
			args = append(args, l.key())
			query += fmt.Sprintf("pg_advisory_xact_lock($%d), ", len(args))
		}
		args = append(args, int64(writeLock))
		_, err = t.sql.ExecContext(t.ctx, query+fmt.Sprintf("pg_advisory_xact_lock_shared($%d)", len(args)), args...)
	}
	return err
}

// reserve counts by the sequence of a table, in a transaction of its own, so that no other waits for the numbers until
// this one commits. Beside everyTenant nobody else does. That transaction need not be on disk, nor at a standby: it is
// once the one that uses the numbers is, because the write-ahead log has it before.
func (*postgresEngine) reserve(t *tx, in numberSpace, n int) (first, last int, err error) {
	alone, from := "pg_advisory_xact_lock($1)", t.sql.QueryRowContext
	if t.lock != everyTenant {
		alone, from = alone+", "+noSync, t.pool.QueryRowContext
	}
	query := `WITH alone AS MATERIALIZED (SELECT ` + alone + `)
		SELECT setval(s, greatest(nextval(s), (SELECT coalesce(max(` + in.column + `), 0) + 1 FROM ` + in.table + `)) + $2 - 1)
		FROM alone, CAST(pg_get_serial_sequence($3, $4) AS regclass) AS s`
	args := []any{lock("numbers of " + in.counter).key(), n, in.counter, in.number}
	t.sent(query, args)
	err = from(t.ctx, query, args...).Scan(&last)
	return last - n + 1, last, err
}

// refused: the server has answered, and is not ending, which it may do after it has committed: where the room for the
// write-ahead log ends behind a commit, that is kept, and its answer is the PANIC of the server.
func (*postgresEngine) refused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && postgresFault(err) != awayFault
}

// What SQLite says otherwise. A list of pairs is one of rows, whose parameters have the types of what they are compared
// with; the functions are those of the baseline.
var dialect = []struct {
	from *pattern.Pattern
	to   string
}{
	// rows of words name their tenant here
	{pattern.New(`\b(\w+_search) CROSS JOIN (\w+ (\w)) ON\b`), "$1 JOIN $2 ON $1.tenant_id = $3.tenant_id AND"},
	{pattern.New(`\bCROSS JOIN\b`), "JOIN"},
	// claims are searched within a range of rows, and their index has all tenants' rows: the function uses no index
	{pattern.New(`\bclaim_search MATCH \?`), "ts_match_vq(claim_search.words, words_query(?))"},
	{pattern.New(`\b(\w+) MATCH (\?|\w\.\w+)`), "$1.words @@ words_query($2)"},
	{pattern.New(`\bIN \(VALUES \(\?, \?\)`), "IN ((?, ?)"},
	{pattern.New(`\bx'([0-9a-f]*)'`), `'\x$1'::bytea`},
	{pattern.New(`(\w+(?:\.\w+)?) ->> '\$\.([\w.]+)'`), "json_path($1, '$2')"},
	{pattern.New(`(\w+(?:\.\w+)?) ->> '(\w+)'`), "json_path($1, '$2')"},
	{pattern.New(`CAST\((\w+) AS TEXT\) ->> '\$\.([\w.]+)'`), "json_path(convert_from($1, 'UTF8'), '$2')"},
	{pattern.New(`(\w+(?:\.\w+)?) -> '\$\.([\w.]+)'`), "json_path($1, '$2')"},
	{pattern.New(`\bjson_object\(`), "json_build_object("},
	{pattern.New(`([ (])\+([a-z]\.\w+)`), "$1$2"},
	{pattern.New(`\bformat\('%!\.17g', `), "concat("},
	{pattern.New(`json_extract\((\w+(?:\.\w+)?), '\$\.([\w.]+)'\)`), "json_path($1, '$2')"},
}

// rewrite translates a query and numbers its parameters.
func (e *postgresEngine) rewrite(query string) string {
	if known, ok := e.rewritten.Load(query); ok {
		return known.(string) //nolint:forcetypeassert // nothing else is stored
	}
	out := query
	for _, d := range dialect {
		out = d.from.ReplaceAllString(out, d.to)
	}
	out = numbered(out)
	e.rewritten.Store(query, out)
	return out
}

// RewriteForPostgres translates a statement as the store does.
func RewriteForPostgres(query string) string {
	var e postgresEngine
	return e.rewrite(query)
}

// numbered replaces ? and ?N outside of quotes by $N, as SQLite numbers them: a ? has the number after the highest
// before it.
func numbered(query string) string {
	var b strings.Builder
	last := 0
	for i := 0; i < len(query); i++ {
		switch c := query[i]; c {
		case '\'', '"':
			end := strings.IndexByte(query[i+1:], c)
			if end < 0 {
				b.WriteString(query[i:])
				return b.String()
			}
			b.WriteString(query[i : i+end+2])
			i += end + 1
		case '?':
			end := i + 1
			for end < len(query) && query[end] >= '0' && query[end] <= '9' {
				end++
			}
			n := last + 1
			if end > i+1 {
				n, _ = strconv.Atoi(query[i+1 : end]) // digits only
			}
			last = max(last, n)
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// args returns the values with numbers for booleans, which SQLite stores as such. A text with a NUL cannot be stored, so
// one that is looked up (reads) must find nothing: it gets a replacement character in its place.
func (e *postgresEngine) args(values []any, reads bool) []any {
	out := values
	for i, v := range values {
		var instead any
		switch v := v.(type) {
		case bool:
			instead = int64(0)
			if v {
				instead = int64(1)
			}
		case string:
			if !reads || e.storable(v) {
				continue
			}
			instead = strings.ReplaceAll(v, "\x00", "\uFFFD")
		default:
			continue
		}
		if &out[0] == &values[0] {
			out = slices.Clone(values)
		}
		out[i] = instead
	}
	return out
}

// baseline is the last step that PostgreSQL's first one includes.
const baseline = 28

// migrations begins with the baseline. Later steps have one text for both engines, or two files of one name.
func (*postgresEngine) migrations() ([]migrationFile, error) {
	all, err := migrationsIn(migrationFiles, "migrations", "migrations/postgres")
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%04d_baseline.sql", baseline)
	text, err := migrationFiles.ReadFile("migrations/postgres/" + name)
	return append([]migrationFile{{version: baseline, name: name, text: text}}, all[baseline:]...), err
}

func (*postgresEngine) lateral() bool { return true }

func (*postgresEngine) wordTenants() bool { return true }

func (*postgresEngine) onePlan(t *tx) error {
	return t.row("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)", nil, new(string))
}

// besideWords: the words have the tenant in them already, and the index of tenants would be read as well, for all that the
// tenant has. Only where there are partitions, the condition says which one is read.
func (e *postgresEngine) besideWords() string {
	if e.divided.Load() {
		return "tenant_id = ?"
	}
	return "tenant_id || '' = ?"
}

func (*postgresEngine) skipLocked() string { return " FOR UPDATE OF j SKIP LOCKED" }

func (*postgresEngine) storable(text string) bool { return strings.IndexByte(text, 0) < 0 }

// noPartition is the condition that a table c of information_schema.columns is no partition of another.
const noPartition = `NOT EXISTS (SELECT 1 FROM pg_class p WHERE p.relispartition AND p.relname = c.table_name
	AND p.relnamespace = current_schema()::regnamespace)`

func (*postgresEngine) describe(t *tx) ([]table, error) {
	var out []table
	err := t.each(`SELECT c.table_name, c.column_name, c.is_identity FROM information_schema.columns c
		JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
		AND c.table_name NOT IN ('schema_migrations', '`+movingTable+`') AND `+noPartition+`
		ORDER BY c.table_name, c.ordinal_position`, nil, func(r scanner) error {
		var name, column, identity string
		if err := r.Scan(&name, &column, &identity); err != nil {
			return err
		}
		if slices.Contains(searchTables, name) {
			return nil
		}
		if len(out) == 0 || out[len(out)-1].name != name {
			out = append(out, table{name: name})
		}
		x := &out[len(out)-1]
		x.columns = append(x.columns, `"`+column+`"`)
		if identity == "YES" {
			x.number = column
		}
		return nil
	})
	return out, err
}

func (*postgresEngine) strict() string { return "" }

func (e *postgresEngine) fresh(t *tx) error {
	ours, others := 0, 0
	err := t.row(`SELECT count(CASE WHEN tablename = 'schema_migrations' THEN 1 END), count(*) FROM pg_tables
		WHERE schemaname = current_schema()`, nil, &ours, &others)
	if err == nil && ours == 0 && others > 0 {
		err = unopened{e.place() + " belongs to another program: it has tables, and none is Sanad's; create one for Sanad alone"}
	}
	return err
}

func (*postgresEngine) hasTable(t *tx, name string) (bool, error) {
	n := 0
	err := t.row("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?", []any{name}, &n)
	return n > 0, err
}

func (*postgresEngine) references(t *tx) ([]reference, error) {
	return collect(t, `SELECT DISTINCT f.relname, r.relname FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid
		JOIN pg_class r ON r.oid = k.confrelid WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`,
		nil, func(r scanner, k *reference) error { return r.Scan(&k.from, &k.to) })
}

func (*postgresEngine) tablesWith(t *tx, column string) ([]string, error) {
	return collect(t, `SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t
		ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND c.column_name = ? AND t.table_type = 'BASE TABLE'
		AND `+noPartition+` ORDER BY c.table_name`, []any{column}, scanText)
}

func (*postgresEngine) deferKeys(t *tx) error {
	_, err := t.exec("SET CONSTRAINTS ALL DEFERRED")
	return err
}

// copyTo reads everything in one snapshot.
func (e *postgresEngine) copyTo(ctx context.Context, file string, now func() time.Time) error {
	d, err := e.inspect(ctx)
	if err != nil {
		return err
	}
	if d == nil {
		return errors.New("the database has no store")
	}
	s := &Store{engine: e, reader: d, now: now}
	return errors.Join(s.look(ctx, func(t *tx) error {
		if err := notFilled(t); err != nil {
			return err
		}
		return copyInto(ctx, t, file)
	}), d.Close())
}

func (e *postgresEngine) unguard(t *tx, tables []table) (restore func() error, err error) {
	all := func(what string) error {
		for _, x := range tables {
			if err := t.script("ALTER TABLE " + x.name + " " + what + " TRIGGER USER"); err != nil {
				return err
			}
		}
		return nil
	}
	return func() error {
		if err := t.script("SET CONSTRAINTS ALL IMMEDIATE"); err != nil { // tables with pending checks can't be altered
			return err
		}
		return all("ENABLE")
	}, errors.Join(all("DISABLE"), e.deferKeys(t))
}

func (*postgresEngine) words(_ *tx, index string) (query string, done func() error, err error) {
	return "SELECT rowid, array_to_string(tsvector_to_array(words), ' ') FROM " + index + " ORDER BY rowid",
		func() error { return nil }, nil
}

func (*postgresEngine) lastNumber(t *tx, x table) (last int64, err error) {
	if x.number == "" {
		return 0, nil
	}
	name := ""
	if err := t.row("SELECT pg_get_serial_sequence(?, ?)", []any{x.name, x.number}, &name); err != nil {
		return 0, err
	}
	err = t.row("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM "+name, nil, &last)
	return last, err
}

func (*postgresEngine) setNumber(t *tx, x table, last int64) error {
	if x.number == "" {
		return nil
	}
	return t.each("SELECT setval(pg_get_serial_sequence(?, ?), ?)", []any{x.name, x.number, last},
		func(scanner) error { return nil })
}

// damage is not for a client to find: the server's own checksums and pg_amcheck do.
func (*postgresEngine) damage(*tx) ([]string, error) { return nil, nil }

// scrub frees the room of deleted rows and lets it be written over. What the server keeps of it besides (its write-ahead
// log and archive, replicas, backups) is its operator's.
func (*postgresEngine) scrub(ctx context.Context, writer *sql.DB) error {
	_, err := writer.ExecContext(ctx, "VACUUM")
	return err
}

// postgresFault classifies the errors of a server and of the way to it.
func postgresFault(err error) fault {
	if errors.Is(err, errOpenElsewhere) {
		return lockedFault
	}
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		var connect *pgconn.ConnectError
		var network *net.OpError
		if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, sql.ErrConnDone) ||
			errors.Is(err, driver.ErrBadConn) {
			return awayFault
		}
		return otherFault
	}
	switch {
	case e.SeverityUnlocalized == "PANIC": // the server ends, as when there is no room for its write-ahead log
		return awayFault
	case e.Code == "23505": // unique_violation
		return takenFault
	case e.Code == "53100": // disk_full
		return fullFault
	case e.Code == "22021" || e.Code == "22P05": // character_not_in_repertoire, untranslatable_character
		return badTextFault
	case e.Code == "40001" || e.Code == "40P01": // serialization_failure, deadlock_detected
		return againFault
	case e.Code == "55P03" || e.Code == "57014": // lock_not_available; query_canceled, also by statement_timeout
		return lockedFault
	case e.Code == "53300" || strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P"): // too many connections; shut down
		return awayFault
	case strings.HasPrefix(e.Code, "XX"): // data_corrupted, index_corrupted
		return damagedFault
	}
	return otherFault
}
