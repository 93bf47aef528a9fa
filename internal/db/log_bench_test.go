package db_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// BenchmarkLogImport measures the cost of the log: the same transaction with and without its
// event, its tree, its signature and the external checkpoint. The log has 10,000 events.
func BenchmarkLogImport(b *testing.B) {
	for _, c := range []struct {
		name string
		do   func(*fixture, *ledger.Ledger) error
	}{
		{"without", func(h *fixture, l *ledger.Ledger) error {
			return h.InsertUnlogged(context.Background(), h.tenant.ID, l)
		}},
		{"with", func(h *fixture, l *ledger.Ledger) error {
			_, _, err := h.InsertSession(context.Background(), h.actor, l, nil, nil)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := newFixture(b)
			require.NoError(b, h.AppendMany(context.Background(), h.actor, 10_000))
			for b.Loop() {
				b.StopTimer()
				l := assess(sizedSession(50))
				b.StartTimer()
				require.NoError(b, c.do(h, l))
			}
		})
	}
}
