package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/views/viewtest"
)

// The claim's page shows how much each figure counted for or against support; if the judge states no weights, it shows
// the figures alone.
func TestClaimShowsWeights(t *testing.T) {
	for lang, words := range map[string][2]string{"en": {"strongly for", "against"}, "ar": {"يقوّيه كثيرًا", "يُضعفه"}} {
		c := viewtest.ChromeAt(lang, "/sessions/s/claims/1")
		half := newWeight(&c, -0.5)
		require.Equal(t, &Weight{Shown: "−" + c.Decimal(0.5), Word: words[1], Kind: "contradicted", X: 37, W: 13}, half)
		require.Equal(t, &Weight{Shown: "+" + c.Decimal(2), Word: words[0], Kind: "supported", X: 50, W: 50},
			newWeight(&c, 2))
		require.Nil(t, newWeight(&c, 0))
		require.Equal(t, c.T("spoke_for_little"), newWeight(&c, 0.2).Word)
		require.Equal(t, 50, newWeight(&c, 9).W, "the scale is the same everywhere")

		v := &ClaimView{c: &c, Features: []FeatureLine{{Label: "Numbers agree", Value: 0, Shown: c.Decimal(0),
			Spoke: half}}}
		require.NotContains(t, viewtest.Html(t, claimDetails(v, true)), half.Shown)
		v.Weighed = true
		page := viewtest.Html(t, claimDetails(v, true))
		require.Contains(t, page, half.Shown)
		require.Contains(t, page, `class="f-contradicted" x="37" width="13"`)
		require.Contains(t, page, c.T("spoke_note"))
	}
}
