package sessions

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// ReviewClaim appends a review of one claim, in one transaction that holds the write lock from the start. apply adds it
// to a session of which only that claim with its evidence may be loaded; it may be called twice, each time with the
// stored state. answer, unless nil, makes the receipt from a ledger that may have only that claim's entry.
//
// Only that claim is loaded and the session's stored values are adjusted, unless the review may change the flags of
// other claims: then the session is loaded and assessed as a whole. Errors are those of UpdateSession.
func (s *Store) ReviewClaim(ctx context.Context, a domain.Actor, id string, position int, receiptKey string,
	apply func(*ledger.Session) (ledger.Review, error),
	answer func(*ledger.Ledger, ledger.Review) (*receipts.Receipt, error)) (*ledger.Ledger, error) {
	if answer == nil {
		answer = func(*ledger.Ledger, ledger.Review) (*receipts.Receipt, error) { return nil, nil }
	}
	var after *newSum
	l, err := s.changeLedger(ctx, "ReviewClaim", a, func(t *sqldb.Tx) (l *ledger.Ledger, events []auditlog.Event, err error) {
		if err := s.Unanswered(t, a.Tenant, &receipts.Receipt{Key: receiptKey}); err != nil {
			return nil, nil, err
		}
		l, events, after, err = s.ReviewOneClaim(t, a.Tenant, id, position, apply, answer)
		if err == nil && l == nil {
			return s.reviewWhole(t, a.Tenant, id, apply, answer)
		}
		return l, events, err
	})
	if err == nil {
		s.confidences.put(after)
	}
	return l, err
}

// reviewWhole appends a review with the whole session loaded.
func (s *Store) reviewWhole(t *sqldb.Tx, tenant, id string, apply func(*ledger.Session) (ledger.Review, error),
	answer func(*ledger.Ledger, ledger.Review) (*receipts.Receipt, error)) (*ledger.Ledger, []auditlog.Event, error) {
	var months int
	if err := t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{tenant}, &months); err != nil {
		return nil, nil, err
	}
	return s.update(t, tenant, id, auditlog.Event{Action: auditlog.ClaimReviewedAction},
		func(_ *sessionRow, session *ledger.Session) (*ledger.Ledger, *receipts.Receipt, error) {
			r, err := apply(session)
			if err != nil {
				return nil, nil, err
			}
			l := ledger.Assess(session, months)
			receipt, err := answer(&l, r)
			return &l, receipt, err
		})
}

// ReviewOneClaim appends a review with only its claim loaded. If that isn't enough, it returns nil and changes nothing.
func (s *Store) ReviewOneClaim(t *sqldb.Tx, tenant, id string, position int, apply func(*ledger.Session) (ledger.Review, error),
	answer func(*ledger.Ledger, ledger.Review) (*receipts.Receipt, error)) (*ledger.Ledger, []auditlog.Event, *newSum, error) {
	h, err := loadSessionRow(t, tenant, id, false)
	if err != nil {
		return nil, nil, nil, err
	}
	old, err := loadClaim(t, tenant, h, position)
	if err != nil {
		return nil, nil, nil, err
	}
	session := &h.Session
	flags := 0
	if len(old) > 0 {
		flags = old[0].flags
	}
	was, found := session.EntryAt(position, flagTypes(flags))
	rest := &otherClaims{t: t, tenant: tenant, h: h, position: position, revision: session.Revision,
		confidence: &s.confidences}
	u := h.updater(t, tenant, old)
	u.firstClaim += position // of the one claim that is loaded
	r, err := apply(session)
	if err != nil {
		return nil, nil, nil, sqldb.AsIs(err)
	}
	if !found {
		return nil, nil, nil, sqldb.NotFound()
	}
	now, _ := session.EntryAt(position, nil)
	o, ok, err := h.Overview.Amend(&was, &now, rest)
	if err != nil || !ok {
		return nil, nil, nil, err
	}
	l := &ledger.Ledger{Session: session, Entries: []ledger.Entry{now}, Overview: o}
	receipt, err := answer(l, r)
	if err != nil {
		return nil, nil, nil, sqldb.AsIs(err)
	}
	if err := u.save(l); err != nil {
		return nil, nil, nil, err
	}
	after := &newSum{session: session.ID, was: rest.revision, now: session.Revision}
	if rest.sum != nil {
		sum := ledger.AmendConfidence(*rest.sum, &was, &now)
		after.sum = &sum
	}
	return l, append(u.reopened(h), u.events(auditlog.Event{Action: auditlog.ClaimReviewedAction}, l)...), after,
		s.KeepReceipt(t, tenant, receipt, s.Now())
}

// loadClaim reads one claim into the session of h, with its evidence and the documents and chunks of the evidence.
func loadClaim(t *sqldb.Tx, tenant string, h *sessionRow, position int) ([]derived, error) {
	s := &h.Session
	claims, old, err := loadClaims(t,
		"FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position = ?", tenant, h.no, position)
	if err != nil {
		return nil, err
	}
	s.Claims = claims
	if err := loadEvidence(t, s, tenant, h.no, "AND claim = ?", position); err != nil {
		return nil, err
	}
	documents, chunks := references(s.Claims)
	if s.Documents, err = loadListed(t, tenant, h.no, documents); err != nil {
		return nil, err
	}
	list, args := sqldb.InPairs(chunks)
	return old, loadChunks(t, s, tenant, h.no, "AND (document, position) IN "+list, args...)
}
