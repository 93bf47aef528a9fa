package auditlog_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// BenchmarkLogImport shows what an import costs in a long log beside a short one: its event, its tree, its signature
// and the external checkpoint.
func BenchmarkLogImport(b *testing.B) {
	for _, events := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			h := dbtest.New(b)
			require.NoError(b, appendMany(context.Background(), h.Store, h.Actor, events))
			for b.Loop() {
				b.StopTimer()
				l := dbtest.Assess(dbtest.SizedSession(50))
				b.StartTimer()
				_, _, err := h.InsertSession(context.Background(), h.Actor, l, nil, nil)
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
