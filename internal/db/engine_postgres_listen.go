package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// jobsChannel is the channel of notifications that jobs have changed.
const jobsChannel = "sanad_jobs"

func (*postgresEngine) notify(t *tx) error {
	return t.each("SELECT pg_notify(?, '')", []any{jobsChannel}, func(scanner) error { return nil })
}

// listen has a connection of its own. A pooler that lends connections for one transaction, as PgBouncer does, would
// lose what is listened for: it is known by the number of the server's process, which it does not know when it answers
// for it.
func (e *postgresEngine) listen(ctx context.Context, heard, woke func()) (can bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, e.config.Copy())
	if err != nil {
		return true, err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is left to lose
	process := uint32(0)
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
		return true, err
	}
	if process != conn.PgConn().PID() {
		return false, nil
	}
	if _, err := conn.Exec(ctx, "LISTEN "+jobsChannel); err != nil {
		return true, err
	}
	heard()
	for {
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return true, err
		}
		woke()
	}
}
