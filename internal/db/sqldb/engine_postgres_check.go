package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// leastPostgres is the oldest server_version_num that is supported.
const leastPostgres = 150000

// check returns an error if the server cannot hold a store: a version, encoding, collation or right that is missing.
func (engine *postgresEngine) check(ctx context.Context, d *sql.DB) error {
	var version int
	var encoding, synchronous string
	var standby, create bool
	err := d.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_encoding'),
		current_setting('synchronous_commit'), pg_is_in_recovery(),
		coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)`).
		Scan(&version, &encoding, &synchronous, &standby, &create)
	switch {
	case err != nil: // in words, so that it isn't taken for a fault of a running server
		return engine.cannotOpen(err)
	case version < leastPostgres:
		return openError{fmt.Sprintf("the server at %s is PostgreSQL %d; at least %d is needed", engine.where(),
			version/10000,
			leastPostgres/10000)}
	case encoding != "UTF8":
		return openError{fmt.Sprintf("%s has the encoding %s; create one with ENCODING 'UTF8'", engine.Place(),
			encoding)}
	case standby:
		return openError{fmt.Sprintf("the server at %s is a standby, which only reads; give the address of the primary",
			engine.where())}
	case !create:
		return openError{fmt.Sprintf("%s may not create tables in %s; for a new store make it the owner (ALTER DATABASE … "+
			"OWNER TO %[1]s); one that exists is opened by the role that made it", engine.config.User, engine.Place())}
	}
	return engine.checkOrder(ctx, d)
}

// checkOrder returns an error if a column's texts are not compared by their bytes, as after an edited dump or an
// altered column. Pages of lists depend on that order, and so do times, which are stored as texts.
func (engine *postgresEngine) checkOrder(ctx context.Context, d *sql.DB) error {
	column, collation := "", ""
	err := d.QueryRowContext(ctx, `SELECT c.relname || '.' || a.attname, k.collname FROM pg_class s
		JOIN pg_class c ON c.relnamespace = s.relnamespace AND c.relkind IN ('r', 'p')
			AND c.relname NOT IN (`+engine.apart()+`)
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'text'::regtype
		JOIN pg_collation k ON k.oid = a.attcollation AND k.collname <> 'C'
		WHERE s.relname = 'schema_migrations' AND s.relnamespace = current_schema()::regnamespace
		ORDER BY c.relname, a.attnum LIMIT 1`).Scan(&column, &collation)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("the columns of database %q cannot be looked at: %s", engine.config.Database, oneLine(err))
	}
	return fmt.Errorf(`column %s compares its texts by the collation %q, not by their bytes: `+
		`ALTER TABLE … TYPE text COLLATE "C"`, column, collation)
}

// awaitExclusive returns an error if other programs named sanad stay connected to the database. It asks several times,
// because the server takes a moment to notice that one has ended.
func (engine *postgresEngine) awaitExclusive(ctx context.Context, d *sql.DB) error {
	for left := exclusiveTries; ; left-- {
		who, err := engine.otherConnections(ctx, d)
		switch {
		case err != nil || len(who) == 0:
			return err
		case left == 1:
			return OpenElsewhere{who}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(exclusivePause):
		}
	}
}

// How often, and with which pause, the server is asked whether others have the database open.
const (
	exclusiveTries = 20
	exclusivePause = 100 * time.Millisecond
)

// errOpenElsewhere is the error of a store that another process has open.
var errOpenElsewhere = errors.New("another server or command has the database open")
