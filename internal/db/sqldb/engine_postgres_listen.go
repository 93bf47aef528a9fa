package sqldb

import (
	"context"

	"github.com/jackc/pgx/v5"
)

func (*postgresEngine) Notify(t *Tx, channel string) error {
	return t.Each("SELECT pg_notify(?, '')", []any{channel}, func(Scanner) error { return nil })
}

// Listen uses a connection of its own. Through a pooler that assigns a connection to each transaction, as PgBouncer
// does, LISTEN has no effect.
func (engine *postgresEngine) Listen(ctx context.Context, channel string, listening,
	notified func()) (supported bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, engine.config.Copy())
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
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return true, err
	}
	listening()
	for {
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return true, err
		}
		notified()
	}
}
