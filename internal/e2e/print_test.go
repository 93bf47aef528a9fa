package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestPrintShowsNothingToClick: on paper there are no empty boxes to tick, no links to act and no closed folds, and
// what they stand beside is there.
func TestPrintShowsNothingToClick(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	shown := func(selector string) int {
		return eval[int](b, `[...document.querySelectorAll(`+"`"+selector+"`"+`)].filter(e => e.checkVisibility()).length`)
	}
	for path, x := range map[string]struct{ gone, there []string }{
		a.session("leave-policy.json"): {gone: []string{`.ledger input[type=checkbox]`, ".top", ".review", "button"}, there: []string{".ledger tr"}},
		"/audit":                       {gone: []string{".trail-details", ".top", "form", "button"}, there: []string{".trail li", "h1"}},
		"/dashboard":                   {gone: []string{".head > a", ".top"}, there: []string{"#due", ".ages tr"}},
	} {
		b.visit(path)
		for _, s := range x.gone {
			require.Zero(t, shown(s), "%s: %s", path, s)
		}
		for _, s := range x.there {
			require.Positive(t, shown(s), "%s: %s", path, s)
		}
	}
}
