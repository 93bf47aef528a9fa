package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5"
)

// postgresStandby is a server that follows the primary and only reads.
type postgresStandby struct {
	engine *postgresEngine
	pool   *sql.DB
}

// replicas prepares the connections to replicas, each at an address of one server, and those that ask the primary.
func (e *postgresEngine) replicas(addresses []string) (*replicas, error) {
	primary := openPostgres(e.config)
	primary.SetMaxOpenConns(2)
	r := &replicas{primary: postgresPrimary{primary}}
	for _, address := range addresses {
		x, err := newPostgres(address)
		if err == nil && len(x.config.Fallbacks) > 0 && otherHosts(x.config) {
			err = errors.New("the address of a replica names one server; give the flag once for each")
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("--database-replica: %w", err), r.close())
		}
		pool := openPostgres(x.config)
		n := max(4, 2*runtime.NumCPU())
		pool.SetMaxOpenConns(n)
		pool.SetMaxIdleConns(n)
		r.list = append(r.list, &replica{standby: &postgresStandby{engine: x, pool: pool}})
	}
	return r, nil
}

// otherHosts reports whether an address names more than one server; the way back from TLS is of the same one.
func otherHosts(c *pgx.ConnConfig) bool {
	for _, f := range c.Fallbacks {
		if f.Host != c.Host || f.Port != c.Port {
			return true
		}
	}
	return false
}

// postgresPrimary is the server that replicas follow.
type postgresPrimary struct{ pool *sql.DB }

// where asks for the end of what is inserted into the write-ahead log, which is never before the end of a commit that
// was answered, even where synchronous_commit is off. It fails on a standby.
func (x postgresPrimary) where(ctx context.Context) (p primaryState, err error) {
	var at int64
	err = x.pool.QueryRowContext(ctx, `SELECT c.system_identifier, pg_current_wal_insert_lsn() - '0/0'::pg_lsn,
		('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
		(SELECT oid::bigint FROM pg_database WHERE datname = current_database()), current_schema()
		FROM pg_control_system() c`).Scan(&p.system, &at, &p.timeline, &p.database, &p.schema)
	p.at = uint64(at)
	return p, err
}

func (x postgresPrimary) close() error { return x.pool.Close() }

func (x *postgresStandby) name() string { return x.engine.where() }

func (x *postgresStandby) probe(ctx context.Context, of *primaryState) (uint64, error) {
	var is primaryState
	var at int64
	standby := false
	err := x.pool.QueryRowContext(ctx, `SELECT pg_is_in_recovery(), c.system_identifier,
		coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0),
		greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline),
		(SELECT oid::bigint FROM pg_database WHERE datname = current_database()), current_schema()
		FROM pg_control_system() c`).Scan(&standby, &is.system, &at, &is.timeline, &is.database, &is.schema)
	is.at = uint64(at)
	switch {
	case err != nil:
		return 0, errors.New("it does not answer: " + x.engine.reason(err))
	case !standby:
		return 0, errors.New("it is no standby: it was promoted, or is a primary")
	case is.system != of.system || is.database != of.database || is.schema != of.schema:
		return 0, errors.New("it holds another database")
	case is.timeline != of.timeline:
		return 0, fmt.Errorf("it is on timeline %d, not %d, or has made no restart point since a failover", is.timeline,
			of.timeline)
	}
	return is.at, nil
}

// begin asks before the transaction that reads, whose snapshot is then not older than what it was asked for: within it, the
// answer could be newer than the snapshot.
func (x *postgresStandby) begin(ctx context.Context, least uint64) (connBeginner, error) {
	conn, err := x.pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	reached := false
	err = conn.QueryRowContext(ctx, "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() - '0/0'::pg_lsn >= $1",
		int64(least)).Scan(&reached)
	if err == nil && !reached {
		err = errNotReached
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (x *postgresStandby) close() error { return x.pool.Close() }

// replicaList returns the addresses of a list whose items may be separated by commas, too.
func replicaList(given []string) (out []string) {
	for _, g := range given {
		for address := range strings.SplitSeq(g, ",") {
			if address = strings.TrimSpace(address); address != "" {
				out = append(out, address)
			}
		}
	}
	return out
}
