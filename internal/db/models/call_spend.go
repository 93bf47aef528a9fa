package models

import (
	"context"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/model"
)

// spend adds calls to what was spent, a row for each endpoint and day.
func spend(t *sqldb.Tx, tenant string, asked []model.Answered) error {
	type key struct{ endpoint, day string }
	sums, order := map[key]*model.Spending{}, []key(nil)
	for i := range asked {
		c := &asked[i].Call
		k := key{c.EndpointID, dayOf(c.At)}
		if sums[k] == nil {
			sums[k], order = &model.Spending{}, append(order, k)
		}
		sums[k].Add(c)
	}
	for _, k := range order {
		x := sums[k]
		_, err := t.Exec(`INSERT INTO model_spending (tenant_id, endpoint_id, day, calls, failed, tokens_in, tokens_out, cost)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, endpoint_id, day)
			DO UPDATE SET calls = model_spending.calls + excluded.calls, failed = model_spending.failed + excluded.failed,
			tokens_in = model_spending.tokens_in + excluded.tokens_in,
			tokens_out = model_spending.tokens_out + excluded.tokens_out, cost = model_spending.cost + excluded.cost`,
			tenant, k.endpoint, k.day, x.Calls, x.Failed, x.TokensIn, x.TokensOut, x.Cost)
		if err != nil {
			return err
		}
	}
	return nil
}

// dayOf is the day in UTC that budgets are counted by.
func dayOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// ModelSpending returns what a tenant spent on an endpoint on a day, in UTC.
func (store *Store) ModelSpending(ctx context.Context, tenant, endpointID string,
	day time.Time) (x model.Spending, err error) {
	err = store.Read(ctx, "ModelSpending", func(t *sqldb.Tx) error {
		err := t.Row(`SELECT calls, failed, tokens_in, tokens_out, cost FROM model_spending
			WHERE tenant_id = ? AND endpoint_id = ? AND day = ?`, []any{tenant, endpointID, dayOf(day)},
			&x.Calls, &x.Failed, &x.TokensIn, &x.TokensOut, &x.Cost)
		if sqldb.NoRow(err) {
			return nil
		}
		return err
	})
	return x, err
}

// ModelStanding reports whether an endpoint of a tenant may be asked (a disabled or removed one may not), and returns
// what was spent on it on a day, in UTC.
func (store *Store) ModelStanding(ctx context.Context, tenant, endpointID string, day time.Time) (enabled bool,
	x model.Spending,
	err error) {
	err = store.Read(ctx, "ModelStanding", func(t *sqldb.Tx) error {
		disabled := ""
		err := t.Row(`SELECT e.disabled_at, coalesce(s.calls, 0), coalesce(s.failed, 0), coalesce(s.tokens_in, 0),
			coalesce(s.tokens_out, 0), coalesce(s.cost, 0)
			FROM model_endpoints e LEFT JOIN model_spending s ON s.tenant_id = e.tenant_id AND s.endpoint_id = e.id AND s.day = ?
			WHERE e.tenant_id = ? AND e.id = ?`, []any{dayOf(day), tenant, endpointID},
			&disabled, &x.Calls, &x.Failed, &x.TokensIn, &x.TokensOut, &x.Cost)
		if sqldb.NoRow(err) {
			return nil
		}
		enabled = err == nil && disabled == ""
		return err
	})
	return enabled, x, err
}

// ModelDay is what was spent on an endpoint on a day.
type ModelDay struct {
	Day string // 2006-01-02, in UTC
	model.Spending
}

// ModelDays lists the days on which a tenant asked an endpoint, the newest first, at most limit.
func (store *Store) ModelDays(ctx context.Context, tenant, endpointID string, limit int) (out []ModelDay, err error) {
	err = store.Read(ctx, "ModelDays", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT day, calls, failed, tokens_in, tokens_out, cost FROM model_spending
			WHERE tenant_id = ? AND endpoint_id = ? ORDER BY day DESC LIMIT ?`, []any{tenant, endpointID, max(1, limit)},
			func(r sqldb.Scanner, x *ModelDay) error {
				return r.Scan(&x.Day, &x.Calls, &x.Failed, &x.TokensIn, &x.TokensOut, &x.Cost)
			})
		return err
	})
	return out, err
}

// ModelRunSpending returns what a job has spent on a session at an endpoint, also before it was begun again.
func (store *Store) ModelRunSpending(ctx context.Context, tenant, sessionID, jobID,
	endpointID string) (x model.Spending, err error) {
	err = store.Read(ctx, "ModelRunSpending", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(*), coalesce(sum(CASE WHEN c.fault = '' THEN 0 ELSE 1 END), 0), coalesce(sum(c.tokens_in), 0),
			coalesce(sum(c.tokens_out), 0), coalesce(sum(c.cost), 0)
			FROM model_calls c JOIN sessions s ON s.tenant_id = c.tenant_id AND s.no = c.session_no
			WHERE s.tenant_id = ? AND s.id = ? AND c.job_id = ? AND c.endpoint_id = ?`, []any{tenant, sessionID, jobID, endpointID},
			&x.Calls, &x.Failed, &x.TokensIn, &x.TokensOut, &x.Cost)
	})
	return x, err
}
