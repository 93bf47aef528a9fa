package erasure

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
)

// PutOnHold puts a session, document or document of the library under legal hold: it is neither erased nor retained away until the hold is
// lifted.
func (store *Store) PutOnHold(ctx context.Context, a access.Actor, kind erasure.Kind, id,
	reason string) (erasure.Hold, error) {
	return store.hold(ctx, "PutOnHold", a, erasure.Hold{Kind: kind, ObjectID: id, Held: true, Reason: reason})
}

// LiftHold ends a legal hold.
func (store *Store) LiftHold(ctx context.Context, a access.Actor, kind erasure.Kind, id,
	reason string) (erasure.Hold, error) {
	return store.hold(ctx, "LiftHold", a, erasure.Hold{Kind: kind, ObjectID: id, Reason: reason})
}

func (store *Store) hold(ctx context.Context, op string, a access.Actor, h erasure.Hold) (erasure.Hold, error) {
	var err error
	if h.Reason, err = erasure.Reason(h.Reason); err != nil {
		return h, err
	}
	c := &access.Change{Kind: access.ChangeHold, Object: h.ObjectID, Of: string(h.Kind), On: h.Held, Reason: h.Reason}
	err = store.Needs.Second.Change(ctx, op, a, c, func(t *sqldb.Tx) error {
		h, err = store.setHold(t, a, c)
		return err
	})
	return h, err
}

// ChangeSessionHold sets or lifts a hold that a second administrator has confirmed.
func (store *Store) ChangeSessionHold(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	_, err := store.setHold(t, by, c)
	return err
}

func (store *Store) setHold(t *sqldb.Tx, a access.Actor, c *access.Change) (erasure.Hold, error) {
	h := erasure.Hold{Kind: erasure.Kind(c.Of), ObjectID: c.Object, Held: c.On, Reason: c.Reason, Actor: a.ID,
		At: store.Now().UTC()}
	if !a.Human || !a.Role.AtLeast(access.Admin) {
		return h, domain.Refuse(domain.Denied, "", "refused_hold_person")
	}
	table := map[erasure.Kind]string{erasure.Session: "sessions", erasure.Document: "documents",
		erasure.Library: "library_documents"}[h.Kind]
	if table == "" {
		return h, domain.Refuse(domain.Invalid, "kind", "refused_session_document")
	}
	one := 0
	if err := t.Row("SELECT 1 FROM "+table+" WHERE tenant_id = ? AND id = ?", []any{a.Tenant, h.ObjectID},
		&one); err != nil {
		return h, err
	}
	all, err := holds(t, a.Tenant, h.Kind, h.ObjectID)
	if err != nil {
		return h, err
	}
	switch held := len(all) > 0 && all[len(all)-1].Held; {
	case held && h.Held:
		return h, domain.Refuse(domain.Conflict, "", "fault_content_held")
	case !held && !h.Held:
		return h, domain.Refuse(domain.Conflict, "", "fault_content_not_held")
	}
	if _, err := t.Exec(`INSERT INTO legal_holds (tenant_id, kind, object_id, n, held, actor, at, reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		a.Tenant, string(h.Kind), h.ObjectID, len(all), h.Held, h.Actor, sqldb.Stamp(h.At), h.Reason); err != nil {
		return h, err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("legal_holds", []any{string(h.Kind), h.ObjectID, len(all)}))
	ev := auditlog.Event{Action: "erasure.hold_lifted", Kind: string(h.Kind), ObjectID: h.ObjectID,
		Details: map[string]any{"reason_commitment": auditlog.Hide(h.Reason)}}
	if h.Held {
		ev.Action = "erasure.hold_set"
	}
	return h, store.AppendEvent(t, a, ev)
}

// holds lists the holds of an object, oldest first.
func holds(t *sqldb.Tx, tenant string, kind erasure.Kind, id string) ([]erasure.Hold, error) {
	return sqldb.Collect(t, `SELECT kind, object_id, held, actor, at, reason FROM legal_holds
		WHERE tenant_id = ? AND kind = ? AND object_id = ? ORDER BY n`,
		[]any{tenant, string(kind), id}, scanHold)
}

func scanHold(r sqldb.Scanner, h *erasure.Hold) error {
	return r.Scan(&h.Kind, &h.ObjectID, &h.Held, &h.Actor, sqldb.TimeInto(&h.At), &h.Reason)
}

// LegalHolds lists the holds that are in force in a tenant, oldest first.
func (store *Store) LegalHolds(ctx context.Context, tenant string) (out []erasure.Hold, err error) {
	err = store.Read(ctx, "LegalHolds", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT h.kind, h.object_id, h.held, h.actor, h.at, h.reason FROM legal_holds h
			WHERE h.tenant_id = ? AND h.held = 1 AND h.n = (SELECT max(x.n) FROM legal_holds x
				WHERE x.tenant_id = h.tenant_id AND x.kind = h.kind AND x.object_id = h.object_id)
			ORDER BY h.at, h.kind, h.object_id`, []any{tenant}, scanHold)
		return err
	})
	return out, err
}
