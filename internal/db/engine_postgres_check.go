package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// leastPostgres is the oldest server_version_num that is supported.
const leastPostgres = 150000

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
