package people

import (
	"context"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// failuresAge is how long after its last failure a key's failures are forgotten.
const failuresAge = 24 * time.Hour

// Failures returns how often a login has failed for a key since the last success, and when it last did.
func (store *Store) Failures(ctx context.Context, key string) (count int, last time.Time, err error) {
	err = store.Read(ctx, "Failures", func(t *sqldb.Tx) error {
		err := t.Row("SELECT count, last_at FROM login_failures WHERE key = ? AND last_at > ?",
			[]any{key, sqldb.Stamp(store.Now().Add(-failuresAge))}, &count, sqldb.TimeInto(&last))
		if sqldb.NoRow(err) {
			return nil
		}
		return err
	})
	return count, last, err
}

// LoginFailed counts a failure for a key. LogFailures logs it: in each tenant of the user if it is known, else ("") in
// the system's log, without the name that was typed. Of from only address and trace are logged, since the person is not
// known, unless it is the user, who is signed in and gave a wrong proof. What is done here is the same for a known and an unknown user, so that its duration tells nothing.
func (store *Store) LoginFailed(ctx context.Context, from access.Actor, key, userID string) error {
	err := store.Write(ctx, failureCounts, "LoginFailed", func(t *sqldb.Tx) error {
		now := store.Now()
		if err := pruneFailures(t, key, now); err != nil {
			return err
		}
		_, err := t.Exec(`INSERT INTO login_failures (key, count, last_at) VALUES (?, 1, ?)
			ON CONFLICT (key) DO UPDATE SET count = login_failures.count + 1, last_at = excluded.last_at`, key, sqldb.Stamp(now))
		return err
	})
	if err == nil {
		store.failed.add(userID, from)
	}
	return err
}

// pruneFailures forgets this key's failures if they are old, and some old ones of other keys.
func pruneFailures(t *sqldb.Tx, key string, now time.Time) error {
	old := sqldb.Stamp(now.Add(-failuresAge))
	if _, err := t.Exec("DELETE FROM login_failures WHERE key = ? AND last_at <= ?", key, old); err != nil {
		return err
	}
	_, err := t.Exec(`DELETE FROM login_failures WHERE key IN (SELECT key FROM login_failures WHERE last_at <= ?
		ORDER BY last_at LIMIT ?)`,
		old, pruneBatch)
	return err
}

// LoginSucceeded forgets the failures of a key.
func (store *Store) LoginSucceeded(ctx context.Context, key string) error {
	return store.Write(ctx, sqldb.SingleRow, "LoginSucceeded", func(t *sqldb.Tx) error {
		_, err := t.Exec("DELETE FROM login_failures WHERE key = ?", key)
		return err
	})
}

// failureCounts is the lock of the rows of the table login_failures.
const failureCounts sqldb.Lock = "login failures"
