package sessions

import (
	"context"
	"strings"
	"unicode/utf8"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// CloseSession closes a session. Conflict if it is closed already; Invalid if claims are not settled and there is no
// reason, or if the reason is longer than ledger.MaxReason.
func (store *Store) CloseSession(ctx context.Context, a access.Actor, id, reason string) error {
	reason = strings.TrimSpace(reason)
	if utf8.RuneCountInString(reason) > ledger.MaxReason {
		return domain.Refuse(domain.TooLarge, "reason", "refused_text_longer_characters", "N", ledger.MaxReason)
	}
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "CloseSession", func(t *sqldb.Tx) error {
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
			string(ledger.Closed), statusOf(ledger.Closed), sqldb.Stamp(store.Now()), a.ID, reason, a.Tenant, h.no)
		if err != nil {
			return err
		}
		return store.AppendEvent(t, a, auditlog.SessionEvent("session.closed", id,
			map[string]any{"from": string(h.state), "not_settled": open, "reason_commitment": auditlog.Hide(reason)}))
	})
}

// ReopenSession reopens a closed session; Conflict if it is not closed.
func (store *Store) ReopenSession(ctx context.Context, a access.Actor, id string) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "ReopenSession", func(t *sqldb.Tx) error {
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
		return store.AppendEvents(t, a, events)
	})
}
