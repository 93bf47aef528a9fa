package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDescriptionOfTheAPI checks the API's description with everything unfolded, in both languages and themes, wide and
// narrow, and that a link of its contents unfolds the operation that it names.
func TestDescriptionOfTheAPI(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for _, l := range looks() {
		if !everyLook && (l.lang == "en") != (l.width == 1280) {
			continue // the page has 15,000 elements: only English wide and Arabic narrow
		}
		b.look("/docs/api", l)
		eval[bool](b, "document.querySelectorAll('details.fold').forEach(d => d.open = true), true")
		b.accessible(l.name("api unfolded"))
	}
	b.visit("/docs/api?lang=en#approvePack")
	require.True(t, eval[bool](b, "document.getElementById('approvePack').closest('details').open"))
	require.False(t, eval[bool](b, "document.getElementById('returnPack').closest('details').open"))
}
