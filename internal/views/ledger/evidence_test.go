package ledger

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/views/viewtest"
)

// The second light speaks of the words that the first one speaks of: a quotation that somebody made, a passage that our
// judge found, or the sources where there is neither.
func TestLightsAskAboutTheSameWords(t *testing.T) {
	passage := &ledger.Match{Quote: text.Placement{Kind: text.Exact}}
	for _, x := range []struct {
		name, judge string
		best        *ledger.Match
		en, ar      string
	}{
		{name: "quotation", judge: "given", best: passage, en: "Does the quoted passage support the claim?", ar: "هل يؤيد المقطع المقتبس الإفادة؟"},
		{name: "passage", judge: "lexical", best: passage, en: "Does the passage support the claim?", ar: "هل يؤيد المقطع الإفادة؟"},
		{name: "neither", judge: "lexical", best: nil, en: "Do the sources support the claim?", ar: "هل تؤيد المصادر الإفادة؟"},
	} {
		t.Run(x.name, func(t *testing.T) {
			for lang, want := range map[string]string{"en": x.en, "ar": x.ar} {
				c := viewtest.ChromeAt(lang, "/")
				light := newLight(&c, &ledger.Entry{Claim: &ledger.Claim{Judge: x.judge}, Best: x.best})
				require.Equal(t, want, light.Then)
			}
		})
	}
}
