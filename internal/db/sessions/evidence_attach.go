package sessions

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Attachment is the result of attaching a passage to a claim, or of taking one back.
type Attachment struct {
	Detached bool // it was taken back
	Ledger   *ledger.Ledger
	Change   ledger.Change
	Match    ledger.Match
	Receipt  *receipts.Receipt // the answer to an Idempotency-Key, nil if none
}

// AttachPassage stores a passage that a person attached to a claim (ledger.Session.Attach), or that it was taken back
// (ledger.Session.Detach), in one transaction with the event. apply decides on the loaded session, changes it and
// returns the result, or an error, which is returned as it is and leaves everything unchanged. receiptKey is the same
// as Event.ReceiptKey. The log has only the passage's hash.
func (store *Store) AttachPassage(ctx context.Context, a access.Actor, id, receiptKey string,
	apply func(session *ledger.Session) (*Attachment, error)) (*Attachment, error) {
	var out *Attachment
	err := store.Write(ctx, sqldb.OfTenant(a.Tenant), "AttachPassage", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, &receipts.Receipt{Key: receiptKey}); err != nil {
			return err
		}
		h, old, err := LoadSession(t, a.Tenant, id)
		if err != nil {
			return err
		}
		w := &runWriter{updater: h.updater(t, a.Tenant, old), was: slices.Clone(h.Session.Claims)}
		if out, err = apply(&h.Session); err != nil {
			return sqldb.AsIs(err)
		}
		if err := w.save(out.Ledger); err != nil {
			return err
		}
		if err := w.claims(out.Ledger); err != nil {
			return err
		}
		if err := w.matches(out.Ledger.Session, out.Change.Position); err != nil {
			return err
		}
		if err := store.AppendEvents(t, a, h.reopened(out.cause())); err != nil {
			return err
		}
		if err := store.AppendEvent(t, a, out.event(id)); err != nil {
			return err
		}
		return store.KeepReceipt(t, a.Tenant, out.Receipt, store.Now())
	})
	return sqldb.OrZero(out, err)
}

// matches replaces the stored matches of one claim.
func (writer *runWriter) matches(now *ledger.Session, position int) error {
	if err := auditlog.Touch(writer.t, writer.no, "matches", position); err != nil {
		return err
	}
	_, err := writer.t.Exec("DELETE FROM matches WHERE tenant_id = ? AND session_no = ? AND claim = ?", writer.tenant,
		writer.no,
		position)
	if err != nil {
		return err
	}
	only := *now.Claim(position)
	only.Citations = nil
	in := &inserter{t: writer.t, tenant: writer.tenant, no: writer.no, firstClaim: writer.firstClaim}
	return in.evidence(&ledger.Ledger{Session: &ledger.Session{Claims: []ledger.Claim{only}}})
}

// cause says why a closed session is open again.
func (attachment *Attachment) cause() string {
	if attachment.Detached {
		return "passage taken back"
	}
	return "passage attached"
}

func (attachment *Attachment) event(sessionID string) auditlog.Event {
	s := attachment.Ledger.Session
	document := s.Document(attachment.Match.Chunk.Document).ID
	action := "passage.attached"
	if attachment.Detached {
		action = "passage.detached"
	}
	return auditlog.SessionEvent(action, sessionID, map[string]any{
		"claim": attachment.Change.Position + 1, "document": document,
		"chunk": attachment.Match.Chunk.Chunk + 1, "start": attachment.Match.Quote.Span.Start,
		"end":                attachment.Match.Quote.Span.End,
		"passage_commitment": auditlog.HideWith("document", document, attachment.Match.Snippet),
		"from_verdict":       string(attachment.Change.From),
		"to_verdict":         string(attachment.Change.To), "stale_reviews": attachment.Change.Stale,
		"revision": s.Revision,
	})
}
