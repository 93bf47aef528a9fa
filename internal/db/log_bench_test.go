package db_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkLogImport shows what an import costs in a long log beside a short one: its event, its tree, its signature
// and the external checkpoint.
func BenchmarkLogImport(b *testing.B) {
	for _, events := range []int{10, 10_000} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			h := newFixture(b)
			require.NoError(b, h.AppendMany(context.Background(), h.actor, events))
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
