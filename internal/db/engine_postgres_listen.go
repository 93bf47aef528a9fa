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
// lose what is listened for.
func (e *postgresEngine) listen(ctx context.Context, heard, woke func()) (can bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, e.config.Copy())
	if err != nil {
		return true, err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is left to lose
	pooled, err := throughPooler(ctx, conn)
	if err != nil {
		return true, err
	}
	if pooled {
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
