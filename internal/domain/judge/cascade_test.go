package judge_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// TestCascadeAcrossLanguages asks about what no source says in the claim's own language while others are in another:
// with sources in one language only there is nobody else to ask.
func TestCascadeAcrossLanguages(t *testing.T) {
	const arabic, english = "يحصل الموظفون على خمسة عشر يوماً من الإجازة السنوية.", "Leave must be requested two weeks ahead."
	for name, c := range map[string]struct {
		sources []string
		claim   string
		reason  judge.Reason // "" if it is not asked about
	}{
		"both languages":          {[]string{arabic, english}, "The staff canteen opens at noon.", judge.OtherLanguage},
		"the other one":           {[]string{arabic}, "The staff canteen opens at noon.", judge.OtherLanguage},
		"its own":                 {[]string{english}, "The staff canteen opens at noon.", ""},
		"said in its own":         {[]string{arabic, english}, english, ""},
		"Arabic over both":        {[]string{arabic, english}, "يفتح المطعم أبوابه عند الظهر.", judge.OtherLanguage},
		"Arabic over Arabic":      {[]string{arabic}, "يفتح المطعم أبوابه عند الظهر.", ""},
		"a passage of both kinds": {[]string{english, arabic + " " + english}, "The staff canteen opens at noon.", judge.OtherLanguage},
	} {
		t.Run(name, func(t *testing.T) {
			s := &ledger.Session{Claims: []ledger.Claim{{Text: c.claim, Importance: ledger.Minor}}}
			for _, text := range c.sources {
				s.Documents = append(s.Documents, ledger.Document{Chunks: []ledger.Chunk{{Text: text}}})
			}
			require.Empty(t, judge.Run(s, judge.NewLexical(), time.Time{}))
			asked := judge.Cascade(s, judge.Rest)
			if c.reason == "" {
				require.Empty(t, asked)
				return
			}
			require.Equal(t, []judge.Unsure{{Claim: 0, Reason: c.reason}}, asked)
		})
	}
}
