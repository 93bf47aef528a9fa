package db_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// Sessions that older versions stored are given the number of their sealed reviews when the store is opened: nobody is
// shown a revision again that they have seen, and what is stored is what the rules compute.
func TestSealedReviewsOfOlderVersionsAreCounted(t *testing.T) {
	dbtest.SQLiteOnly(t, "PostgreSQL's schema begins with the baseline")
	h := newFixture(t)
	ctx := context.Background()
	blind, open := sizedSession(3), sizedSession(2)
	h.insert(t, blind)
	h.insert(t, open)
	a := h.as("a")
	h.assign(t, blind.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind)
	for _, position := range []int{0, 1} {
		a.says(t, blind.ID, position, confirm)
		a.says(t, open.ID, position, confirm)
	}
	before, err := h.SessionToRevise(ctx, h.actor, blind.ID)
	require.NoError(t, err)
	db.Uncount(t, h.Store, h.actor, blind.ID)
	h.reopen(t, func() {})

	for who, own := range map[string]int{"a": 2, "b": 0, "": 0} {
		shown, err := h.ShowSession(ctx, h.as(who).actor, blind.ID)
		require.NoError(t, err)
		require.Equal(t, before.Revision+1+own, shown.Revision, "above all that was shown before")
		state := ledger.New
		if own > 0 {
			state = ledger.InReview // of which lists tell nothing
		}
		require.Equal(t, []any{state, ""}, []any{shown.State, shown.Reviewer})
	}
	db.Assessed(t, h.Store, h.tenant.ID, blind.ID)
	h.requireContents(t, 2)
	events := h.happened(t, 0)
	require.Equal(t, "session.reassessed", events[len(events)-1])
	h.as("b").says(t, blind.ID, 0, confirm)
	h.requireContents(t, 2)
}
