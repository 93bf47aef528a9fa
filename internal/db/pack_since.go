package db

import (
	"context"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// since compares a submitted pack with the ledger that it copied, as everybody sees it. The ledger is read only if it
// has changed.
func (p *storedPack) since(t *tx) error {
	v := p.view
	copied := v.Content.Ledger
	v.Since, v.Changes, v.Later = nil, pack.Changes{}, 0
	if copied == nil || !v.Life.Frozen() {
		return nil
	}
	err := t.row("SELECT revision FROM sessions WHERE tenant_id = ? AND id = ?", []any{p.tenant, copied.SessionID}, &v.Later)
	if err != nil && domain.KindOf(err) != domain.NotFound || v.Later == copied.Revision {
		return err
	}
	var session *ledger.Session
	var entries []pack.Entry
	if err == nil {
		if session, entries, err = presentEntries(t, p.tenant, copied.SessionID); err != nil {
			return err
		}
	}
	v.Changes = pack.CompareLedger(copied.Entries, entries)
	v.Since = v.Content.ChangedSince(&v.Changes, session)
	return nil
}

// presentEntries returns a session as everybody sees it, with the entries of its ledger.
func presentEntries(t *tx, tenant, id string) (*ledger.Session, []pack.Entry, error) {
	h, _, err := loadSession(t, tenant, id)
	if err != nil {
		return nil, nil, err
	}
	months := 0
	if err := t.row("SELECT freshness_months FROM tenants WHERE id = ?", []any{tenant}, &months); err != nil {
		return nil, nil, err
	}
	h.session.HideSealed("")
	l := ledger.Assess(&h.session, months)
	return &h.session, pack.Entries(&l, &pack.Provenance{}), nil
}

// ComparedWithLedger compares the entries that a pack copied (the older side) with the ledger as it is now.
func (s *Store) ComparedWithLedger(ctx context.Context, tenant string, copied *pack.Ledger) (out pack.Changes, err error) {
	err = s.read(ctx, "ComparedWithLedger", func(t *tx) error {
		_, entries, err := presentEntries(t, tenant, copied.SessionID)
		out = pack.CompareLedger(copied.Entries, entries)
		return err
	})
	return out, err
}
