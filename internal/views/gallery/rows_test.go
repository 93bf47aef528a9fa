package gallery

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/views/viewtest"
)

var update = flag.Bool("update", false, "write the rows in testdata")

// The rows of the list are written by hand, byte for byte as templ wrote them: testdata has what it wrote of a row in
// every state.
func TestRowsAreWhatTemplWrote(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		c := viewtest.ChromeAt(lang, "/sessions/s1?verdict=weak&q=%22days%22&after=3")
		c.May = mayAll
		if lang == "ar" {
			c.Digits = "arab"
		}
		var got strings.Builder
		for _, s := range append(galleryLedger(&c), galleryChecks(&c)...) {
			if html := viewtest.Html(t, s.Body); strings.Contains(html, `<tr class="row"`) {
				for _, row := range strings.SplitAfter(html, "</tr>") {
					if _, row, found := strings.Cut(row, `<tr class="row"`); found {
						got.WriteString(`<tr class="row"` + row + "\n")
					}
				}
			}
		}
		file := "testdata/rows." + lang + ".html"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), "where a row was changed on purpose, run the test with -update")
	}
}
