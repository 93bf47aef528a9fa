package sessions

import (
	"context"
	"slices"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// ReviewRequest is what somebody decides on claims of a session.
type ReviewRequest struct {
	Decision ledger.Decision
	Check    func(*ledger.Session) error                      // a precondition such as If-Match; nil for none
	Key      string                                           // of the receipt, "" for none
	Answer   func(*ledger.Outcome) (*receipts.Receipt, error) // makes the receipt; nil for none
}

// Review loads the claims that a decision is about, makes the decision on them, and saves what came of it, in one
// transaction that holds the write lock from the start. A dry run only reads. Errors of Check and Answer, which must
// have no effects, and of the decision are returned as they are; if Key has been answered already, the error is a
// *ReplayError.
//
// Only these claims are loaded, and the session's stored values are amended, unless that is not enough
// (ledger.Outcome.Amend): then the session is loaded and assessed as a whole. Evidence of several claims is loaded
// without the passages that it refers to, as no verdict depends on those.
func (store *Store) Review(ctx context.Context, who access.Actor, id string, r ReviewRequest) (*ledger.Outcome, error) {
	if err := r.Decision.Check(); err != nil {
		return nil, err
	}
	var done *reviewed
	decide := func(t *sqldb.Tx) (err error) {
		done, err = store.decideReview(t, who, id, &r)
		return err
	}
	if r.Decision.DryRun {
		if err := store.Read(ctx, "Review", decide); err != nil {
			return nil, err
		}
		return done.outcome, nil
	}
	_, err := store.changeLedger(ctx, "Review", who, func(t *sqldb.Tx) (*ledger.Ledger, []auditlog.Event, error) {
		var events []auditlog.Event
		var err error
		if done, events, err = store.ReviewIn(t, who, id, &r); err != nil {
			return nil, nil, err
		}
		return done.outcome.Ledger, events, nil
	})
	if err != nil {
		return nil, err
	}
	store.confidences.put(done.sum)
	return done.outcome, nil
}

// ReviewIn is Review in a transaction. It returns the events to log.
func (store *Store) ReviewIn(t *sqldb.Tx, who access.Actor, id string, r *ReviewRequest) (*reviewed, []auditlog.Event,
	error) {
	if err := store.Unanswered(t, who.Tenant, &receipts.Receipt{Key: r.Key}); err != nil {
		return nil, nil, err
	}
	done, err := store.decideReview(t, who, id, r)
	if err != nil {
		return nil, nil, err
	}
	events, err := store.saveReview(t, done, r)
	return done, events, err
}

// reviewed is a session as a review leaves it, to be saved.
type reviewed struct {
	row     *sessionRow
	updater updater
	outcome *ledger.Outcome // has the entries of the loaded claims
	sum     *newSum         // nil if it is not known
}

// decideReview loads what a decision needs and makes it.
func (store *Store) decideReview(t *sqldb.Tx, who access.Actor, id string, r *ReviewRequest) (*reviewed, error) {
	h, err := loadSessionRow(t, who.Tenant, id, false)
	if err != nil {
		return nil, err
	}
	b, err := basisOf(t, who, h, &r.Decision)
	if err != nil {
		return nil, err
	}
	if len(b.claims) <= ledger.MaxBulk {
		if done, err := store.reviewPart(t, h, b, r); err != nil || done != nil {
			return done, err
		}
	}
	return reviewWhole(t, id, b, r)
}

// basis is what a decision is made on, beside the session.
type basis struct {
	who         access.Actor
	claims      []int // positions of the claims that it is about, in order
	confirmsAll bool  // the policy lets one step confirm critical and flagged claims
}

func basisOf(t *sqldb.Tx, who access.Actor, h *sessionRow, d *ledger.Decision) (b basis, err error) {
	b.who = who
	switch {
	case d.Selection == nil:
		b.claims = []int{d.Claim}
		return b, nil
	case d.Action == ledger.Undo:
		b.claims, err = ofBatch(t, who, h, d.Batch)
		return b, err
	}
	policy, err := reads.Policy(t, who.Tenant)
	if err != nil {
		return b, err
	}
	b.confirmsAll = policy.BulkConfirmsAll
	b.claims, err = matching(t, who, h, *d.Selection)
	return b, err
}

// ofBatch returns the positions of the claims that a person reviewed in a bulk step, in order.
func ofBatch(t *sqldb.Tx, who access.Actor, h *sessionRow, batch string) ([]int, error) {
	if batch == "" {
		return nil, nil
	}
	return sqldb.Collect(t, `SELECT DISTINCT claim FROM reviews WHERE tenant_id = ? AND session_no = ? AND by_id = ?
		AND by_id <> '' AND batch = ? ORDER BY claim`, []any{who.Tenant, h.no, who.ID, batch},
		func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
}

// reviewPart makes a decision with only its claims loaded. If that isn't enough, it returns nil.
func (store *Store) reviewPart(t *sqldb.Tx, h *sessionRow, b basis, r *ReviewRequest) (*reviewed, error) {
	old, err := loadClaimsAt(t, b.who.Tenant, h, b.claims)
	if err != nil {
		return nil, err
	}
	if r.Decision.Selection == nil {
		if err := loadReferences(t, b.who.Tenant, h); err != nil {
			return nil, err
		}
	}
	u := h.updater(t, b.who.Tenant, old)
	out, err := r.decide(h, old, b)
	if err != nil {
		return nil, err
	}
	asks, one := out.Asks(), -1 // it asks for nothing of several
	if len(out.Claims) == 1 {
		one = out.Claims[0]
	}
	others, err := store.loadOthers(t, b.who.Tenant, h, one, u.revision, asks)
	if err != nil {
		return nil, err
	}
	if !out.Amend(others) {
		return nil, nil
	}
	sum := &newSum{session: h.Session.ID, was: u.revision, now: h.Session.Revision}
	if asks.Sum {
		after := out.Sum(others.Sum)
		sum.sum = &after
	}
	return &reviewed{row: h, updater: u, outcome: out, sum: sum}, nil
}

// reviewWhole makes a decision with the whole session loaded.
func reviewWhole(t *sqldb.Tx, id string, b basis, r *ReviewRequest) (*reviewed, error) {
	var months int
	if err := t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{b.who.Tenant}, &months); err != nil {
		return nil, err
	}
	h, old, err := LoadSession(t, b.who.Tenant, id)
	if err != nil {
		return nil, err
	}
	u := h.updater(t, b.who.Tenant, old)
	out, err := r.decide(h, old, b)
	if err != nil {
		return nil, err
	}
	*out.Ledger = ledger.Assess(&h.Session, months)
	return &reviewed{row: h, updater: u, outcome: out}, nil
}

// decide makes the decision on the loaded claims, of which old has the derived values.
func (reviewRequest *ReviewRequest) decide(h *sessionRow, old []derived, b basis) (*ledger.Outcome, error) {
	if reviewRequest.Check != nil {
		if err := reviewRequest.Check(&h.Session); err != nil {
			return nil, sqldb.AsIs(err)
		}
	}
	l := &ledger.Ledger{Session: &h.Session, Overview: h.Overview}
	for i := range old {
		at := h.Session.Claims[i].Position
		if _, ok := slices.BinarySearch(b.claims, at); !ok {
			continue
		}
		e, _ := h.Session.EntryAt(at, flagTypes(old[i].flags))
		l.Entries = append(l.Entries, e)
	}
	out, err := l.Decide(&reviewRequest.Decision, b.who, b.confirmsAll)
	return out, sqldb.AsIs(err)
}

// saveReview saves a review with its receipt and returns the events to log.
func (store *Store) saveReview(t *sqldb.Tx, done *reviewed, r *ReviewRequest) ([]auditlog.Event, error) {
	var receipt *receipts.Receipt
	if r.Answer != nil {
		var err error
		if receipt, err = r.Answer(done.outcome); err != nil {
			return nil, sqldb.AsIs(err)
		}
	}
	u, l := &done.updater, done.outcome.Ledger
	if err := u.save(l); err != nil {
		return nil, err
	}
	events := u.events(auditlog.Event{Action: auditlog.ClaimReviewedAction}, l)
	return append(u.reopened(done.row), events...), store.KeepReceipt(t, u.tenant, receipt, store.Now())
}

// loadClaimsAt reads the claims at some positions into the session of h, with their evidence.
func loadClaimsAt(t *sqldb.Tx, tenant string, h *sessionRow, positions []int) ([]derived, error) {
	list, args := listOf(positions)
	claims, old, err := loadClaims(t, "FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position IN "+
		list+" ORDER BY c.position", append([]any{tenant, h.no}, args...)...)
	if err != nil {
		return nil, err
	}
	h.Session.Claims = claims
	return old, loadEvidence(t, &h.Session, tenant, h.no, "AND claim IN "+list, args...)
}

// loadReferences reads the documents and chunks of the loaded claims' evidence into the session of h.
func loadReferences(t *sqldb.Tx, tenant string, h *sessionRow) (err error) {
	documents, chunks := references(h.Session.Claims)
	if h.Session.Documents, err = loadListed(t, tenant, h.no, documents); err != nil {
		return err
	}
	list, args := sqldb.InPairs(chunks)
	return loadChunks(t, &h.Session, tenant, h.no, "AND (document, position) IN "+list, args...)
}

// loadOthers reads what an amended overview needs to know of the claims other than the one at position. revision is
// that of the session before the change.
func (store *Store) loadOthers(t *sqldb.Tx, tenant string, h *sessionRow, position, revision int,
	asks ledger.AmendAsks) (others ledger.OtherClaims, err error) {
	if asks.Sum {
		if others.Sum, err = store.confidenceSum(t, tenant, h, revision); err != nil {
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
func (store *Store) confidenceSum(t *sqldb.Tx, tenant string, h *sessionRow, revision int) (float64, error) {
	if sum, ok := store.confidences.get(h.Session.ID, revision); ok {
		return sum, nil
	}
	sum := 0.0
	err := t.Each("SELECT c.confidence FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.overridden = ? "+
		"AND c.verdict <> '' AND "+notAside+" ORDER BY c.position", []any{tenant, h.no, false}, func(r sqldb.Scanner) error {
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

// TakeBackRewording undoes the rewording that brought or replaced a claim (ledger.Session.TakeBack), in one
// transaction: change makes it on the whole session and returns the newly assessed ledger, with the receipt.
func (store *Store) TakeBackRewording(ctx context.Context, a access.Actor, id, receiptKey string,
	change func(*ledger.Session) (*ledger.Ledger, *receipts.Receipt, error)) (*ledger.Ledger, error) {
	ev := auditlog.Event{Action: auditlog.ClaimReviewedAction, ReceiptKey: receiptKey}
	return store.UpdateSession(ctx, a, id, ev, change)
}
