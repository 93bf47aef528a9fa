package sessions

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// SessionToRevise returns a whole session with all its reviews, also sealed ones: a revised answer keeps them sealed.
// Its revision is the stored one.
func (store *Store) SessionToRevise(ctx context.Context, who access.Actor, id string) (*ledger.Session, error) {
	var out *ledger.Session
	err := store.Read(ctx, "SessionToRevise", func(t *sqldb.Tx) error {
		h, _, err := LoadSession(t, who.Tenant, id)
		if err == nil {
			out = &h.Session
		}
		return err
	})
	return out, err
}

// Answers lists the versions of the answer of a session, the first one first.
func (store *Store) Answers(ctx context.Context, tenant, id string) ([]ledger.AnswerRow, error) {
	var out []ledger.AnswerRow
	err := store.Read(ctx, "Answers", func(t *sqldb.Tx) error {
		first := ""
		err := t.Row(`SELECT CASE first_ledger WHEN '' THEN ledger_id ELSE first_ledger END FROM sessions
			WHERE tenant_id = ? AND id = ?`, []any{tenant, id}, &first)
		if err != nil {
			return err
		}
		out, err = answersOf(t, tenant, first)
		return err
	})
	return out, err
}

// answersOf lists the versions of the answer whose first version has the given ledger id.
func answersOf(t *sqldb.Tx, tenant, first string) ([]ledger.AnswerRow, error) {
	const columns = `SELECT s.id, CASE WHEN s.answer_version > 1 THEN s.answer_version ELSE 1 END AS version,
		s.title, s.created_at, s.total,
		(SELECT count(*) FROM claims c WHERE c.tenant_id = s.tenant_id AND c.session_no = s.no
		AND c.since = s.answer_version AND c.since > 0)
		FROM sessions s WHERE s.tenant_id = ? AND `
	return sqldb.Collect(t, columns+"s.ledger_id = ? UNION ALL "+
		columns+"s.first_ledger = ? AND s.first_ledger <> '' ORDER BY version LIMIT ?",
		[]any{tenant, first, tenant, first, ledger.MaxAnswers},
		func(r sqldb.Scanner, x *ledger.AnswerRow) error {
			return r.Scan(&x.SessionID, &x.Version, &x.Title, sqldb.TimeInto(&x.At), &x.Claims, &x.New)
		})
}

// appendRevised checks a session that was inserted as the next version of an answer, and logs it. It refuses one whose
// predecessor has changed since it was read, or has been revised already.
func (store *Store) appendRevised(t *sqldb.Tx, a access.Actor, now *ledger.Session) error {
	old := now.Follows
	if old.SessionID == "" {
		return nil
	}
	revision := 0
	err := t.Row("SELECT revision FROM sessions WHERE tenant_id = ? AND id = ?", []any{a.Tenant, old.SessionID},
		&revision)
	if err != nil {
		return err
	}
	if revision != old.Revision {
		return domain.Refuse(domain.Conflict, "", "refused_ledger_changed_meanwhile")
	}
	rows, err := answersOf(t, a.Tenant, now.FirstLedger)
	if err != nil {
		return err
	}
	for _, x := range rows {
		if x.Version == now.AnswerVersion && x.SessionID != now.ID {
			return domain.Refuse(domain.Conflict, "", "refused_answer_revised_revise", "N", x.Version)
		}
	}
	return store.AppendEvent(t, a, auditlog.SessionEvent("answer.revised", now.ID, map[string]any{
		"version": now.AnswerVersion, "revises": old.SessionID, "revises_revision": old.Revision,
		"first_ledger": now.FirstLedger,
	}))
}
