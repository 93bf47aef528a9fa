package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The description of the API with everything in it unfolded, in both languages and themes, wide and narrow; and a link of its
// contents unfolds the call that it names.
func TestDescriptionOfTheAPI(t *testing.T) {
	a := startApp(t)
	b := open(t, a)
	for _, query := range []string{"lang=en&theme=light", "lang=ar&theme=dark"} {
		for _, width := range []int64{1280, 360} {
			b.width(width)
			b.visit("/docs/api?" + query)
			eval[bool](b, "document.querySelectorAll('details.fold').forEach(d => d.open = true), true")
			b.accessible("api unfolded " + query)
		}
	}
	b.visit("/docs/api?lang=en#approvePack")
	require.True(t, eval[bool](b, "document.getElementById('approvePack').closest('details').open"))
	require.False(t, eval[bool](b, "document.getElementById('returnPack').closest('details').open"))
}
