package db

import (
	"fmt"
)

// writeLock is the key of the advisory lock everyTenant: those that have another lock share it.
const writeLock = 0x53616e6164 // "Sanad"

// briefSettings are those of a transaction that changes the schema beside others. It waits for a lock for less time than
// a server takes to look for transactions that wait for each other (deadlock_timeout), so that of two such ones the other
// goes on.
const briefSettings = "SET LOCAL lock_timeout = 900; SET LOCAL statement_timeout = 0"

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
