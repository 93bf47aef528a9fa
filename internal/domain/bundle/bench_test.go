package bundle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
)

// many returns a request of n inline texts that differ a little.
func many(n int, redaction bool) bundle.Request {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(strings.Repeat("Evidence that is read, نص عربي قصير. ", 5), i)
	}
	req := inline(texts...)
	req.Policy = policy(func(p *bundle.Policy) { p.MaxItems, p.MaxTotalBytes, p.EnableRedaction = 100_000, 64<<20, redaction })
	return req
}

// BenchmarkBuild shows that an item costs the same in a large bundle as in a small one.
func BenchmarkBuild(b *testing.B) {
	for _, redaction := range []bool{false, true} {
		for _, n := range []int{100, 1_000, 10_000} {
			req := many(n, redaction)
			b.Run(fmt.Sprintf("redaction=%t/items=%d", redaction, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					got, err := bundle.Build(&req, noon, nil, nil)
					require.NoError(b, err)
					require.Len(b, got.Bundle.Items, n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
			})
		}
	}
}

// BenchmarkSQL samples a few rows of a large result.
func BenchmarkSQL(b *testing.B) {
	req := request(b, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k"}]}}`)
	for _, rows := range []int{1_000, 10_000} {
		l := lake{"s": sqlOf(rows, 20)}
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			b.SetBytes(int64(len(l["s"])))
			for b.Loop() {
				build(b, req, l)
			}
		})
	}
}

// TestCostIsLinear counts allocations rather than time: they grow no faster than the items.
func TestCostIsLinear(t *testing.T) {
	cost := func(n int) float64 {
		req := many(n, true)
		return testing.AllocsPerRun(1, func() {
			_, err := bundle.Build(&req, noon, nil, nil)
			require.NoError(t, err)
		})
	}
	require.Less(t, cost(1_600), 5*cost(400))
}
