package exporters

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

// TestPDFSize limits a ledger's file, JSON attached, to what was measured. Ledgers of similar claims are far below the
// 180 KB and 2.5 MB of rule PDF-10. The words of the board's claims all differ, as in real answers, and compression
// shares no dictionary between pages.
func TestPDFSize(t *testing.T) {
	for _, x := range []struct {
		name   string
		ledger func(int) *ledger.Ledger
		claims int
		most   int
	}{
		{name: "alike", ledger: big, claims: 100, most: 86_000},
		{name: "board", ledger: exporttest.Board, claims: 100, most: 230_000},
		{name: "alike", ledger: big, claims: 2000, most: 780_000},
		{name: "board", ledger: exporttest.Board, claims: 2000, most: 3_350_000},
	} {
		t.Run(fmt.Sprint(x.name, " ", x.claims), func(t *testing.T) {
			if x.claims > 500 && raceEnabled {
				t.Skip("half a minute under the race detector")
			}
			var out bytes.Buffer
			require.NoError(t, PDF(&out, x.ledger(x.claims)))
			t.Log(out.Len(), "bytes")
			require.LessOrEqual(t, out.Len(), x.most)
		})
	}
}

// TestPDFLinear checks that ten times the claims cost no more than twelve times the memory. The
// benchmark measures time.
func TestPDFLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("half a minute under the race detector")
	}
	few, many := pdfAllocated(t, exporttest.Board(200)), pdfAllocated(t, exporttest.Board(2000))
	t.Logf("%d MB, %d MB: %.1f times", few>>20, many>>20, float64(many)/float64(few))
	require.LessOrEqual(t, many, 12*few)
}

// pdfAllocated returns how many bytes writing a ledger allocates.
func pdfAllocated(t *testing.T, l *ledger.Ledger) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, PDF(&bytes.Buffer{}, l))
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// BenchmarkPDF writes boards of several lengths.
func BenchmarkPDF(b *testing.B) {
	for _, n := range []int{100, 200, 2000} {
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			l := exporttest.Board(n)
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				if err := PDF(&out, l); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(out.Len()), "bytes")
			}
		})
	}
}
