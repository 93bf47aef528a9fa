package auditlog

import (
	"context"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/webhook"
)

// Event is something that happened and is not in the log yet.
type Event struct {
	Action   string // "session.imported"
	Kind     string // kind of the object it happened to: "session"
	ObjectID string
	Details  map[string]any // JSON values, for readers of the log

	// Also lists the kinds of webhook message to send besides Action (webhook.Kinds).
	Also []string

	Session string // the session whose content it changed, "" if none: the event gets its state digest
	Review  *RowOf // the review that it records, nil if none

	// ReceiptKey is the Idempotency-Key of the request, "" if none: an answered request isn't
	// done again (UpdateSession).
	ReceiptKey string
}

// SessionEvent returns an event about a session.
func SessionEvent(action, sessionID string, details map[string]any) Event {
	return Event{Action: action, Kind: "session", ObjectID: sessionID, Details: details, Session: sessionID}
}

const ClaimReviewedAction = "claim.reviewed"

// ClaimReviewed returns the event of one review; number is the claim's, from 1. UpdateSession adds the appended review
// to it.
func ClaimReviewed(sessionID string, number int, action ledger.Action) Event {
	return SessionEvent(ClaimReviewedAction, sessionID, map[string]any{"claim": number, "action": string(action)})
}

// ReviewDetails describes a review for the log.
func ReviewDetails(number int, r *ledger.Review, revision int) map[string]any {
	out := map[string]any{
		"claim": number, "id": r.ID, "action": string(r.Action), "verdict": string(r.Verdict), "type": string(r.Type),
		"importance": string(r.Importance), "revision": revision, "reason_commitment": Hide(r.Reason),
	}
	if r.Undoes > 0 {
		out["undoes"] = r.Undoes
	}
	if len(r.Into) > 0 {
		into := make([]int, len(r.Into))
		for i, at := range r.Into {
			into[i] = at + 1
		}
		out["replaced_by"] = into
	}
	if r.Asks {
		out["asks"] = true
	}
	if r.Thread > 0 {
		out["thread"] = r.Thread
	}
	if r.Adjudicates {
		out["adjudicates"] = true
	}
	if r.Batch != "" {
		out["batch"] = r.Batch
	}
	return out
}

// SessionExported returns the event of an export.
//
// language is that of a file in one language, else "".
func SessionExported(s *ledger.Session, format, language string) Event {
	details := map[string]any{"format": format, "revision": s.Revision}
	if language != "" {
		details["language"] = language
	}
	return SessionEvent("session.exported", s.ID, details)
}

// SessionImported returns the event of an imported session, with the number of imported judgements by judge.
func SessionImported(s *ledger.Session) Event {
	reviews, judged := 0, map[string]int{}
	for i := range s.Claims {
		c := &s.Claims[i]
		reviews += len(c.Reviews)
		if c.Unjudged != "" {
			judged["nobody"]++
		} else {
			judged[c.Judge]++
		}
	}
	ev := SessionEvent("session.imported", s.ID, map[string]any{
		"format": s.Format, "digest": s.Digest, "documents": len(s.Documents), "claims": len(s.Claims),
		"reviews": reviews, "judged_by": judged,
	})
	if len(s.Claims) > judged["nobody"] {
		ev.Also = []string{webhook.SessionJudged}
	}
	return ev
}

// LogEvent appends an event without any other change.
func (store *Store) LogEvent(ctx context.Context, a access.Actor, ev Event) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "LogEvent", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		return store.AppendEvent(t, a, ev)
	})
}

// RowOf is a review that an event records.
type RowOf struct{ Claim, N int }
