package exporters

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/letterhead"
	"sanad/internal/exporters/exporttest"
)

// The letterhead stands at the head of a ledger in both languages, in the same bytes each time.
func TestLetterhead(t *testing.T) {
	var format Format
	for _, f := range Formats {
		if f.Name == "pdf" {
			format = f
		}
	}
	for name, letter := range exporttest.Letterheads(t) {
		t.Run(name, func(t *testing.T) {
			exporttest.CheckLetterhead(t, func() []byte {
				data, err := format.Under(letter).RenderIn(exporttest.Assess(exporttest.Reviewed()), BothLanguages)
				require.NoError(t, err)
				return data
			})
		})
	}
	empty, err := format.Under(&letterhead.Letterhead{}).RenderIn(exporttest.Assess(exporttest.Reviewed()), BothLanguages)
	require.NoError(t, err)
	without, err := format.RenderIn(exporttest.Assess(exporttest.Reviewed()), BothLanguages)
	require.NoError(t, err)
	require.Equal(t, without, empty)
}
