package db

import (
	"context"

	"sanad/internal/domain"
)

// SetLegalHold prevents a pack from being purged.
func (s *Store) SetLegalHold(ctx context.Context, a domain.Actor, packID string, revision int,
	reason string) (*PackView, error) {
	return s.changeHold(ctx, "SetLegalHold", a, packID, revision, func(p *storedPack) (string, string, error) {
		err := p.view.Life.PutOnHold(a, s.now(), reason)
		if err != nil {
			return "", "", err
		}
		return "pack.hold_set", p.view.Life.Hold.Reason, nil
	})
}

// LiftLegalHold ends a legal hold.
func (s *Store) LiftLegalHold(ctx context.Context, a domain.Actor, packID string, revision int,
	reason string) (*PackView, error) {
	return s.changeHold(ctx, "LiftLegalHold", a, packID, revision, func(p *storedPack) (string, string, error) {
		return "pack.hold_lifted", reason, p.view.Life.LiftHold(a, reason)
	})
}

// changeHold stores a hold that change sets or lifts; change returns the event's action and the reason to store.
func (s *Store) changeHold(ctx context.Context, op string, a domain.Actor, packID string, revision int,
	change func(*storedPack) (action, reason string, err error)) (*PackView, error) {
	return s.changePack(ctx, op, a, packID, Answering{}, func(t *tx, p *storedPack) error {
		action, reason, err := change(p)
		if err != nil {
			return err
		}
		if revision != p.revisions[packID] {
			return errPackChanged()
		}
		_, err = t.exec("INSERT INTO pack_holds (tenant_id, pack_id, n, held, actor, at, reason) VALUES (?, ?, ?, ?, ?, ?, ?)",
			p.tenant, packID, len(p.view.Holds), p.view.Life.Hold != nil, a.ID, stamp(s.now()), reason)
		if err != nil {
			return err
		}
		if err := s.saveChain(t, p); err != nil {
			return err
		}
		return s.appendEvent(t, a, packEvent(action, packID, map[string]any{"reason_sha256": digestOf(reason)}))
	})
}
