package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
)

// TestJobThatSomebodyHoldsIsPassedOver checks that a worker takes the next job while a row is locked, and does not wait
// for it.
func TestJobThatSomebodyHoldsIsPassedOver(t *testing.T) {
	dbtest.OnPostgresOnly(t)
	h := dbtest.NewClocked(t)
	first, second := queue(t, h, h.Actor, "one"), queue(t, h, h.Actor, "two")
	hold, err := dbtest.Raw(t, h.Dir).BeginTx(h.Ctx, nil)
	require.NoError(t, err)
	defer hold.Rollback() //nolint:errcheck // it only holds a row
	_, err = hold.ExecContext(h.Ctx, "SELECT 1 FROM jobs WHERE id = ? FOR UPDATE", first.ID)
	require.NoError(t, err)
	require.Equal(t, second.ID, claim(t, h).ID)
	require.Nil(t, claim(t, h), "the other one is held")
	require.NoError(t, hold.Rollback())
	require.Equal(t, first.ID, claim(t, h).ID)
}
