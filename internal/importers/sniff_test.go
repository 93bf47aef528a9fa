package importers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// The table of file types and the readers list the same documents.
func TestEveryDocumentTypeHasAReader(t *testing.T) {
	require.Len(t, documentReaders, len(domain.DocumentTypes))
	for _, d := range domain.DocumentTypes {
		require.Contains(t, documentReaders, d.MediaType)
		for _, ext := range d.Extensions {
			require.False(t, isJSON(File{Name: "x" + ext, Data: []byte("{}")}), ext)
		}
	}
	for _, d := range domain.InterchangeTypes {
		for _, ext := range d.Extensions {
			require.True(t, isJSON(File{Name: "x" + ext}), ext)
		}
	}
}
