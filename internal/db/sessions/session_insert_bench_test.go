package sessions_test

import (
	"fmt"
	"testing"

	"sanad/internal/db/dbtest"
)

// BenchmarkInsert stores sessions of one size, and reports the statements of one.
func BenchmarkInsert(b *testing.B) {
	for _, n := range []int{1000, 20_000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			h := dbtest.New(b)
			before, times := h.QueryCount(), 0
			for b.Loop() {
				h.AddSession(b, dbtest.SizedSession(n))
				times++
			}
			b.ReportMetric(float64(h.QueryCount()-before)/float64(times), "statements/op")
		})
	}
}
