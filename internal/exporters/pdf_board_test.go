package exporters

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/exporters/exporttest"
)

// TestPDFPicture writes ledgers of several lengths to PDF_OUT for visual inspection.
func TestPDFPicture(t *testing.T) {
	dir := os.Getenv("PDF_OUT")
	if dir == "" {
		t.Skip("PDF_OUT names no folder")
	}
	for _, n := range []int{0, 1, 4, 12, 15, 50, 61, 100, 2000} {
		data, err := pdfFormat(t).Render(exporttest.Board(n))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("board-%d.pdf", n)), data, 0o600))
	}
}
