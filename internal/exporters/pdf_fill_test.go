package exporters

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/exporters/exporttest"
)

// TestFill checks that no page of a ledger is less than a third full: ledgers of many lengths, and one of twenty pages.
func TestFill(t *testing.T) {
	most := 0
	for _, n := range []int{4, 8, 12, 15, 20, 25, 30, 50, 61, 100} {
		for _, language := range Languages {
			var out bytes.Buffer
			require.NoError(t, PDFIn(&out, exporttest.Board(n), language))
			most = max(most, exporttest.CheckFill(t, "ledger-"+strconv.Itoa(n)+"-"+string(language), out.Bytes()))
		}
	}
	require.GreaterOrEqual(t, most, 20, "one of the documents has twenty pages")
}
