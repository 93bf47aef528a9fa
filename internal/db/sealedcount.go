package db

import (
	"errors"
	"fmt"
	"slices"

	"sanad/internal/domain/ledger"
)

// countSealed gives the sessions that were stored before sealed reviews were counted their number, in one event each.
// It is part of a migration. What is not as the log says stays as it is; a check of the content names it.
func countSealed(s *Store, t *tx) error {
	type session struct {
		no         int
		tenant, id string
	}
	found, err := collect(t, `SELECT no, tenant_id, id FROM sessions s WHERE second_review = 'blind'
		AND EXISTS (SELECT 1 FROM reviews r WHERE r.tenant_id = s.tenant_id AND r.session_no = s.no) ORDER BY no`, nil,
		func(r scanner, x *session) error { return r.Scan(&x.no, &x.tenant, &x.id) })
	if err != nil {
		return err
	}
	for _, x := range found {
		if err := s.countSealedOf(t, x.no, x.tenant, x.id); err != nil {
			return fmt.Errorf("session %s: %w", x.id, err)
		}
	}
	return nil
}

// countSealedOf is countSealed for one session. It reads no more columns than it needs, as later migrations add some.
func (s *Store) countSealedOf(t *tx, no int, tenant, id string) error {
	session := ledger.Session{ID: id, Second: ledger.SecondBlind}
	var o ledger.Overview
	state := ledger.State("")
	err := t.row(`SELECT revision, first_reviewer, second_reviewer, overview, state FROM sessions
		WHERE tenant_id = ? AND no = ?`, []any{tenant, no}, &session.Revision, &session.Seats[0].ID, &session.Seats[1].ID,
		jsonColumn{&o}, &state)
	if err != nil {
		return err
	}
	if session.Claims, err = reviewedClaims(t, tenant, no); err != nil {
		return err
	}
	if o.Sealed = session.CountSealed(); len(o.Sealed) == 0 {
		return nil
	}
	var differs *ContentError
	if err := t.touch(no, "session"); errors.As(err, &differs) {
		return nil
	} else if err != nil {
		return err
	}
	o.Summary.Begun = slices.ContainsFunc(session.Claims, func(c ledger.Claim) bool { return len(session.Open(&c)) > 0 })
	if state != ledger.Closed {
		state = o.Summary.State()
	}
	overview, err := jsonText(o)
	if err != nil {
		return err
	}
	_, err = t.exec(`UPDATE sessions SET (revision, overview, state, status, reviewer) = (?, ?, ?, ?, ?)
		WHERE tenant_id = ? AND no = ?`,
		session.Revision, overview, string(state), statusOf(state), lastReviewer(&session), tenant,
		no)
	if err != nil {
		return err
	}
	return s.appendEvent(t, systemActor(tenant), event("session.reassessed", id, map[string]any{
		"cause": "sealed reviews are counted", "revision": session.Revision,
	}))
}

// reviewedClaims reads the claims of a session that have reviews, with what decides which of these are sealed.
func reviewedClaims(t *tx, tenant string, no int) ([]ledger.Claim, error) {
	var out []ledger.Claim
	err := t.each(`SELECT r.claim, c.stale_reviews, c.withheld_reviews, r.actor, r.by_id, r.at, r.action, r.adjudicates
		FROM reviews r JOIN claims c ON c.tenant_id = r.tenant_id AND c.session_no = r.session_no AND c.position = r.claim
		WHERE r.tenant_id = ? AND r.session_no = ? ORDER BY r.claim, r.n`, []any{tenant, no}, func(row scanner) error {
		var c ledger.Claim
		var r ledger.Review
		if err := row.Scan(&c.Position, &c.Stale, &c.Withheld, &r.Actor, &r.By, timeColumn{&r.At}, &r.Action,
			&r.Adjudicates); err != nil {
			return err
		}
		if n := len(out); n == 0 || out[n-1].Position != c.Position {
			out = append(out, c)
		}
		last := &out[len(out)-1]
		last.Reviews = append(last.Reviews, r)
		return nil
	})
	return out, err
}
