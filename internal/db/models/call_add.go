package models

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// SaveModelCalls records questions about a session, keeps their answers and adds up what was spent, in one transaction.
// erased is how many documents of the session were erased when the questions were made: if there are more by now, no
// answer and no digest of it is kept, and the error is a Conflict, so that no word of an erased document comes back.
func (store *Store) SaveModelCalls(ctx context.Context, tenant, sessionID string, erased int,
	asked []model.Answered) error {
	gone := false
	err := store.Write(ctx, sqldb.OfTenant(tenant), "SaveModelCalls", func(t *sqldb.Tx) error {
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

// ModelAnswer returns the kept answer to a question about a session, nil if none. One that cannot be read is
// only for the job that asked.
func (store *Store) ModelAnswer(ctx context.Context, tenant, sessionID, jobID,
	digest string) (a *model.Answer, err error) {
	err = store.Read(ctx, "ModelAnswer", func(t *sqldb.Tx) error {
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
func (store *Store) KnownModelAnswers(ctx context.Context, tenant, sessionID string,
	digests []string) (known map[string]bool, err error) {
	known = map[string]bool{}
	if len(digests) == 0 {
		return known, nil
	}
	args := []any{tenant, sessionID}
	for _, d := range digests {
		args = append(args, d)
	}
	err = store.Read(ctx, "KnownModelAnswers", func(t *sqldb.Tx) error {
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
