package exporters

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

// TestBulkMark checks that every export of a ledger says which reviews were made in bulk (rule P-26), and only of
// those.
func TestBulkMark(t *testing.T) {
	s := exporttest.English()
	for position, batch := range []string{"step-1", ""} {
		_, err := s.AddReview(position, ledger.ReviewInput{Action: ledger.Confirm, By: "u1", Batch: batch}, "r",
			"Amal Haddad", "reviewer", exporttest.When)
		require.NoError(t, err)
	}
	l := exporttest.Assess(s)
	var md bytes.Buffer
	require.NoError(t, Markdown(&md, l))
	require.Equal(t, 1, bytes.Count(md.Bytes(), []byte("Supported – confirmed in bulk\n")))
	require.Equal(t, 1, bytes.Count(md.Bytes(), []byte("confirmed in bulk")))

	claims := wholeJSON(l).Sanad.Claims
	require.Equal(t, "step-1", claims[0].Reviews[0].Bulk)
	require.Empty(t, claims[1].Reviews[0].Bulk)

	en, ar := exporttest.Pages(t, pdfFile(t, l))
	require.Equal(t, 1, bytes.Count([]byte(exporttest.Letters(en)), []byte(exporttest.Letters("confirmed in bulk"))))
	require.Equal(t, 1, bytes.Count([]byte(exporttest.Letters(ar)), []byte(exporttest.Letters("أُكِّدت ضمن مجموعة"))))
}
