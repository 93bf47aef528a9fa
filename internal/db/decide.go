package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Closing is who closed a session, when and why.
type Closing struct {
	At     time.Time
	By     string // shown name
	Reason string // "" where none was given
}

// Matching gives the whole session for a reader, and the positions of the claims that pass a filter, in order.
func (s *Store) Matching(ctx context.Context, who domain.Actor, id string, f ClaimFilter) (*ledger.Session, []int, error) {
	var out *ledger.Session
	var positions []int
	err := s.read(ctx, "Matching", func(t *tx) error {
		h, _, err := loadSession(t, who.Tenant, id)
		if err != nil {
			return err
		}
		h.session.HideSealed(who.ID)
		out = &h.session
		positions, err = matching(t, who.Tenant, h, f)
		return err
	})
	return out, positions, err
}

// matching gives the positions of the claims that pass a filter, in order.
func matching(t *tx, tenant string, h *head, f ClaimFilter) ([]int, error) {
	f.Text = strings.TrimSpace(f.Text)
	if f.impossible() {
		return nil, nil
	}
	w := f.conditions(tenant, h)
	column, offset := f.order(h)
	last := h.overview.Summary.Total - 1
	return collect(t, "SELECT c.position FROM "+f.tables()+" WHERE "+w.String()+" AND "+column+" BETWEEN ? AND ? ORDER BY "+column,
		append(w.args, offset, offset+last), func(r scanner, at *int) error { return r.Scan(at) })
}

// ReviewMatching is UpdateSession for reviews of the claims that pass a filter: apply is told their positions as they are
// under the write lock.
func (s *Store) ReviewMatching(ctx context.Context, a domain.Actor, id string, f ClaimFilter, receiptKey string,
	apply func(s *ledger.Session, positions []int) (*ledger.Ledger, *Receipt, error)) (*ledger.Ledger, error) {
	var out *ledger.Ledger
	err := s.write(ctx, "ReviewMatching", func(t *tx) error {
		ev := Event{Action: claimReviewed, ReceiptKey: receiptKey}
		l, events, err := s.update(t, a.Tenant, id, ev, func(h *head, session *ledger.Session) (*ledger.Ledger, *Receipt, error) {
			positions, err := matching(t, a.Tenant, h, f)
			if err != nil {
				return nil, nil, err
			}
			return apply(session, positions)
		})
		if err != nil {
			return err
		}
		out = l
		return s.appendEvents(t, a, events)
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

func (s *Store) appendEvents(t *tx, a domain.Actor, events []Event) error {
	for _, ev := range events {
		if err := s.appendEvent(t, a, ev); err != nil {
			return err
		}
	}
	return nil
}

// SessionAssigned is the event of who is to review a session from here on, and how.
func SessionAssigned(s *ledger.Session) Event {
	return event("session.assigned", s.ID, map[string]any{
		"first": s.Seats[0].ID, "second": s.Seats[1].ID, "second_review": secondName(s.Second),
	})
}

// Reassign changes who is to review a session, and how, by apply (ledger.Session.Assign), and logs what it came to.
func (s *Store) Reassign(ctx context.Context, a domain.Actor, id string, apply func(*ledger.Session) (*ledger.Ledger, error)) (*ledger.Ledger, error) {
	var out *ledger.Ledger
	err := s.write(ctx, "Reassign", func(t *tx) error {
		l, events, err := s.update(t, a.Tenant, id, Event{}, func(_ *head, session *ledger.Session) (*ledger.Ledger, *Receipt, error) {
			l, err := apply(session)
			return l, nil, err
		})
		if err != nil {
			return err
		}
		events[len(events)-1] = SessionAssigned(l.Session)
		out = l
		return s.appendEvents(t, a, events)
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

// secondName is a SecondReview in words of the API and the log.
func secondName(s ledger.SecondReview) string {
	if s == ledger.OneReviewer {
		return "none"
	}
	return string(s)
}

// CloseSession closes a session. Conflict where it is closed already; Invalid where claims are not settled and no reason is
// given, or the reason is longer than ledger.MaxReason.
func (s *Store) CloseSession(ctx context.Context, a domain.Actor, id, reason string) error {
	reason = strings.TrimSpace(reason)
	if utf8.RuneCountInString(reason) > ledger.MaxReason {
		return domain.TooLargef("reason", "The text is longer than %d characters; shorten it.", ledger.MaxReason)
	}
	return s.write(ctx, "CloseSession", func(t *tx) error {
		h, err := loadHead(t, a.Tenant, id, false)
		if err != nil {
			return err
		}
		open := h.overview.Summary.Total - h.overview.Summary.Settled
		switch {
		case h.state == ledger.Closed:
			return domain.Conflictf("This session is closed already.")
		case open > 0 && reason == "":
			return domain.Invalidf("reason", "%d claims are not settled; say why the session is closed without them.", open)
		}
		_, err = t.exec("UPDATE sessions SET (state, status, closed_at, closed_by, closed_reason) = (?, ?, ?, ?, ?) WHERE tenant_id = ? AND no = ?",
			string(ledger.Closed), statusOf(ledger.Closed), stamp(s.now()), a.ID, reason, a.Tenant, h.no)
		if err != nil {
			return err
		}
		details := map[string]any{"from": string(h.state), "not_settled": open, "reason_sha256": ""}
		if reason != "" {
			sum := sha256.Sum256([]byte(reason))
			details["reason_sha256"] = hex.EncodeToString(sum[:])
		}
		return s.appendEvent(t, a, event("session.closed", id, details))
	})
}

// ReopenSession opens a closed session again. Conflict where it is not closed.
func (s *Store) ReopenSession(ctx context.Context, a domain.Actor, id string) error {
	return s.write(ctx, "ReopenSession", func(t *tx) error {
		h, err := loadHead(t, a.Tenant, id, false)
		if err != nil {
			return err
		}
		events := h.reopened("asked")
		if len(events) == 0 {
			return domain.Conflictf("This session is not closed.")
		}
		state := h.overview.Summary.State()
		if _, err = t.exec("UPDATE sessions SET (state, status) = (?, ?) WHERE tenant_id = ? AND no = ?", string(state), statusOf(state), a.Tenant, h.no); err != nil {
			return err
		}
		return s.appendEvents(t, a, events)
	})
}

// reopened is the event that comes with any change of a session that was closed: whoever saves its head opens it again.
func (h *head) reopened(cause string) []Event {
	if h.state != ledger.Closed {
		return nil
	}
	return []Event{event("session.reopened", h.session.ID, map[string]any{"cause": cause})}
}

// SessionShown is a session in short: its row, and what is said of its review as a whole.
type SessionShown struct {
	SessionRow
	Summary  ledger.Summary
	Revision int
	Closing  Closing
}

// ShowSession gives a session in short.
func (s *Store) ShowSession(ctx context.Context, tenant, id string) (*SessionShown, error) {
	out := &SessionShown{}
	err := s.read(ctx, "ShowSession", func(t *tx) error {
		h, err := loadHead(t, tenant, id, false)
		if err != nil {
			return err
		}
		out.Summary, out.Revision = h.overview.Summary, h.session.Revision
		if h.state == ledger.Closed {
			out.Closing = h.closing
		}
		return t.each("SELECT "+rowColumns+" FROM sessions s WHERE s.tenant_id = ? AND s.no = ?", []any{tenant, h.no},
			func(r scanner) error { return scanRow(r, &out.SessionRow) })
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// MyQueue gives the sessions that a person is to review and that wait, the most urgent of each seat first: those of the first
// seat, then those of the second.
func (s *Store) MyQueue(ctx context.Context, tenant, person string, limit int) (rows []SessionRow, err error) {
	if person == "" {
		return nil, nil
	}
	err = s.read(ctx, "MyQueue", func(t *tx) error {
		for _, seat := range []string{"first_reviewer", "second_reviewer"} {
			more, err := collect(t, "SELECT "+rowColumns+" FROM sessions s WHERE s.tenant_id = ? AND s."+seat+" = ? AND s.status = 'open' AND s."+seat+
				" <> '' ORDER BY s.urgency DESC, s.created_at LIMIT ?", []any{tenant, person, limit},
				func(r scanner, row *SessionRow) error { return scanRow(r, row) })
			if err != nil {
				return err
			}
			rows = append(rows, more...)
		}
		return nil
	})
	return rows, err
}
