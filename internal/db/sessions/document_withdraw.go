package sessions

import (
	"context"
	"errors"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Withdrawal is the result of withdrawing a document.
type Withdrawal struct {
	Ledger   *ledger.Ledger
	Affected []ledger.Change   // the claims based on it
	Newer    *ledger.Document  // the version that replaces it, already in the session; nil if none
	Receipt  *receipts.Receipt // the answer to an Idempotency-Key, nil if none
}

// Stale returns how many reviews became stale.
func (withdrawal *Withdrawal) Stale() int { return marksOf(withdrawal.Affected).stale }

// WithdrawDocument withdraws a document (ledger.Session.Withdraw), in one transaction with the event. apply decides on
// the loaded session, changes it and returns the result, or an error, which is returned as it is and leaves everything
// unchanged. receiptKey is the same as Event.ReceiptKey. The log has only the reason's hash.
func (store *Store) WithdrawDocument(ctx context.Context, a access.Actor, id, reason, receiptKey string,
	apply func(session *ledger.Session, position int) (*Withdrawal, error)) (*Withdrawal, error) {
	var out *Withdrawal
	err := store.Write(ctx, sqldb.OfTenant(a.Tenant), "WithdrawDocument", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: receiptKey}); err != nil {
			return err
		}
		session, position := "", 0
		if err := t.Row(`SELECT s.id, d.position FROM documents d JOIN sessions s ON s.no = d.session_no
			AND s.tenant_id = d.tenant_id WHERE d.tenant_id = ? AND d.id = ?`,
			[]any{a.Tenant, id}, &session, &position); err != nil {
			return err
		}
		h, old, err := LoadSession(t, a.Tenant, session)
		if err != nil {
			return err
		}
		w := &runWriter{updater: h.updater(t, a.Tenant, old), was: slices.Clone(h.Session.Claims)}
		for i := range w.was {
			w.was[i].Citations = slices.Clone(w.was[i].Citations)
		}
		if out, err = apply(&h.Session, position); err != nil {
			return sqldb.AsIs(err)
		}
		if err := errors.Join(w.save(out.Ledger), w.claims(out.Ledger), w.citations(out.Ledger)); err != nil {
			return err
		}
		if err := auditlog.Touch(t, h.no, "documents", position); err != nil {
			return err
		}
		if _, err := t.Exec("UPDATE documents SET withdrawn = ? WHERE tenant_id = ? AND id = ?", reason, a.Tenant,
			id); err != nil {
			return err
		}
		if out.Newer != nil {
			if err := store.stillInLibrary(t, a.Tenant, []ledger.Document{*out.Newer}); err != nil {
				return err
			}
		}
		if err := w.newer(out); err != nil {
			return err
		}
		if err := store.AppendEvents(t, a, h.reopened("document withdrawn")); err != nil {
			return err
		}
		if err := store.AppendEvent(t, a, out.event(id, session, reason)); err != nil {
			return err
		}
		return store.KeepReceipt(t, a.Tenant, out.Receipt, store.Now())
	})
	return sqldb.OrZero(out, err)
}

// ReplaceDocument is WithdrawDocument for a document with a newer version (ledger.Session.Replace), which apply adds to
// the session and returns as Newer. original is the file from which newer was made, nil if it came as text; it is in
// the bucket before the transaction, and removed if that fails. newer must have its ids.
func (store *Store) ReplaceDocument(ctx context.Context, a access.Actor, id, reason, receiptKey string,
	newer *ledger.Document, original *Original,
	apply func(session *ledger.Session, position int) (*Withdrawal, error)) (*Withdrawal, error) {
	var keys []string
	if original != nil {
		shell := ledger.Session{Documents: []ledger.Document{{ID: newer.ID, Library: newer.Library}}}
		var err error
		keys, err = store.putOriginals(ctx, a.Tenant, &shell,
			[]Original{{MediaType: original.MediaType, Data: original.Data}})
		if err != nil {
			store.Needs.Files.Drop(ctx, keys...)
			return nil, sqldb.Fail("ReplaceDocument", err)
		}
		newer.Blob, newer.BlobSHA256 = shell.Documents[0].Blob, shell.Documents[0].BlobSHA256
		newer.MediaType = shell.Documents[0].MediaType
	}
	out, err := store.WithdrawDocument(ctx, a, id, reason, receiptKey, apply)
	if err != nil {
		store.Needs.Files.DropUnstored(ctx, err, keys...)
	}
	return out, err
}

// newer inserts the version that replaces a document, and indexes it.
func (writer *runWriter) newer(out *Withdrawal) error {
	if out.Newer == nil {
		return nil
	}
	return writer.addDocuments([]ledger.Document{*out.Newer}, len(out.Ledger.Session.Documents)-1)
}

// event returns the log's event of the withdrawal.
func (withdrawal *Withdrawal) event(id, session, reason string) auditlog.Event {
	e := auditlog.Event{Action: "document.withdrawn", Kind: "document", ObjectID: id, Session: session,
		Details: map[string]any{
			"session": session, "affected": len(withdrawal.Affected), "stale_reviews": withdrawal.Stale(),
			"revision": withdrawal.Ledger.Session.Revision, "reason_commitment": auditlog.Hide(reason),
		}}
	if withdrawal.Newer != nil {
		e.Action, e.Details["newer"], e.Details["root"] = "document.replaced", withdrawal.Newer.ID,
			withdrawal.Newer.Root
	}
	return e
}

// citations stores the citations that lost a place. A withdrawal only removes places, so comparing their number is
// enough.
func (writer *runWriter) citations(l *ledger.Ledger) error {
	for i := range l.Session.Claims {
		now, was := l.Session.Claims[i].Citations, writer.was[i].Citations
		for n := range now {
			if len(now[n].Places) == len(was[n].Places) {
				continue
			}
			if err := auditlog.Touch(writer.t, writer.no, "citations", i); err != nil {
				return err
			}
			places, err := sqldb.JSONText(now[n].Places)
			if err != nil {
				return err
			}
			if _, err := writer.t.Exec(`UPDATE citations SET status = ?, places = ?
				WHERE tenant_id = ? AND session_no = ? AND claim = ? AND n = ?`,
				string(now[n].Status), places, writer.tenant, writer.no, i, n); err != nil {
				return err
			}
		}
	}
	return nil
}
