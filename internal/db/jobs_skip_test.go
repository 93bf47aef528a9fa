package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// TestJobThatSomebodyHoldsIsPassedOver checks that a worker takes the next job while a row is locked, and does not wait
// for it.
func TestJobThatSomebodyHoldsIsPassedOver(t *testing.T) {
	onPostgresOnly(t)
	h := newJobFixture(t)
	first, second := h.queue(t, h.actor, "one"), h.queue(t, h.actor, "two")
	hold, err := dbtest.Raw(t, h.dir).BeginTx(h.ctx, nil)
	require.NoError(t, err)
	defer hold.Rollback() //nolint:errcheck // it only holds a row
	_, err = hold.ExecContext(h.ctx, "SELECT 1 FROM jobs WHERE id = ? FOR UPDATE", first.ID)
	require.NoError(t, err)
	require.Equal(t, second.ID, h.claim(t).ID)
	require.Nil(t, h.claim(t), "the other one is held")
	require.NoError(t, hold.Rollback())
	require.Equal(t, first.ID, h.claim(t).ID)
}
