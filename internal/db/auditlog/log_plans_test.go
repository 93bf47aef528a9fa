package auditlog_test

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// logPages returns the calls that pages of the log make.
func logPages(h *dbtest.Fixture, s *ledger.Session) dbtest.Calls {
	ctx := context.Background()
	return dbtest.Calls{
		"log of a claim": func() error {
			_, _, err := h.Log(ctx, h.Tenant.ID, audit.Query{ObjectID: s.ID, Kind: "session", Claim: 3, Limit: 50})
			return err
		},
		"names of the log": func() error { return askNames(ctx, h, s) },
	}
}

// askNames asks for the names of one event of each kind, and of many about claims.
func askNames(ctx context.Context, h *dbtest.Fixture, s *ledger.Session) error {
	var events []audit.StoredEvent
	for _, kind := range []string{"session", "document", "pack", "decision", "user", "token", "webhook", "model", "job", "view", "bundle",
		"artifact", "invitation", "key", "tenant", "erasure", "change", "login"} {
		events = append(events, audit.StoredEvent{Kind: kind, ObjectID: "x", Actor: h.Actor.ID})
	}
	facts := make([]audit.Facts, len(events))
	for n := range min(len(s.Claims), 20) {
		events = append(events, audit.StoredEvent{Kind: "session", ObjectID: s.ID})
		facts = append(facts, audit.Facts{Details: map[string]any{"claim": float64(n + 1)}})
	}
	names, err := h.LogNames(ctx, h.Actor, events, facts)
	if at := (audit.Ref{Kind: audit.ClaimKind, ID: s.ID, Claim: 3}); err == nil && names.Thing(at).Text != s.Claims[2].Text {
		return errors.New("the text of claim 3 is not found")
	}
	return err
}

func TestLogPagesUseIndexes(t *testing.T) {
	h := dbtest.New(t)
	small, large := dbtest.SizedSession(20), dbtest.SizedSession(200)
	h.AddSession(t, small)
	h.AddSession(t, large)
	a, b := h.Queries(t, logPages(h, small)), h.Queries(t, logPages(h, large))
	require.Equal(t, a, b)
	require.LessOrEqual(t, a["log of a claim"], int64(15))
	require.LessOrEqual(t, a["names of the log"], int64(20))                   // one for each kind of thing, and the people, claims and reviews
	h.RequireIndexes(t, logPages(h, large), regexp.MustCompile(`IN \(VALUES`)) // the claims of a page
}
