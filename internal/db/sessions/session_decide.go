package sessions

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// Confirmable returns the counts for a reader, with up to limit of the claims and of those left out for each reason. It
// counts derived values and loads no evidence. If there are more than ledger.MaxBulk claims, which can't be confirmed
// together, it loads none.
func (s *Store) Confirmable(ctx context.Context, who access.Actor, id string, sel ledger.Selection,
	limit int) (*ledger.Confirmable, error) {
	out := &ledger.Confirmable{ByVerdict: map[ledger.Verdict]int{}}
	err := s.Read(ctx, "Confirmable", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, who.Tenant, id, false)
		if err != nil {
			return err
		}
		out.Session = &h.Session
		out.Session.HideSealed(who.ID)
		policy, err := reads.Policy(t, who.Tenant)
		if err != nil {
			return err
		}
		out.All = policy.BulkConfirmsAll
		q := newClaimQuery(sel.Filter)
		if q.impossible() {
			return nil
		}
		w, spares := q.chosen(who.Tenant, h, sel.Claims), SpareCondition(policy)
		if err := countConfirmable(t, who, q, w, spares, out); err != nil {
			return err
		}
		waits, args := awaits(out.Session, who)
		if err := listLeftOut(t, q, h, w, spares, waits, args, limit, out); err != nil {
			return err
		}
		if out.Count == 0 || out.Count > ledger.MaxBulk {
			return nil
		}
		w.Add("c.verdict <> '' AND NOT "+spares+" AND "+waits, args...)
		column, _ := q.order(h)
		return t.Each("SELECT c.position, c.text, c.verdict, c.confidence, c.overridden FROM "+q.tables()+" WHERE "+
			w.String()+" ORDER BY "+column+" LIMIT ?",
			append(w.Args, limit), func(r sqldb.Scanner) error {
				e := ledger.Entry{Claim: &ledger.Claim{}}
				err := r.Scan(&e.Claim.Position, &e.Claim.Text, &e.Verdict, &e.Confidence, &e.Override)
				if !e.Override {
					e.Machine = e.Verdict
				}
				out.First = append(out.First, e)
				return err
			})
	})
	return sqldb.OrZero(out, err)
}

// SpareCondition is ledger.Grave as a condition on a claim c, if the policy lets no bulk step confirm such claims.
func SpareCondition(policy *pack.Policy) string {
	if policy.BulkConfirmsAll {
		return "FALSE"
	}
	return "(c.effective_importance = 'critical' OR c.flags <> 0)"
}

// countConfirmable counts the claims of a session, whose seats are known, in one query.
func countConfirmable(t *sqldb.Tx, who access.Actor, q *claimQuery, w sqldb.Conditions, spares string,
	out *ledger.Confirmable) error {
	waits, waitArgs := awaits(out.Session, who)
	query := strings.Builder{}
	query.WriteString("SELECT count(*), count(*) FILTER (WHERE c.verdict = ''), count(*) FILTER (WHERE c.verdict <> '' AND " +
		spares + " AND " + waits + ")")
	total, counts := 0, make([]int, len(ledger.Verdicts))
	fields, args := []any{&total, &out.Unjudged, &out.Spared}, slices.Clone(waitArgs)
	for i, v := range ledger.Verdicts {
		query.WriteString(", count(*) FILTER (WHERE c.verdict = '" + string(v) + "' AND NOT " + spares + " AND " + waits + ")")
		fields, args = append(fields, &counts[i]), append(args, waitArgs...)
	}
	query.WriteString(" FROM " + q.tables() + " WHERE " + w.String())
	if err := t.Row(query.String(), append(args, w.Args...), fields...); err != nil {
		return err
	}
	for i, v := range ledger.Verdicts {
		if counts[i] > 0 {
			out.ByVerdict[v] = counts[i]
		}
		out.Count += counts[i]
	}
	out.Decided = total - out.Unjudged - out.Count - out.Spared
	return nil
}

// listLeftOut reads the first claims that are left out, by their reasons.
func listLeftOut(t *sqldb.Tx, q *claimQuery, h *sessionRow, all sqldb.Conditions, spares, waits string, args []any,
	limit int,
	out *ledger.Confirmable) error {
	column, _ := q.order(h)
	for _, x := range []struct {
		count int
		where string
		args  []any
		at    *[]int
	}{
		{count: out.Unjudged, where: "c.verdict = ''", at: &out.UnjudgedAt},
		{count: out.Decided, where: "c.verdict <> '' AND NOT " + waits, args: args, at: &out.DecidedAt},
		{count: out.Spared, where: "c.verdict <> '' AND " + spares + " AND " + waits, args: args, at: &out.SparedAt},
	} {
		if x.count == 0 {
			continue
		}
		w := all.Clone()
		w.Add(x.where, x.args...)
		var err error
		*x.at, err = sqldb.Collect(t, "SELECT c.position FROM "+q.tables()+" WHERE "+w.String()+" ORDER BY "+column+" LIMIT ?",
			append(w.Args, limit), func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
		if err != nil {
			return err
		}
	}
	return nil
}

// awaits returns ledger.Session.Awaits as SQL, for a claim c and its derived values. In a double review, a claim that
// both reviewers have decided is either settled or disputed.
func awaits(s *ledger.Session, who access.Actor) (condition string, args []any) {
	if s.Second == ledger.OneReviewer {
		return "(c.state = ? OR c.stale = 1)", []any{string(ledger.Unreviewed)}
	}
	return "(c.state <> ? AND c.settled = 0 AND c.differs = 0 AND NOT EXISTS (SELECT 1 FROM reviews r " +
		"WHERE r.tenant_id = c.tenant_id AND r.session_no = c.session_no AND r.claim = c.position AND " +
		ownDecision + "))", []any{string(ledger.Wanting), who.ID}
}

// ownDecision is ledger.Claim.Decision as SQL, for reviews r of a claim c and a person.
const ownDecision = `r.by_id = ? AND r.by_id <> '' AND r.action IN ('confirm', 'override') AND r.n >= c.stale_reviews
	AND NOT EXISTS (SELECT 1 FROM reviews u WHERE u.tenant_id = r.tenant_id AND u.session_no = r.session_no
	AND u.claim = r.claim
	AND u.undoes = r.n + 1)`

// matching returns the positions of the claims of a selection, in order.
func matching(t *sqldb.Tx, tenant string, h *sessionRow, sel ledger.Selection) ([]int, error) {
	q := newClaimQuery(sel.Filter)
	if q.impossible() {
		return nil, nil
	}
	w := q.chosen(tenant, h, sel.Claims)
	column, _ := q.order(h)
	return sqldb.Collect(t, "SELECT c.position FROM "+q.tables()+" WHERE "+w.String()+" ORDER BY "+column, w.Args,
		func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
}

// SessionAssigned returns the event of a new assignment of reviewers.
func SessionAssigned(s *ledger.Session) auditlog.Event {
	return auditlog.SessionEvent("session.assigned", s.ID, map[string]any{
		"first": s.Seats[0].ID, "second": s.Seats[1].ID, "second_review": s.Second.Name(),
	})
}

// Reassign changes with apply (ledger.Session.SetReviewers) who reviews a session, and how, and logs the result.
func (s *Store) Reassign(ctx context.Context, a access.Actor, id string,
	apply func(*ledger.Session) (*ledger.Ledger, error)) (*ledger.Ledger, error) {
	return s.changeLedger(ctx, "Reassign", a, func(t *sqldb.Tx) (*ledger.Ledger, []auditlog.Event, error) {
		var was ledger.Seats
		l, events, err := s.update(t, a.Tenant, id, auditlog.Event{},
			func(_ *sessionRow, session *ledger.Session) (*ledger.Ledger, *receipts.Receipt, error) {
				was = session.Seats
				l, err := apply(session)
				return l, nil, err
			})
		if err != nil {
			return nil, nil, err
		}
		events[len(events)-1] = SessionAssigned(l.Session)
		return l, events, s.tellAssigned(t, a, l.Session, was)
	})
}

// CloseSession closes a session. Conflict if it is closed already; Invalid if claims are not settled and there is no
// reason, or if the reason is longer than ledger.MaxReason.
func (s *Store) CloseSession(ctx context.Context, a access.Actor, id, reason string) error {
	reason = strings.TrimSpace(reason)
	if utf8.RuneCountInString(reason) > ledger.MaxReason {
		return domain.Refuse(domain.TooLarge, "reason", "refused_text_longer_characters", "N", ledger.MaxReason)
	}
	return s.Write(ctx, sqldb.OfTenant(a.Tenant), "CloseSession", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, a.Tenant, id, false)
		if err != nil {
			return err
		}
		open := h.Overview.Summary.Total - h.Overview.Summary.Settled
		switch {
		case h.state == ledger.Closed:
			return domain.Refuse(domain.Conflict, "", "refused_session_closed")
		case open > 0 && reason == "":
			return domain.Refuse(domain.Invalid, "reason", "refused_claims_settled_say", "N", open)
		}
		if err := auditlog.Touch(t, h.no, "session"); err != nil {
			return err
		}
		_, err = t.Exec(`UPDATE sessions SET (state, status, closed_at, closed_by, closed_reason) = (?, ?, ?, ?, ?)
			WHERE tenant_id = ? AND no = ?`,
			string(ledger.Closed), statusOf(ledger.Closed), sqldb.Stamp(s.Now()), a.ID, reason, a.Tenant, h.no)
		if err != nil {
			return err
		}
		return s.AppendEvent(t, a, auditlog.SessionEvent("session.closed", id,
			map[string]any{"from": string(h.state), "not_settled": open, "reason_commitment": auditlog.Hide(reason)}))
	})
}

// ReopenSession reopens a closed session; Conflict if it is not closed.
func (s *Store) ReopenSession(ctx context.Context, a access.Actor, id string) error {
	return s.Write(ctx, sqldb.OfTenant(a.Tenant), "ReopenSession", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, a.Tenant, id, false)
		if err != nil {
			return err
		}
		events := h.reopened("asked")
		if len(events) == 0 {
			return domain.Refuse(domain.Conflict, "", "refused_session_not_closed")
		}
		state := h.Overview.Summary.State()
		if err := auditlog.Touch(t, h.no, "session"); err != nil {
			return err
		}
		if _, err = t.Exec("UPDATE sessions SET (state, status) = (?, ?) WHERE tenant_id = ? AND no = ?",
			string(state), statusOf(state), a.Tenant, h.no); err != nil {
			return err
		}
		return s.AppendEvents(t, a, events)
	})
}

// SessionShown is a session in brief: its row, and the state of its review as a whole.
type SessionShown struct {
	ledger.SessionRow
	Summary  ledger.Summary
	Revision int
	Closing  ledger.Closing
	Newest   ledger.NewestAnswer // zero if the answer was never revised
}

// ShowSession returns a session in brief, as a reader is shown it.
func (s *Store) ShowSession(ctx context.Context, who access.Actor, id string) (*SessionShown, error) {
	out := &SessionShown{}
	err := s.Read(ctx, "ShowSession", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, who.Tenant, id, false)
		if err != nil {
			return err
		}
		out.Summary, out.Revision, out.Newest = h.Overview.Summary, h.Session.RevisionFor(who.ID), h.newest
		if h.state == ledger.Closed {
			out.Closing = h.closing
		}
		err = t.Each("SELECT "+rowColumns+" FROM sessions s WHERE s.tenant_id = ? AND s.no = ?",
			[]any{who.Tenant, h.no},
			func(r sqldb.Scanner) error { return scanRow(r, &out.SessionRow) })
		out.State = h.stateFor(who)
		return err
	})
	return sqldb.OrZero(out, err)
}

// waitsFor is the condition that a session s, to which a person is assigned, waits for that person. In a double review,
// it no longer waits once they have decided everything unsettled, which is then up to the other reviewer.
const waitsFor = `(s.second_review = '' OR EXISTS (SELECT 1 FROM claims c WHERE c.tenant_id = s.tenant_id
	AND c.session_no = s.no AND c.settled = 0
	AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.tenant_id = c.tenant_id AND r.session_no = c.session_no
	AND r.claim = c.position AND ` +
	ownDecision + `)))`

// MyQueue returns the sessions that a person is to review and that wait for them: first those where they are the first
// reviewer, then those where they are the second, each by urgency.
func (s *Store) MyQueue(ctx context.Context, tenant, person string, limit int) (rows []ledger.SessionRow, err error) {
	if person == "" {
		return nil, nil
	}
	err = s.Read(ctx, "MyQueue", func(t *sqldb.Tx) error {
		in := func(seat string) ([]ledger.SessionRow, error) {
			return sqldb.Collect(t,
				"SELECT "+rowColumns+" FROM sessions s WHERE s.tenant_id = ? AND s."+seat+
					" = ? AND s.status = 'open' AND s."+seat+
					" <> '' AND "+waitsFor+" ORDER BY s.urgency DESC, s.created_at, s.no LIMIT ?",
				[]any{tenant, person, person, limit},
				func(r sqldb.Scanner, row *ledger.SessionRow) error { return scanRow(r, row) })
		}
		if rows, err = in("first_reviewer"); err != nil {
			return err
		}
		second, err := in("second_reviewer")
		rows = append(rows, second...)
		return err
	})
	return rows, err
}
