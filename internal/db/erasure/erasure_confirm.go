package erasure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// ConfirmErasure is the second person's confirmation: it deletes the object's rows, and records which files and traces
// remain. FinishErasures then deletes these. If something stands in the way by now, the error is an
// *erasure.ObstacleError and the request stays.
func (store *Store) ConfirmErasure(ctx context.Context, second access.Actor, id string) (e erasure.Request, err error) {
	err = store.Write(ctx, sqldb.EveryTenant, "ConfirmErasure", func(t *sqldb.Tx) error {
		if e, err = loadErasure(t, second.Tenant, id); err != nil {
			return err
		}
		if e.State != erasure.Asked {
			return errDecided()
		}
		makers, err := reads.MakersOf(t, second.Tenant, e.AskedBy)
		if err != nil {
			return err
		}
		if err := erasure.MayConfirm(&e, second, makers); err != nil {
			return err
		}
		asked, err := reads.Asker(t, second.Tenant, e.AskedBy)
		if err != nil {
			return err
		}
		if err := erasure.MayAsk(asked); err != nil {
			return domain.Refuse(domain.Denied, "", "refused_erase_asker")
		}
		e.ConfirmedBy, e.ConfirmedName, e.ConfirmedAt = second.ID, second.User, store.Now().UTC()
		return store.erase(t, second, &e)
	})
	return sqldb.OrZero(e, err)
}

// erase deletes the rows of a decided erasure and logs it. The request is stored as erasing first, which is what lets
// the rows go (the views erasing_* of the schema).
func (store *Store) erase(t *sqldb.Tx, a access.Actor, e *erasure.Request) error {
	p, err := store.planErasure(t, a.Tenant, e.Kind, e.ObjectID)
	if err != nil {
		return err
	}
	if err := erasure.Clear(p.obstacles); err != nil {
		return sqldb.AsIs(err)
	}
	e.State, e.Counts, e.Files, e.Bytes, e.SessionID = erasure.Erasing, p.Counts, p.Files, p.Bytes, p.SessionID
	counts, err := sqldb.JSONText(e.Counts)
	if err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE erasures SET state = 'erasing', counts = ?, files = ?, bytes = ?, session_id = ?,
		confirmed_by = ?, confirmed_name = ?, confirmed_at = ?
		WHERE tenant_id = ? AND id = ?`, counts, e.Files, e.Bytes,
		e.SessionID, e.ConfirmedBy, e.ConfirmedName, sqldb.Stamp(e.ConfirmedAt), a.Tenant,
		e.ID); err != nil {
		return err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("erasures", []any{e.ID}, "state", "counts", "files", "bytes",
		"session_id", "confirmed_by",
		"confirmed_name", "confirmed_at"))
	event, err := store.Needs.Erasers[e.Kind].Erase(t, a, e, p.filesKeys())
	if err != nil {
		return err
	}
	if err := errors.Join(forgetPath(t, a.Tenant, e), store.Needs.Answers.ForgetAnswers(t, a.Tenant),
		store.OweScrub(t, p.files)); err != nil {
		return err
	}
	event.Details = eventOf(e, event.Details)
	event.Details["erasure"], event.Details["asked_by"], event.Details["retention"] = e.ID, e.AskedBy, e.Retention
	return store.AppendEvent(t, a, event)
}

// forgetPath replaces the path of an erased artifact, which may say what was in it, in the record of the erasure.
func forgetPath(t *sqldb.Tx, tenant string, e *erasure.Request) error {
	if e.Kind != erasure.Artifact {
		return nil
	}
	auditlog.Record(t, tenant, auditlog.Wrote("erasures", []any{e.ID}, "object_id"))
	_, err := t.Exec("UPDATE erasures SET object_id = ? WHERE tenant_id = ? AND id = ?", pathDigest(e.ObjectID),
		tenant, e.ID)
	return err
}

// pathDigest returns what stands for an erased path.
func pathDigest(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])
}
