package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// TestTogether reads values of all types together and one after another: they are the same, and so are their types.
func TestTogether(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	h.insert(t, sizedSession(3))
	parts := [][]string{
		{"SELECT 1", "SELECT CAST(2147483648 AS BIGINT)", "SELECT 1.5 + CAST(1 AS REAL)"},
		{},
		{"SELECT NULL WHERE 1 = 0", "SELECT position FROM claims ORDER BY position", "SELECT 'a' || 'ب'", "SELECT ''"},
		{"SELECT x'00ff'", "SELECT sum(position) FROM claims", "SELECT json_object('a', 1)",
			"SELECT confidence FROM claims ORDER BY position"},
		{"SELECT count(*) FROM sessions", "SELECT CAST(NULL AS TEXT)", "SELECT 1 = 1", "SELECT overview FROM sessions"},
		{"SELECT avg(position) FROM claims", "SELECT name FROM tenants ORDER BY name", "SELECT 1", "SELECT 1"},
	}
	want, err := h.TogetherRead(ctx, true, parts...)
	require.NoError(t, err)
	require.Len(t, want[2], 5)
	for range 3 { // before and after the statements are prepared
		got, err := h.TogetherRead(ctx, false, parts...)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// TestTogetherFails has functions fail in several ways: the first error in their order is returned, the others find
// their own answers, and the store reads on.
func TestTogetherFails(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	for range 20 { // on all connections
		_, err := h.TogetherRead(ctx, false, []string{"SELECT 1", "SELECT 2"}, []string{"SELECT 1 FROM missing"},
			[]string{"SELECT 3"})
		require.ErrorContains(t, err, "could not do this")
		got, err := h.TogetherForgets(ctx)
		require.NoError(t, err)
		assert.Equal(t, 33, got["10"])
		assert.Equal(t, 153, got["50"])
		assert.Equal(t, 183, got["60"])
	}
	boom := errors.New("boom")
	err := h.Together(ctx, "x", func(ctx context.Context) error {
		_, err := h.UnreadNotices(ctx, h.actor, 1)
		return err
	}, func(context.Context) error { return boom }, func(context.Context) error { panic("not reached before the error") })
	require.ErrorIs(t, err, boom)
	ended, end := context.WithCancel(ctx)
	end()
	_, err = h.TogetherRead(ended, false, []string{"SELECT 1"})
	require.Error(t, err)
	_, err = h.TogetherRead(ctx, false, []string{"SELECT 1"})
	require.NoError(t, err)
}

// TestTogetherTakesFewTrips counts the round trips of methods that share a transaction: BEGIN goes with the first
// queries, and the queries of all methods go together.
func TestTogetherTakesFewTrips(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("SQLite has no round trips: make postgres")
	}
	wire := dbtest.CountTrips(t)
	h := newFixture(t)
	ctx := context.Background()
	read := func() (trips int64) {
		before := wire.Trips()
		require.NoError(t, h.Together(ctx, "x", func(ctx context.Context) error {
			_, err := h.UnreadNotices(ctx, h.actor, 1)
			return err
		}, func(ctx context.Context) error {
			_, err := h.SavedViews(ctx, h.actor, "")
			return err
		}, func(ctx context.Context) error {
			_, _, err := h.Sessions(ctx, h.tenant.ID, ledger.SessionQuery{Limit: 5})
			return err
		}))
		return wire.Trips() - before
	}
	least := read()
	for range 25 { // until each connection has the statements prepared
		least = min(least, read())
	}
	require.LessOrEqual(t, least, int64(2), "the queries with BEGIN, and COMMIT")
}

// TestTogetherSeesOneMoment changes the store between two reads that share a transaction: neither sees it.
func TestTogetherSeesOneMoment(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	count := func(ctx context.Context) int {
		list, _, err := h.Sessions(ctx, h.tenant.ID, ledger.SessionQuery{Limit: 5})
		require.NoError(t, err)
		return len(list)
	}
	require.NoError(t, h.Together(ctx, "x", func(ctx context.Context) error {
		require.Zero(t, count(ctx))
		h.insert(t, sizedSession(1))
		require.Zero(t, count(ctx))
		return nil
	}, func(ctx context.Context) error {
		require.Zero(t, count(ctx))
		return nil
	}))
	require.Equal(t, 1, count(ctx))
}
