package sessions

import (
	"context"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// TakeBackRewording undoes the rewording that brought or replaced a claim (ledger.Session.TakeBack), in one transaction:
// change makes it on the whole session and returns the newly assessed ledger, with the receipt.
func (store *Store) TakeBackRewording(ctx context.Context, a access.Actor, id, receiptKey string,
	change func(*ledger.Session) (*ledger.Ledger, *receipts.Receipt, error)) (*ledger.Ledger, error) {
	ev := auditlog.Event{Action: auditlog.ClaimReviewedAction, ReceiptKey: receiptKey}
	return store.UpdateSession(ctx, a, id, ev, change)
}

// addClaims inserts claims that the session did not have, without their evidence, and indexes them; before is how many
// it had.
func (writer *runWriter) addClaims(l *ledger.Ledger, before int) error {
	s := l.Session
	if len(s.Claims) == before {
		return nil
	}
	positions := make([]int, 0, len(s.Claims)-before)
	for i := before; i < len(s.Claims); i++ {
		positions = append(positions, i)
		writer.old = append(writer.old, DerivedOf(&l.Entries[i]))
	}
	if err := auditlog.Touch(writer.t, writer.no, "claims", positions...); err != nil {
		return err
	}
	in := &inserter{t: writer.t, tenant: writer.tenant, no: writer.no, firstClaim: writer.firstClaim, before: before}
	added := &ledger.Ledger{Session: s, Entries: l.Entries[before:]}
	return errors.Join(in.claims(added), writer.indexClaims(s, before))
}

// indexClaims indexes the claims from before on for searches, and the session by their words too.
func (writer *runWriter) indexClaims(s *ledger.Session, before int) error {
	words := WordsBeside(s.Claims)()
	found := newFindIndex(writer.t, writer.tenant, writer.no, len(s.Claims)-before)
	rows := sqldb.NewWordRows(writer.t, "claim_search", writer.tenant)
	for i := len(s.Claims) - 1; i >= before; i-- {
		found.addWords(ledger.FindClaims, i, 0, words.Of(i))
	}
	whole := newSessionIndex(writer.t, writer.tenant)
	for i := range s.Claims {
		if i >= before {
			rows.Add(writer.firstClaim+i, words.Of(i))
		}
		whole.note(words.Of(i))
	}
	err := errors.Join(found.flush(), rows.Flush(),
		sqldb.DropWords(writer.t, "session_search", writer.tenant, writer.no, writer.no+1))
	if err != nil {
		return err
	}
	return whole.save(writer.t, writer.no, s.Title, s.Query, s.ExternalID)
}
