package db_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// TestTogetherFails has a read fail: its error is returned, those after it are not begun, and the store reads on.
func TestTogetherFails(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	boom := errors.New("boom")
	err := h.Together(ctx, "x", func(ctx context.Context) error {
		_, err := h.UnreadNotices(ctx, h.Actor, 1)
		return err
	}, func(context.Context) error { return boom },
		func(context.Context) error { panic("not reached before the error") })
	require.ErrorIs(t, err, boom)
	ended, end := context.WithCancel(ctx)
	end()
	unread := func(ctx context.Context) error {
		_, err := h.UnreadNotices(ctx, h.Actor, 1)
		return err
	}
	require.Error(t, h.Together(ended, "x", unread))
	require.NoError(t, h.Together(ctx, "x", unread))
}

// TestTogetherSeesOneMoment changes the store between two reads that share a transaction: neither sees it.
func TestTogetherSeesOneMoment(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	count := func(ctx context.Context) int {
		list, _, err := h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{Limit: 5})
		require.NoError(t, err)
		return len(list)
	}
	require.NoError(t, h.Together(ctx, "x", func(ctx context.Context) error {
		require.Zero(t, count(ctx))
		h.AddSession(t, dbtest.SizedSession(1))
		require.Zero(t, count(ctx))
		return nil
	}, func(ctx context.Context) error {
		require.Zero(t, count(ctx))
		return nil
	}))
	require.Equal(t, 1, count(ctx))
}
