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
func (s *Store) AttachPassage(ctx context.Context, a access.Actor, id, receiptKey string,
	apply func(session *ledger.Session) (*Attachment, error)) (*Attachment, error) {
	var out *Attachment
	err := s.Write(ctx, sqldb.OfTenant(a.Tenant), "AttachPassage", func(t *sqldb.Tx) error {
		if err := s.Unanswered(t, a.Tenant, &receipts.Receipt{Key: receiptKey}); err != nil {
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
		if err := s.AppendEvents(t, a, h.reopened(out.cause())); err != nil {
			return err
		}
		if err := s.AppendEvent(t, a, out.event(id)); err != nil {
			return err
		}
		return s.KeepReceipt(t, a.Tenant, out.Receipt, s.Now())
	})
	return sqldb.OrZero(out, err)
}

// matches replaces the stored matches of one claim.
func (w *runWriter) matches(now *ledger.Session, position int) error {
	if err := auditlog.Touch(w.t, w.no, "matches", position); err != nil {
		return err
	}
	_, err := w.t.Exec("DELETE FROM matches WHERE tenant_id = ? AND session_no = ? AND claim = ?", w.tenant, w.no,
		position)
	if err != nil {
		return err
	}
	only := *now.Claim(position)
	only.Citations = nil
	in := &inserter{t: w.t, tenant: w.tenant, no: w.no, firstClaim: w.firstClaim}
	return in.evidence(&ledger.Ledger{Session: &ledger.Session{Claims: []ledger.Claim{only}}})
}

// cause says why a closed session is open again.
func (x *Attachment) cause() string {
	if x.Detached {
		return "passage taken back"
	}
	return "passage attached"
}

func (x *Attachment) event(sessionID string) auditlog.Event {
	s := x.Ledger.Session
	document := s.Document(x.Match.Chunk.Document).ID
	action := "passage.attached"
	if x.Detached {
		action = "passage.detached"
	}
	return auditlog.SessionEvent(action, sessionID, map[string]any{
		"claim": x.Change.Position + 1, "document": document,
		"chunk": x.Match.Chunk.Chunk + 1, "start": x.Match.Quote.Span.Start, "end": x.Match.Quote.Span.End,
		"passage_commitment": auditlog.HideWith("document", document, x.Match.Snippet),
		"from_verdict":       string(x.Change.From),
		"to_verdict":         string(x.Change.To), "stale_reviews": x.Change.Stale, "revision": s.Revision,
	})
}
