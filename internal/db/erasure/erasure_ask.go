package erasure

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

const erasureColumns = `e.id, e.kind, e.object_id, e.session_id, e.state, e.retention, e.reason, e.counts, e.files, e.bytes,
	e.asked_by, e.asked_name, e.asked_at, e.confirmed_by, e.confirmed_name, e.confirmed_at, e.done_at`

func scanErasure(r sqldb.Scanner, e *erasure.Request) error {
	return r.Scan(&e.ID, &e.Kind, &e.ObjectID, &e.SessionID, &e.State, &e.Retention, &e.Reason,
		sqldb.JSONInto(&e.Counts),
		&e.Files, &e.Bytes, &e.AskedBy, &e.AskedName, sqldb.TimeInto(&e.AskedAt), &e.ConfirmedBy, &e.ConfirmedName,
		sqldb.TimeOrNoneInto(&e.ConfirmedAt), sqldb.TimeOrNoneInto(&e.DoneAt))
}

const fromErasures = "SELECT " + erasureColumns + " FROM erasures e WHERE e.tenant_id = ?"

// Erasures lists a tenant's erasures: those that wait for a second person first, then the newest.
func (store *Store) Erasures(ctx context.Context, tenant string, limit int) (out []erasure.Request, err error) {
	err = store.Read(ctx, "Erasures", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, fromErasures+" ORDER BY e.state <> 'asked', e.no DESC LIMIT ?",
			[]any{tenant, max(1, limit)}, scanErasure)
		if err != nil {
			return err
		}
		for i := range out {
			if out[i].State == erasure.Asked {
				if out[i].Title, err = titleOf(t, tenant, out[i].Kind, out[i].ObjectID); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// Erasure returns one erasure.
func (store *Store) Erasure(ctx context.Context, tenant, id string) (e erasure.Request, err error) {
	err = store.Read(ctx, "Erasure", func(t *sqldb.Tx) error {
		if e, err = loadErasure(t, tenant, id); err != nil || e.State != erasure.Asked {
			return err
		}
		e.Title, err = titleOf(t, tenant, e.Kind, e.ObjectID)
		return err
	})
	return e, err
}

func loadErasure(t *sqldb.Tx, tenant, id string) (erasure.Request, error) {
	return sqldb.First(sqldb.Collect(t, fromErasures+" AND e.id = ?", []any{tenant, id}, scanErasure))
}

// ErasedAt returns the finished or running erasure of an object; NotFound if none.
func (store *Store) ErasedAt(ctx context.Context, tenant string, kind erasure.Kind,
	objectID string) (e erasure.Request, err error) {
	err = store.Read(ctx, "ErasedAt", func(t *sqldb.Tx) error {
		e, err = sqldb.First(sqldb.Collect(t, fromErasures+
			" AND e.kind = ? AND e.object_id IN (?, ?) AND e.state IN ('erasing', 'done') ORDER BY e.no DESC LIMIT 1",
			[]any{tenant, string(kind), objectID, pathDigest(objectID)}, scanErasure))
		return err
	})
	return e, err
}

// titleOf returns the name by which people know an object, "" if it has none or is gone.
func titleOf(t *sqldb.Tx, tenant string, kind erasure.Kind, id string) (title string, err error) {
	query := map[erasure.Kind]string{
		erasure.Session: "SELECT title FROM sessions WHERE tenant_id = ? AND id = ?",
		erasure.Document: `SELECT CASE title WHEN '' THEN filename ELSE title END FROM documents
			WHERE tenant_id = ? AND id = ?`,
		erasure.Upload:  "SELECT name FROM jobs WHERE tenant_id = ? AND id = ?",
		erasure.Library: "SELECT name FROM library_documents WHERE tenant_id = ? AND id = ?",
		erasure.Pack:    "SELECT title FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?",
	}[kind]
	if query == "" {
		return "", nil
	}
	if err = t.Row(query, []any{tenant, id}, &title); sqldb.NoRow(err) {
		return "", nil
	}
	return title, err
}

// PlanErasure is the dry run: what an erasure would delete, and what stands in its way.
func (store *Store) PlanErasure(ctx context.Context, a access.Actor, kind erasure.Kind,
	id string) (e erasure.Request, obstacles []erasure.Obstacle, err error) {
	if err := erasure.MayAsk(a); err != nil {
		return e, nil, err
	}
	err = store.Read(ctx, "PlanErasure", func(t *sqldb.Tx) error {
		p, err := store.planErasure(t, a.Tenant, kind, id)
		if err != nil {
			return err
		}
		e, obstacles = p.Request, p.obstacles
		return nil
	})
	return e, obstacles, err
}

// AskErasure stores a request for an erasure; nothing is deleted before a second person confirms it. If something
// stands in the way, the error is an *erasure.ObstacleError. A request that waits already is returned as it is.
func (store *Store) AskErasure(ctx context.Context, a access.Actor, kind erasure.Kind, id,
	reason string) (e erasure.Request, err error) {
	if err := erasure.MayAsk(a); err != nil {
		return e, err
	}
	if reason, err = erasure.Reason(reason); err != nil {
		return e, err
	}
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AskErasure", func(t *sqldb.Tx) error {
		p, err := store.planErasure(t, a.Tenant, kind, id)
		if err != nil {
			return err
		}
		if err := erasure.Clear(p.obstacles); err != nil {
			return sqldb.AsIs(err)
		}
		e, err = sqldb.First(sqldb.Collect(t, fromErasures+" AND e.kind = ? AND e.object_id = ? AND e.state = 'asked'",
			[]any{a.Tenant, string(kind), id}, scanErasure))
		if !sqldb.NoRow(err) {
			return err
		}
		p.ID, p.State, p.Reason = store.NewID(), erasure.Asked, reason
		p.AskedBy, p.AskedName, p.AskedAt = a.ID, a.User, store.Now().UTC()
		e = p.Request
		if err := insertErasure(t, a.Tenant, &e); err != nil {
			return err
		}
		return store.AppendEvent(t, a, auditlog.Event{Action: "erasure.asked", Kind: "erasure", ObjectID: e.ID,
			Details: eventOf(&e, map[string]any{"reason_commitment": auditlog.Hide(reason)})})
	})
	return sqldb.OrZero(e, err)
}

// eventOf returns what an event says of an erasure: no content, and no name that a caller chose.
func eventOf(e *erasure.Request, more map[string]any) map[string]any {
	out := map[string]any{"kind": string(e.Kind), "counts": e.Counts, "files": e.Files}
	switch e.Kind {
	case erasure.Artifact, erasure.Bundle:
		out["object_commitment"] = auditlog.HideName(e.ObjectID)
	default:
		out["object"] = e.ObjectID
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

func insertErasure(t *sqldb.Tx, tenant string, e *erasure.Request) error {
	counts, err := sqldb.JSONText(e.Counts)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO erasures (id, tenant_id, kind, object_id, session_id, state, retention, reason,
		counts, files, bytes,
		asked_by, asked_name, asked_at, confirmed_by, confirmed_name, confirmed_at, done_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', '', '')`,
		e.ID, tenant, string(e.Kind), e.ObjectID, e.SessionID, string(e.State), e.Retention, e.Reason, counts, e.Files,
		e.Bytes, e.AskedBy, e.AskedName, sqldb.Stamp(e.AskedAt))
	auditlog.Record(t, tenant, auditlog.Wrote("erasures", []any{e.ID}))
	return err
}

// RefuseErasure ends a request; approvers and administrators may, including the person who asked.
func (store *Store) RefuseErasure(ctx context.Context, a access.Actor, id string) (e erasure.Request, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "RefuseErasure", func(t *sqldb.Tx) error {
		if e, err = loadErasure(t, a.Tenant, id); err != nil {
			return err
		}
		if e.State != erasure.Asked {
			return errDecided()
		}
		if !access.MayGrant(a) {
			return domain.Refuse(domain.Denied, "", "refused_erase_person")
		}
		e.State, e.ConfirmedBy, e.ConfirmedName, e.ConfirmedAt = erasure.Refused, a.ID, a.User, store.Now().UTC()
		if _, err := t.Exec(`UPDATE erasures SET state = 'refused', confirmed_by = ?, confirmed_name = ?,
			confirmed_at = ? WHERE tenant_id = ? AND id = ?`,
			a.ID, a.User, sqldb.Stamp(e.ConfirmedAt), a.Tenant, id); err != nil {
			return err
		}
		auditlog.Record(t, a.Tenant, auditlog.Wrote("erasures", []any{id}, "state", "confirmed_by", "confirmed_name",
			"confirmed_at"))
		return store.AppendEvent(t, a, auditlog.Event{Action: "erasure.refused", Kind: "erasure", ObjectID: id,
			Details: map[string]any{"kind": string(e.Kind)}})
	})
	return e, err
}

func errDecided() error { return domain.Refuse(domain.Conflict, "", "refused_erasure_been_decided") }
