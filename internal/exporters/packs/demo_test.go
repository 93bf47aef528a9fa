package packs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// TestDemoDecisions checks that each of the demo's decisions is accepted, can be submitted, and shows what it was made
// to show.
func TestDemoDecisions(t *testing.T) {
	names := demoNames(t)
	require.Equal(t, []string{"cloud-renewal", "credit-limit", "hospital-fit", "supplier-payment", "tender-reply"},
		names)
	calls := map[string][2]int{}
	for _, name := range names {
		d := demoDecision(t, name)
		require.Equal(t, pack.Mandatory, pack.Requires(&d.Header).Level, name)
		c := content(d, nil)
		require.False(t, pack.Broken(c.Validate(nil)), "%s: %v", name, c.Validate(nil))
		var n [2]int
		for i := range c.ToolCalls {
			if c.ToolCalls[i].Contradicts() {
				n[0]++
			}
			if c.ToolCalls[i].Failed() {
				n[1]++
			}
		}
		calls[name] = n
	}
	require.Equal(t, map[string][2]int{"cloud-renewal": {}, "credit-limit": {}, "hospital-fit": {},
		"supplier-payment": {2, 1}, "tender-reply": {1, 1}}, calls)
}

// TestDemoMemo checks that the hospital's memo follows every rule and refers to all of its sources.
func TestDemoMemo(t *testing.T) {
	c := content(demoDecision(t, "hospital-fit"), nil)
	require.NoError(t, c.SetMemo(demoMemo(t, "hospital-fit")))
	require.Empty(t, c.Validate(nil))
	for i := range c.Sources {
		for _, body := range []string{c.Memo.BodyEN, c.Memo.BodyAR} {
			require.Contains(t, body, "["+pack.Reference(i)+"]", "%d", i)
		}
	}
}
