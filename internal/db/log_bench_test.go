package db_test

import (
	"context"
	"fmt"
	"testing"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"

	"github.com/stretchr/testify/require"
)

// BenchmarkLogImport shows what an import costs in a long log beside a short one: its event, its tree, its signature
// and the external checkpoint.
func BenchmarkLogImport(b *testing.B) {
	for _, events := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			h := newFixture(b)
			require.NoError(b, appendMany(context.Background(), h.Store, h.actor, events))
			for b.Loop() {
				b.StopTimer()
				l := assess(sizedSession(50))
				b.StartTimer()
				_, _, err := h.InsertSession(context.Background(), h.actor, l, nil, nil)
				require.NoError(b, err)
			}
		})
	}
}

// appendMany appends n events in one transaction.
func appendMany(ctx context.Context, s *db.Store, a access.Actor, n int) error {
	return s.Write(ctx, sqldb.EveryTenant, "AppendMany", func(t *sqldb.Tx) error {
		for range n {
			if err := s.AppendEvent(t, a, auditlog.Event{Action: "many"}); err != nil {
				return err
			}
		}
		return nil
	})
}
