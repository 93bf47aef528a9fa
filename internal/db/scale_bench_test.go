package db_test

import (
	"fmt"
	"testing"
)

// BenchmarkInsert stores sessions of one size, and reports the statements of one.
func BenchmarkInsert(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			h := newFixture(b)
			before, times := h.QueryCount(), 0
			for b.Loop() {
				h.insert(b, sizedSession(n))
				times++
			}
			b.ReportMetric(float64(h.QueryCount()-before)/float64(times), "statements/op")
		})
	}
}
