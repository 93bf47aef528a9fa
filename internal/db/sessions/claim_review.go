package sessions

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// ReviewRequest is what somebody wants to review of a session. The functions have no effects but on the session that
// they are passed; they may be called twice, each time with the stored state. An error of theirs is returned as it is.
type ReviewRequest struct {
	Claim     int                                             // position of the one claim, if Selection is nil
	Selection *ledger.Selection                               // of several claims
	Check     func(*ledger.Session) error                     // refuses if the caller saw another state; nil for none
	Decide    func(s *ledger.Session, claims []int) error     // appends reviews of the claims at these positions
	Key       string                                          // of the receipt, "" for none
	Answer    func(*ledger.Ledger) (*receipts.Receipt, error) // makes the receipt; nil for none
}

// Review appends reviews, in one transaction that holds the write lock from the start: it loads what is asked for,
// decides on it and saves the result. The errors are those of UpdateSession.
//
// For one claim, only that claim with its evidence is loaded, Decide and Answer see no other, and the session's stored
// values are amended, unless other claims may change too (ledger.Overview.Amend): then, as for several claims, the
// session is loaded and assessed as a whole.
func (s *Store) Review(ctx context.Context, who access.Actor, id string, r ReviewRequest) (*ledger.Ledger, error) {
	var done *reviewed
	l, err := s.changeLedger(ctx, "Review", who, func(t *sqldb.Tx) (*ledger.Ledger, []auditlog.Event, error) {
		var events []auditlog.Event
		var err error
		if done, events, err = s.ReviewIn(t, who.Tenant, id, &r); err != nil {
			return nil, nil, err
		}
		return done.ledger, events, nil
	})
	if err == nil {
		s.confidences.put(done.sum)
	}
	return l, err
}

// ReviewIn is Review in a transaction. It returns the events to log.
func (s *Store) ReviewIn(t *sqldb.Tx, tenant, id string, r *ReviewRequest) (*reviewed, []auditlog.Event, error) {
	if err := s.Unanswered(t, tenant, &receipts.Receipt{Key: r.Key}); err != nil {
		return nil, nil, err
	}
	done, err := s.decideReview(t, tenant, id, r)
	if err != nil {
		return nil, nil, err
	}
	events, err := s.saveReview(t, done, r)
	return done, events, err
}

// reviewed is a session as a review leaves it, to be saved.
type reviewed struct {
	row     *sessionRow
	updater updater
	ledger  *ledger.Ledger // has the entries of the loaded claims
	sum     *newSum        // nil if it is not known
}

// decideReview loads what a review needs and decides on it.
func (s *Store) decideReview(t *sqldb.Tx, tenant, id string, r *ReviewRequest) (*reviewed, error) {
	if r.Selection == nil {
		if done, err := s.reviewOne(t, tenant, id, r); err != nil || done != nil {
			return done, err
		}
	}
	return reviewWhole(t, tenant, id, r)
}

// reviewOne reviews one claim with only that claim loaded. If that isn't enough, it returns nil.
func (s *Store) reviewOne(t *sqldb.Tx, tenant, id string, r *ReviewRequest) (*reviewed, error) {
	h, err := loadSessionRow(t, tenant, id, false)
	if err != nil {
		return nil, err
	}
	old, err := loadClaim(t, tenant, h, r.Claim)
	if err != nil {
		return nil, err
	}
	session, flags := &h.Session, 0
	if len(old) > 0 {
		flags = old[0].flags
	}
	was, found := session.EntryAt(r.Claim, flagTypes(flags))
	u := h.updater(t, tenant, old)
	u.firstClaim += r.Claim // of the one claim that is loaded
	if err := r.decide(session, []int{r.Claim}); err != nil {
		return nil, err
	}
	if !found {
		return nil, sqldb.NotFound()
	}
	now, _ := session.EntryAt(r.Claim, nil)
	asks := h.Overview.AmendAsks(&was, &now)
	others, err := s.loadOthers(t, tenant, h, r.Claim, u.revision, asks)
	if err != nil {
		return nil, err
	}
	overview, ok := h.Overview.Amend(&was, &now, others)
	if !ok {
		return nil, nil
	}
	sum := &newSum{session: session.ID, was: u.revision, now: session.Revision}
	if asks.Sum {
		after := ledger.AmendConfidence(others.Sum, &was, &now)
		sum.sum = &after
	}
	l := &ledger.Ledger{Session: session, Entries: []ledger.Entry{now}, Overview: overview}
	return &reviewed{row: h, updater: u, ledger: l, sum: sum}, nil
}

// reviewWhole reviews claims with the whole session loaded.
func reviewWhole(t *sqldb.Tx, tenant, id string, r *ReviewRequest) (*reviewed, error) {
	var months int
	if err := t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{tenant}, &months); err != nil {
		return nil, err
	}
	h, old, err := LoadSession(t, tenant, id)
	if err != nil {
		return nil, err
	}
	claims := []int{r.Claim}
	if r.Selection != nil {
		if claims, err = matching(t, tenant, h, *r.Selection); err != nil {
			return nil, err
		}
	}
	u := h.updater(t, tenant, old)
	if err := r.decide(&h.Session, claims); err != nil {
		return nil, err
	}
	l := ledger.Assess(&h.Session, months)
	return &reviewed{row: h, updater: u, ledger: &l}, nil
}

// decide calls Decide unless the caller saw another state.
func (r *ReviewRequest) decide(session *ledger.Session, claims []int) error {
	if r.Check != nil {
		if err := r.Check(session); err != nil {
			return sqldb.AsIs(err)
		}
	}
	return sqldb.AsIs(r.Decide(session, claims))
}

// saveReview saves a review with its receipt and returns the events to log.
func (s *Store) saveReview(t *sqldb.Tx, done *reviewed, r *ReviewRequest) ([]auditlog.Event, error) {
	var receipt *receipts.Receipt
	if r.Answer != nil {
		var err error
		if receipt, err = r.Answer(done.ledger); err != nil {
			return nil, sqldb.AsIs(err)
		}
	}
	u := &done.updater
	if err := u.save(done.ledger); err != nil {
		return nil, err
	}
	events := u.events(auditlog.Event{Action: auditlog.ClaimReviewedAction}, done.ledger)
	return append(u.reopened(done.row), events...), s.KeepReceipt(t, u.tenant, receipt, s.Now())
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

// loadOthers reads what an amended overview needs to know of the claims other than the one at position. revision is
// that of the session before the change.
func (s *Store) loadOthers(t *sqldb.Tx, tenant string, h *sessionRow, position, revision int,
	asks ledger.AmendAsks) (others ledger.OtherClaims, err error) {
	if asks.Sum {
		if others.Sum, err = s.confidenceSum(t, tenant, h, revision); err != nil {
			return others, err
		}
	}
	others.Next = map[ledger.RiskType]*ledger.FlagClaim{}
	for flag, after := range asks.Next {
		if others.Next[flag], err = nextFlagged(t, tenant, h.no, flag, after, position); err != nil {
			return others, err
		}
	}
	return others, nil
}

// confidenceSum adds up the figures of all claims once, and then keeps the sum from review to review.
func (s *Store) confidenceSum(t *sqldb.Tx, tenant string, h *sessionRow, revision int) (float64, error) {
	if sum, ok := s.confidences.get(h.Session.ID, revision); ok {
		return sum, nil
	}
	sum := 0.0
	err := t.Each("SELECT confidence FROM claims WHERE tenant_id = ? AND session_no = ? AND overridden = ? "+
		"AND verdict <> '' ORDER BY position", []any{tenant, h.no, false}, func(r sqldb.Scanner) error {
		var c float64
		err := r.Scan(&c)
		sum += c
		return err
	})
	return sum, err
}

// nextFlagged returns the first claim with a flag after a position, other than the one at but; nil if none.
func nextFlagged(t *sqldb.Tx, tenant string, session int, flag ledger.RiskType, after, but int,
) (*ledger.FlagClaim, error) {
	var w sqldb.Conditions
	w.Add("tenant_id = ? AND session_no = ? AND position > ? AND position <> ?", tenant, session, after, but)
	w.Add("flags <> 0 AND flags & ? <> 0", flagBit(flag))
	switch flag { // these have an index of their own
	case ledger.MissingEvidence:
		w.Add("verdict = ?", string(ledger.NotFound))
	case ledger.Contradiction:
		w.Add("verdict = ?", string(ledger.Contradicted))
	}
	c := &ledger.FlagClaim{}
	err := t.Row("SELECT key, position, text FROM claims WHERE "+w.String()+" ORDER BY position LIMIT 1", w.Args,
		&c.Key, &c.Position, &c.Text)
	if sqldb.NoRow(err) {
		return nil, nil
	}
	return c, err
}
