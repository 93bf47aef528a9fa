package sessions_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// TestExpiredLinksArePruned checks that expired links of every tenant are deleted, also of one that makes no other.
func TestExpiredLinksArePruned(t *testing.T) {
	b := dbtest.NewBoard(t)
	_, other := b.NewTenant(t, "another")
	link := func(who access.Actor, id, token string, valid time.Duration) {
		t.Helper()
		require.NoError(t, b.CreateExport(b.Ctx, who,
			db.Export{TokenHash: token, SessionID: id, CreatedAt: b.At, ExpiresAt: b.At.Add(valid)}))
	}
	for _, who := range []access.Actor{b.Actor, other} {
		l := dbtest.Assess(dbtest.Identify(dbtest.FullSession()))
		id, _, err := b.InsertSession(b.Ctx, who, l, nil, nil)
		require.NoError(t, err)
		link(who, id, "first", time.Hour)
		link(who, id, "second", time.Hour)
		link(who, id, "valid", 2*time.Hour)
	}
	b.Pass(time.Hour)
	pruned, err := b.PruneExports(b.Ctx)
	require.NoError(t, err)
	require.EqualValues(t, 4, pruned)
	for _, who := range []access.Actor{b.Actor, other} {
		_, err = b.Export(b.Ctx, who.Tenant, "valid", b.At)
		require.NoError(t, err)
	}
}
