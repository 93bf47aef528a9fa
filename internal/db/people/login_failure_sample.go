package people

import (
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// WatchFailures logs failed logins until ctx ends, and then those that are left.
func (store *Store) WatchFailures(ctx context.Context) {
	for ctx.Err() == nil {
		if err := store.logFailures(ctx, false); err != nil && ctx.Err() == nil {
			store.Logger.Error("failed logins were not logged", "err", err)
			_ = sqldb.Wait(ctx, failuresEvery) // only ctx ends it
		}
		_ = sqldb.Wait(ctx, lookForFailures)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := store.logFailures(ending, true); err != nil {
		store.Logger.Error("failed logins were not logged", "err", err)
	}
}

// LogFailures logs the failed logins that it is time for. WatchFailures does it all the time.
func (store *Store) LogFailures(ctx context.Context) error { return store.logFailures(ctx, false) }

func (store *Store) logFailures(ctx context.Context, all bool) error {
	due := store.failed.due(store.Now(), all)
	if len(due) == 0 {
		return nil
	}
	if err := store.Write(ctx, failureCounts, "LogFailures", boundFailures); err != nil {
		return err
	}
	for _, x := range due {
		if err := store.logFailure(ctx, x, all); err != nil {
			return err
		}
	}
	return nil
}

// logFailure logs the failures of one account: one event in each of its tenants, with their number.
func (store *Store) logFailure(ctx context.Context, x *failedLogin, all bool) error {
	var count int
	which := func(t *sqldb.Tx) ([]string, error) { return tenantsOf(t, x.user) }
	err := store.WriteOf(ctx, "LogFailures", which, func(t *sqldb.Tx) error {
		tenants, err := tenantsOf(t, x.user)
		if err != nil {
			return err
		}
		n, from := store.failed.take(x, tenants, all)
		if n == 0 {
			return nil
		}
		var details map[string]any
		if n > 1 {
			details = map[string]any{"failures": n}
		}
		who := access.Actor{ID: access.Anonymous, From: from.From, Trace: from.Trace}
		if x.own {
			who = from
		}
		count = n
		return store.appendEverywhere(t, who, x.user, userEvent("login.failed", x.user, details))
	})
	if err == nil && count > 0 {
		store.failed.done(x, count, store.Now())
	}
	return err
}

// tenantsOf returns the logs that appendEverywhere writes to.
func tenantsOf(t *sqldb.Tx, userID string) ([]string, error) {
	tenants, err := sqldb.Collect(t, "SELECT tenant_id FROM memberships WHERE user_id = ? ORDER BY tenant_id LIMIT ?",
		[]any{userID, auditlog.MaxTenants}, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	if tenants == nil {
		tenants = []string{reads.SystemTenant}
	}
	return tenants, err
}

// boundFailures forgets the oldest failures of names where there are too many: strangers can type any number of names.
func boundFailures(t *sqldb.Tx) error {
	_, err := t.Exec(`DELETE FROM login_failures WHERE last_at < (
		SELECT last_at FROM login_failures ORDER BY last_at DESC LIMIT 1 OFFSET ?)`, failureKeys)
	return err
}
