package sqldb

import (
	"fmt"
)

// writeLock is the key of the advisory lock EveryTenant: those that have another lock share it.
const writeLock = 0x53616e6164 // "Sanad"

// briefSettings are the settings of a transaction that changes the schema while others run. Its lock_timeout is below
// the server's deadlock_timeout, so that in a deadlock this transaction gives up and the other goes on.
const briefSettings = "SET LOCAL lock_timeout = 900; SET LOCAL statement_timeout = 0"

// asyncCommit has the commit of the transaction not wait for the disk or a standby.
const asyncCommit = "set_config('synchronous_commit', 'off', true)"

// takeLocks takes the lock of the transaction and then its share of EveryTenant, in one statement. In this order a
// transaction that waits for a tenant does not hold up one that needs EveryTenant.
func (*postgresEngine) takeLocks(t *Tx) (err error) {
	if t.brief {
		if err := t.script(briefSettings); err != nil {
			return err
		}
	}
	switch t.lock {
	case EveryTenant:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock($1)", int64(writeLock))
	case SingleRow:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock_shared($1)", int64(writeLock))
	case AsyncRow:
		_, err = t.sql.ExecContext(t.ctx, "SELECT pg_advisory_xact_lock_shared($1), "+asyncCommit, int64(writeLock))
	case heartbeats:
		_, err = t.sql.ExecContext(t.ctx,
			"SELECT pg_advisory_xact_lock($1), pg_advisory_xact_lock_shared($2), "+asyncCommit,
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

// Reserve counts by the sequence of a table, in a transaction of its own, so that others need not wait for this one to
// commit; under EveryTenant there are no others. Its commit need not wait for the disk or a standby: it stands in the
// write-ahead log before the commit that uses the numbers, which does wait.
func (*postgresEngine) Reserve(t *Tx, in NumberSpace, n int) (first, last int, err error) {
	lockNumbers, from := "pg_advisory_xact_lock($1)", t.sql.QueryRowContext
	if t.lock != EveryTenant {
		lockNumbers, from = lockNumbers+", "+asyncCommit, t.pool.QueryRowContext
	}
	query := `WITH locked AS MATERIALIZED (SELECT ` + lockNumbers + `)
		SELECT setval(s, greatest(nextval(s), (SELECT coalesce(max(` + in.Column + `), 0) + 1 FROM ` + in.Table + `)) + $2 - 1)
		FROM locked, CAST(pg_get_serial_sequence($3, $4) AS regclass) AS s`
	args := []any{Lock("numbers of " + in.Counter).key(), n, in.Counter, in.Number}
	t.sent(query, args)
	err = from(t.ctx, query, args...).Scan(&last)
	return last - n + 1, last, err
}
