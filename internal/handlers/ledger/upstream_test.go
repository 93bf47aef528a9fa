package ledger_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// plainWords is a page's text without tags and isolates.
func plainWords(page string) string {
	page = html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
	return strings.Join(strings.Fields(strings.NewReplacer("\u2068", "", "\u2069", "").Replace(page)), " ")
}

// Pages and exports of providers' samples, one with citations and one with verdicts, show what the file said and how
// its citations were placed.
func TestProviderVerdictsBesideOurs(t *testing.T) {
	for _, c := range []struct {
		sample, from, claim, markdown string
		n                             string
	}{
		{sample: "anthropic/damaged.json",
			from:  "Imported from Anthropic Messages Citations and labels: 6 placed exactly: 1 (17%) same words, different spelling: 1 (17%) nearly the same words: 1 (17%) not placed: 3 (50%)",
			claim: "Citations and labels placed exactly: 1 same words, different spelling: 1 nearly the same words: 1 not placed: 3", markdown: "Citations and labels: 6; placed exactly: 1 (17%)", n: "1"},
		{
			sample: "ragas/row.json", from: "Imported from Ragas", claim: "In the imported file ○ Not found 0",
			markdown: "#2: the file said ○ Not Found; 0; not there", n: "2",
		},
	} {
		t.Run(c.sample, func(t *testing.T) {
			s := webtest.NewServer(t)
			at := s.ImportSample(t, c.sample)
			require.Contains(t, plainWords(s.Do("GET", at+"?tab=sources", "").Body.String()), c.from)
			for _, page := range []string{at + "/claims/" + c.n, at + "?claim=" + c.n} {
				require.Contains(t, plainWords(s.Do("GET", page, "").Body.String()), c.claim, page)
			}
			inPlace := s.Do("GET", at+"/claims/"+c.n, "", "HX-Request", "true").Body.String()
			require.NotContains(t, inPlace, "<html")
			require.Contains(t, plainWords(inPlace), c.claim)
			require.Contains(t, s.Do("GET", at+"/export/markdown", "").Body.String(), c.markdown)
			require.Contains(t, s.Do("GET", at+"/export/json", "").Body.String(), `"session.upstream"`)
			ar := plainWords(s.Do("GET", at+"?tab=sources&lang=ar", "").Body.String())
			require.Contains(t, ar, "مستورد من "+strings.Fields(c.from)[2])
		})
	}
}
