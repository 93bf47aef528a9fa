package db

import (
	"context"
	"errors"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Withdrawal is what came of taking a document out of use.
type Withdrawal struct {
	Ledger   *ledger.Ledger
	Affected []ledger.Change // the claims that rested on it
	Receipt  *Receipt        // the answer to an Idempotency-Key, nil for none
}

// Stale counts the reviews that it made stale.
func (w *Withdrawal) Stale() int { return marksOf(w.Affected).stale }

// WithdrawDocument takes a document out of use (ledger.Session.Withdraw), in one transaction with the event. apply decides on the
// document's session as it is loaded, changes it and gives what came of it, or an error, which is given back as it is and
// leaves everything as it was. receiptKey is as Event.ReceiptKey. The log has the reason by its hash only.
func (s *Store) WithdrawDocument(ctx context.Context, a domain.Actor, id, reason, receiptKey string,
	apply func(session *ledger.Session, position int) (*Withdrawal, error)) (*Withdrawal, error) {
	var out *Withdrawal
	err := s.write(ctx, "WithdrawDocument", func(t *tx) error {
		if err := unanswered(t, a.Tenant, &Receipt{Key: receiptKey}); err != nil {
			return err
		}
		session, position := "", 0
		if err := t.row("SELECT s.id, d.position FROM documents d JOIN sessions s ON s.no = d.session_no AND s.tenant_id = d.tenant_id WHERE d.tenant_id = ? AND d.id = ?",
			[]any{a.Tenant, id}, &session, &position); err != nil {
			return err
		}
		h, old, err := loadSession(t, a.Tenant, session)
		if err != nil {
			return err
		}
		w := &runWriter{updater: updater{t: t, tenant: a.Tenant, no: h.no, firstClaim: h.firstClaim, revision: h.session.Revision, old: old,
			counts: countsOf(&h.overview.Summary)}, was: slices.Clone(h.session.Claims)}
		for i := range w.was {
			w.was[i].Citations = slices.Clone(w.was[i].Citations)
		}
		if out, err = apply(&h.session, position); err != nil {
			return &refusal{err}
		}
		if err := errors.Join(w.save(out.Ledger), w.claims(out.Ledger), w.citations(out.Ledger)); err != nil {
			return err
		}
		if _, err := t.exec("UPDATE documents SET withdrawn = ? WHERE tenant_id = ? AND id = ?", reason, a.Tenant, id); err != nil {
			return err
		}
		if err := s.appendEvent(t, a, Event{Action: "document.withdrawn", Kind: "document", ObjectID: id, Details: map[string]any{
			"session": session, "affected": len(out.Affected), "stale_reviews": out.Stale(), "revision": out.Ledger.Session.Revision, "reason_sha256": hashText(reason),
		}}); err != nil {
			return err
		}
		return saveReceipt(t, a.Tenant, out.Receipt, s.now())
	})
	var refused *refusal
	if errors.As(err, &refused) {
		return nil, refused.error
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// citations saves those that resolve to other places than before.
func (w *runWriter) citations(l *ledger.Ledger) error {
	for i := range l.Session.Claims {
		now, was := l.Session.Claims[i].Citations, w.was[i].Citations
		for n := range now {
			if len(now[n].Places) == len(was[n].Places) {
				continue
			}
			places, err := jsonText(now[n].Places)
			if err != nil {
				return err
			}
			if _, err := w.t.exec("UPDATE citations SET status = ?, places = ? WHERE tenant_id = ? AND session_no = ? AND claim = ? AND n = ?",
				string(now[n].Status), places, w.tenant, w.no, i, n); err != nil {
				return err
			}
		}
	}
	return nil
}
