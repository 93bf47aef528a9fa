package sessions_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
)

// TestReassessReachesClosedSessions checks that a closed session gets the current rule set as well: it stays closed
// unless something that people see has changed.
func TestReassessReachesClosedSessions(t *testing.T) {
	for name, c := range map[string]struct {
		snippet string
		want    db.Reassessed
		state   ledger.State
		events  []string
	}{
		"nothing changes": {
			snippet: "employees may take", state: ledger.Closed,
			events: []string{"session.closed", "session.reassessed"},
		},
		"a given snippet is in no source": {
			snippet: "nobody wrote these words", want: db.Reassessed{Flips: 1, Changed: true, Reopened: true},
			state: ledger.New, events: []string{"session.closed", "session.reopened", "session.reassessed"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, ctx := dbtest.New(t), context.Background()
			s := dbtest.SizedSession(1)
			s.RuleSet = ledger.FirstRuleSet
			m := &s.Claims[0].Matches[0]
			m.Snippet, m.Quote = c.snippet, text.Place(c.snippet, s.Documents[0].Chunks[0].Text)
			h.AddSession(t, s)
			require.NoError(t, h.CloseSession(ctx, h.Actor, s.ID, "Out of scope"))
			older, err := h.CountOlderRules(ctx, h.Tenant.ID)
			require.NoError(t, err)
			require.Equal(t, 1, older)

			check := func(s *ledger.Session) { checks.Run(s, nil) }
			got, done, err := h.Reassess(ctx, h.Actor, check)
			require.NoError(t, err)
			require.True(t, done)
			c.want.SessionID = s.ID
			require.Equal(t, c.want, got)
			_, done, err = h.Reassess(ctx, h.Actor, check)
			require.NoError(t, err)
			require.False(t, done, "none is left")

			page, err := h.ShowSession(ctx, h.Actor, s.ID)
			require.NoError(t, err)
			require.Equal(t, c.state, page.State)
			now, err := h.Session(ctx, h.Tenant.ID, s.ID)
			require.NoError(t, err)
			require.Equal(t, ledger.CurrentRuleSet(), now.RuleSet)
			require.Equal(t, c.events, h.Happened(t, 1))
		})
	}
}
