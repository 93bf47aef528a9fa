package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// SetLegalHold prevents a pack from being purged.
func (store *Store) SetLegalHold(ctx context.Context, a access.Actor, packID string, revision int,
	reason string) (*PackView, error) {
	return store.changeHold(ctx, "SetLegalHold", a, revision,
		&access.Change{Kind: access.ChangePackHold, Object: packID, On: true,
			Reason: reason})
}

// LiftLegalHold ends a legal hold.
func (store *Store) LiftLegalHold(ctx context.Context, a access.Actor, packID string, revision int,
	reason string) (*PackView, error) {
	return store.changeHold(ctx, "LiftLegalHold", a, revision,
		&access.Change{Kind: access.ChangePackHold, Object: packID,
			Reason: reason})
}

func (store *Store) changeHold(ctx context.Context, op string, a access.Actor, revision int,
	c *access.Change) (*PackView, error) {
	var out *PackView
	err := store.Needs.Second.Change(ctx, op, a, c, func(t *sqldb.Tx) error {
		p, err := store.setPackHold(t, a, c, revision)
		if err == nil {
			err = p.refresh(t)
			out = p.view
		}
		return err
	})
	return sqldb.OrZero(out, err)
}

// anyRevision stands for the pack as it is: a hold that was confirmed is not about a revision.
const anyRevision = -1

// setPackHold stores a hold that is set or lifted.
func (store *Store) setPackHold(t *sqldb.Tx, a access.Actor, c *access.Change, revision int) (*storedPack, error) {
	p, err := store.loadPack(t, a.Tenant, c.Object)
	if err != nil {
		return nil, err
	}
	action, reason := "pack.hold_lifted", c.Reason
	if c.On {
		action, err = "pack.hold_set", p.view.Life.PutOnHold(a, store.Now(), c.Reason)
	} else {
		err = p.view.Life.LiftHold(a, c.Reason)
	}
	if err != nil {
		return nil, err
	}
	if c.On {
		reason = p.view.Life.Hold.Reason
	}
	if revision != anyRevision && revision != p.revisions[c.Object] {
		return nil, errPackChanged()
	}
	_, err = t.Exec("INSERT INTO pack_holds (tenant_id, pack_id, n, held, actor, at, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
		p.tenant, c.Object, len(p.view.Holds), p.view.Life.Hold != nil, a.ID, sqldb.Stamp(store.Now()), reason)
	if err != nil {
		return nil, err
	}
	if err := store.saveChain(t, p); err != nil {
		return nil, err
	}
	auditlog.Record(t, p.tenant, auditlog.Wrote("pack_holds", []any{c.Object, len(p.view.Holds)}))
	return p, store.AppendEvent(t, a, packEvent(action, c.Object,
		map[string]any{"reason_commitment": auditlog.Hide(reason)}))
}

// ChangeHold sets or lifts a hold that a second administrator has confirmed.
func (store *Store) ChangeHold(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	_, err := store.setPackHold(t, by, c, anyRevision)
	return err
}
