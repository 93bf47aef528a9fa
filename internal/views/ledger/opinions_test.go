package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/agreement"
	"sanad/internal/views/viewtest"
)

// TestOpinionsNameTheReader: two readers of one version of the embedded judge can be told apart.
func TestOpinionsNameTheReader(t *testing.T) {
	raters := []agreement.RaterCount{
		{Rater: agreement.Rater{Judge: "embedded", Version: "11", Reader: strings.Repeat("a", 64)}, Claims: 2},
		{Rater: agreement.Rater{Judge: "embedded", Version: "11", Reader: strings.Repeat("b", 64)}, Claims: 2},
	}
	for lang, says := range map[string]string{"en": "reader", "ar": "قارئ آلي آخر"} {
		page := NewOpinionsPage(viewtest.ChromeAt(lang, "/sessions/s/opinions"),
			OpinionsInput{SecondOpinion: &agreement.SecondOpinion{SessionID: "s", Raters: raters}})
		require.Len(t, page.Figures, 2)
		require.NotEqual(t, page.Figures[0], page.Figures[1])
		require.Contains(t, page.Figures[0], says)
		require.Contains(t, page.Figures[0], strings.Repeat("a", 12))
		require.NotContains(t, page.Figures[0], strings.Repeat("a", 13))
	}
}
