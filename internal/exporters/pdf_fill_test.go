package exporters

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The body of a page, in points from the top, between its running lines.
const (
	fillTop, fillBottom = 60.0, 788.0
	leastFilled         = 1.0 / 3
)

var (
	boxPage = regexp.MustCompile(`(?s)<page .*?</page>`)
	boxWord = regexp.MustCompile(`<word xMin="[^"]*" yMin="([^"]*)" xMax="[^"]*" yMax="([^"]*)"`)
)

// fills returns how much of each page's body is filled: the height of its lines and the space between them, but not a
// gap of more than an inch, such as the one above footnotes.
func fills(t testing.TB, file string) []float64 {
	t.Helper()
	const gap = 72.0
	var out []float64
	for _, page := range boxPage.FindAllString(pdfTool(t, "pdftotext", "-bbox", file, "-"), -1) {
		var spans [][2]float64
		for _, m := range boxWord.FindAllStringSubmatch(page, -1) {
			from, err := strconv.ParseFloat(m[1], 64)
			require.NoError(t, err)
			to, err := strconv.ParseFloat(m[2], 64)
			require.NoError(t, err)
			if from >= fillTop-8 && to <= fillBottom+8 {
				spans = append(spans, [2]float64{from, to})
			}
		}
		slices.SortFunc(spans, func(a, b [2]float64) int { return int(a[0]*10 - b[0]*10) })
		at, filled := fillTop, 0.0
		for _, s := range spans {
			if d := s[1] - at; d > 0 {
				if s[0]-at > gap {
					d = s[1] - s[0]
				}
				filled, at = filled+d, s[1]
			}
		}
		out = append(out, filled/(fillBottom-fillTop))
	}
	return out
}

// TestFill checks that no page of a board's documents is less than a third full: the demo's packs and their renderings
// in one language, ledgers of many lengths, and one of twenty pages.
func TestFill(t *testing.T) {
	files := map[string]func(*bytes.Buffer) error{}
	for name, make := range packFixtures {
		for _, language := range []string{"", "en", "ar"} {
			d := make(t)
			d.Language = language
			files["pack-"+name+"-"+language] = func(b *bytes.Buffer) error { return PackPDF(b, d) }
		}
	}
	for _, n := range []int{4, 8, 12, 15, 20, 25, 30, 50, 61, 100} {
		for _, language := range Languages {
			files["ledger-"+strconv.Itoa(n)+"-"+string(language)] = func(b *bytes.Buffer) error {
				return PDFIn(b, board(n), language)
			}
		}
	}
	twenty := false
	for name, write := range files {
		var out bytes.Buffer
		require.NoError(t, write(&out))
		file := filepath.Join(t.TempDir(), "fill.pdf")
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
		full := fills(t, file)
		twenty = twenty || len(full) >= 20 && strings.HasPrefix(name, "ledger")
		for i, f := range full {
			if f < leastFilled && len(full) > 1 {
				t.Errorf("%s: page %d of %d is %.0f %% full", name, i+1, len(full), 100*f)
			}
		}
	}
	require.True(t, twenty, "one of the documents has twenty pages")
}
