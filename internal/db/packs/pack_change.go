package packs

import (
	"context"

	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// changePack runs a change of one pack in a transaction: it loads the pack, calls change, which changes and stores it
// with its events, and stores the receipt. If the key has been answered already, nothing is done.
func (store *Store) changePack(ctx context.Context, op string, a access.Actor, packID string, as Answering,
	change func(t *sqldb.Tx, p *storedPack) error) (*PackView, error) {
	var out *PackView
	err := store.Write(ctx, sqldb.OfTenant(a.Tenant), op, func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: as.Key}); err != nil {
			return err
		}
		p, err := store.loadPack(t, a.Tenant, packID)
		if err != nil {
			return err
		}
		if err := change(t, p); err != nil {
			return err
		}
		if err := p.refresh(t); err != nil {
			return err
		}
		out = p.view
		return store.answer(t, a.Tenant, as, out)
	})
	return sqldb.OrZero(out, err)
}

// answer stores the receipt, if the request has a key.
func (store *Store) answer(t *sqldb.Tx, tenant string, as Answering, v *PackView) error {
	if as.Key == "" || as.Receipt == nil {
		return nil
	}
	r, err := as.Receipt(v)
	if err != nil {
		return err
	}
	return store.KeepReceipt(t, tenant, r, store.Now())
}

// errPackChanged is the answer to a change of an outdated revision of a pack.
func errPackChanged() error {
	return domain.Refuse(domain.Conflict, "", "refused_pack_changed")
}
