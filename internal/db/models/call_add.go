package models

import (
	"context"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// SaveModelCalls records questions about a session, keeps their answers and adds up what was spent, in one transaction.
// erased is how many documents of the session were erased when the questions were made: if there are more by now, no
// answer and no digest of it is kept, and the error is a Conflict, so that no word of an erased document comes back.
func (s *Store) SaveModelCalls(ctx context.Context, tenant, sessionID string, erased int,
	asked []model.Answered) error {
	gone := false
	err := s.Write(ctx, sqldb.OfTenant(tenant), "SaveModelCalls", func(t *sqldb.Tx) error {
		no, now := 0, 0
		if err := t.Row("SELECT no FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, sessionID},
			&no); err != nil {
			return err
		}
		if err := t.Row("SELECT count(*) FROM documents WHERE tenant_id = ? AND session_no = ? AND status = ?",
			[]any{tenant, no, string(ledger.Erased)}, &now); err != nil {
			return err
		}
		gone = now != erased
		for i := range asked {
			a := &asked[i]
			if gone {
				a.Call.Question, a.Call.Answer, a.Answer = "", "", nil
			}
			if err := saveModelCall(t, tenant, no, &a.Call); err != nil {
				return err
			}
			if err := keepAnswer(t, tenant, no, a); err != nil {
				return err
			}
		}
		return spend(t, tenant, asked)
	})
	if err == nil && gone {
		err = domain.Refuse(domain.Conflict, "", "refused_document_session_erased")
	}
	return err
}

func saveModelCall(t *sqldb.Tx, tenant string, no int, c *model.Call) error {
	_, err := t.Exec(`INSERT INTO model_calls (tenant_id, session_no, endpoint_id, job_id, claim, at, kind, model, template, question,
		answer, tries, tokens_in, tokens_out, cost, latency_us, fault, violations, addressing, disagree)
		VALUES (`+sqldb.Placeholders(20)+`)`, tenant, no, c.EndpointID, c.JobID, c.Claim, sqldb.Stamp(c.At), string(c.Kind), c.Model, c.Template,
		c.Question, c.Answer, c.Tries, c.TokensIn, c.TokensOut, c.Cost, c.Latency.Microseconds(), c.Fault, c.Violations,
		c.Addressing, oneIf(c.Disagree))
	return err
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// keepAnswer keeps the newest answer to a question.
func keepAnswer(t *sqldb.Tx, tenant string, no int, a *model.Answered) error {
	if a.Answer == nil {
		return nil
	}
	_, err := t.Exec(`INSERT INTO model_answers (tenant_id, session_no, digest, job_id, at, counts, answer)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, session_no, digest)
		DO UPDATE SET job_id = excluded.job_id, at = excluded.at, counts = excluded.counts, answer = excluded.answer`,
		tenant, no, a.Answer.Digest, a.Call.JobID, sqldb.Stamp(a.Call.At), oneIf(a.Answer.Counts), a.Answer.Text)
	return err
}

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

// ModelAnswer returns the kept answer to a question about a session, nil if there is none. One that cannot be read is
// only for the job that asked.
func (s *Store) ModelAnswer(ctx context.Context, tenant, sessionID, jobID, digest string) (a *model.Answer, err error) {
	err = s.Read(ctx, "ModelAnswer", func(t *sqldb.Tx) error {
		found, err := sqldb.Collect(t, `SELECT a.digest, a.counts, a.answer, a.job_id FROM model_answers a
			JOIN sessions s ON s.tenant_id = a.tenant_id AND s.no = a.session_no
			WHERE s.tenant_id = ? AND s.id = ? AND a.digest = ? AND (a.counts = 1 OR a.job_id = ?)`,
			[]any{tenant, sessionID, digest, jobID}, func(r sqldb.Scanner, a *model.Answer) error {
				counts := 0
				err := r.Scan(&a.Digest, &counts, &a.Text, &a.JobID)
				a.Counts = counts == 1
				return err
			})
		if err == nil && len(found) > 0 {
			a = &found[0]
		}
		return err
	})
	return a, err
}

// KnownModelAnswers returns which of some questions about a session have a kept answer that counts, by their digests.
func (s *Store) KnownModelAnswers(ctx context.Context, tenant, sessionID string,
	digests []string) (known map[string]bool, err error) {
	known = map[string]bool{}
	if len(digests) == 0 {
		return known, nil
	}
	args := []any{tenant, sessionID}
	for _, d := range digests {
		args = append(args, d)
	}
	err = s.Read(ctx, "KnownModelAnswers", func(t *sqldb.Tx) error {
		found, err := sqldb.Collect(t, `SELECT a.digest FROM model_answers a
			JOIN sessions s ON s.tenant_id = a.tenant_id AND s.no = a.session_no
			WHERE s.tenant_id = ? AND s.id = ? AND a.counts = 1 AND a.digest IN (`+sqldb.Placeholders(len(digests))+")", args,
			func(r sqldb.Scanner, digest *string) error { return r.Scan(digest) })
		for _, d := range found {
			known[d] = true
		}
		return err
	})
	return known, err
}

// ModelSpending returns what a tenant spent on an endpoint on a day, in UTC.
func (s *Store) ModelSpending(ctx context.Context, tenant, endpointID string,
	day time.Time) (x model.Spending, err error) {
	err = s.Read(ctx, "ModelSpending", func(t *sqldb.Tx) error {
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
func (s *Store) ModelStanding(ctx context.Context, tenant, endpointID string, day time.Time) (enabled bool,
	x model.Spending,
	err error) {
	err = s.Read(ctx, "ModelStanding", func(t *sqldb.Tx) error {
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
func (s *Store) ModelDays(ctx context.Context, tenant, endpointID string, limit int) (out []ModelDay, err error) {
	err = s.Read(ctx, "ModelDays", func(t *sqldb.Tx) error {
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
func (s *Store) ModelRunSpending(ctx context.Context, tenant, sessionID, jobID,
	endpointID string) (x model.Spending, err error) {
	err = s.Read(ctx, "ModelRunSpending", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(*), coalesce(sum(CASE WHEN c.fault = '' THEN 0 ELSE 1 END), 0), coalesce(sum(c.tokens_in), 0),
			coalesce(sum(c.tokens_out), 0), coalesce(sum(c.cost), 0)
			FROM model_calls c JOIN sessions s ON s.tenant_id = c.tenant_id AND s.no = c.session_no
			WHERE s.tenant_id = ? AND s.id = ? AND c.job_id = ? AND c.endpoint_id = ?`, []any{tenant, sessionID, jobID, endpointID},
			&x.Calls, &x.Failed, &x.TokensIn, &x.TokensOut, &x.Cost)
	})
	return x, err
}
