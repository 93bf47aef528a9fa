package sessions_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// TestBundleOfTheFirstRun checks that an import which names an unknown bundle is told which field is wrong, and that
// another fault of the same transaction is not said to be that.
func TestBundleOfTheFirstRun(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	insert := func(bundleID string) *domain.Error {
		s := dbtest.Identify(dbtest.FullSession())
		s.BundleID = bundleID
		_, created, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(s), nil, nil)
		require.False(t, created)
		var refused *domain.Error
		require.ErrorAs(t, err, &refused)
		return refused
	}
	unknown := insert("none")
	require.Equal(t, domain.Invalid, unknown.Kind)
	require.Equal(t, "session.bundle_id", unknown.Path)

	in := dbtest.Built(t, "", "Leave is 15 days.")
	h.AddBundle(t, in)
	tell := h.OnEvent
	h.OnEvent = func(_ *sqldb.Tx, e *audit.Event, _ audit.Object, _ []string) error {
		if e.Action == "bundle.run_linked" {
			return sql.ErrNoRows
		}
		return nil
	}
	other := insert(in.Bundle.BundleID)
	h.OnEvent = tell
	require.NotEqual(t, domain.Invalid, other.Kind)
	require.Empty(t, other.Path)
}
