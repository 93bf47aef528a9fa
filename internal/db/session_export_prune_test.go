package db_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// TestExpiredLinksArePruned checks that expired links of every tenant are deleted, also of one that makes no other.
func TestExpiredLinksArePruned(t *testing.T) {
	b := newBoard(t)
	_, other := b.newTenant(t, "another")
	link := func(who access.Actor, id, token string, valid time.Duration) {
		t.Helper()
		require.NoError(t, b.CreateExport(b.ctx, who,
			db.Export{TokenHash: token, SessionID: id, CreatedAt: b.now, ExpiresAt: b.now.Add(valid)}))
	}
	for _, who := range []access.Actor{b.actor, other} {
		l := assess(identify(fullSession()))
		id, _, err := b.InsertSession(b.ctx, who, l, nil, nil)
		require.NoError(t, err)
		link(who, id, "first", time.Hour)
		link(who, id, "second", time.Hour)
		link(who, id, "valid", 2*time.Hour)
	}
	b.pass(time.Hour)
	pruned, err := b.PruneExports(b.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 4, pruned)
	for _, who := range []access.Actor{b.actor, other} {
		_, err = b.Export(b.ctx, who.Tenant, "valid", b.now)
		require.NoError(t, err)
	}
}
