package exporttest

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/letterhead"
	"sanad/internal/exporters/prose"
)

// Tool returns the output of a program that reads PDFs; the tests need it installed.
func Tool(t testing.TB, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	require.NoError(t, err, "install qpdf and poppler-utils: %s is missing", name)
	out, err := exec.Command(path, args...).CombinedOutput()
	require.NoError(t, err, "%s: %s", name, out)
	return string(out)
}

// Letters returns the letters, digits and marks of s: lines and columns may break anywhere.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			return r
		}
		return -1
	}, s)
}

// Pages returns the text of the English and of the Arabic section.
func Pages(t testing.TB, file string) (en, ar string) {
	t.Helper()
	all := Tool(t, "pdftotext", file, "-")
	for _, r := range all {
		bad := r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || r >= 0xFB50 && r <= 0xFDCF ||
			r >= 0xFE70 && r < 0xFEFF
		require.False(t, bad, "U+%04X in the text", r)
	}
	for _, page := range strings.Split(all, "\f") {
		if strings.Contains(page, "صفحة") && !strings.Contains(page, "Page ") {
			ar += page
		} else {
			en += page
		}
	}
	return en, ar
}

// CheckFonts checks that every font is embedded, subsetted, and has a CMap to Unicode.
func CheckFonts(t *testing.T, file string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(Tool(t, "pdffonts", file)), "\n")
	require.Greater(t, len(lines), 2)
	for _, line := range lines[2:] {
		f := strings.Fields(line)
		require.Equal(t, []string{"yes", "yes", "yes"}, f[len(f)-5:len(f)-2], line)
	}
}

// BidiControls are the controls that poppler puts around stretches of the other direction.
var BidiControls = regexp.MustCompile(`[\x{202A}-\x{202E}\x{2066}-\x{2069}]`)

// RequireWords checks that the English section has an English text in one piece, and any other text word by word:
// poppler reorders the lines of table cells on Arabic pages, and Arabic lines on all pages.
func RequireWords(t *testing.T, lang *prose.Lang, plain, text string) {
	t.Helper()
	if lang.Code == "en" && prose.TextLang(text, "") == "en" {
		require.Contains(t, plain, Letters(text), text)
	}
	for word := range strings.FieldsSeq(text) {
		require.Contains(t, plain, Letters(word), "%s: %s in %s", lang.Code, word, text)
	}
}

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
	for _, page := range boxPage.FindAllString(Tool(t, "pdftotext", "-bbox", file, "-"), -1) {
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

// Letterheads are those with a logo of shapes and one of pixels.
func Letterheads(t *testing.T) map[string]*letterhead.Letterhead {
	var pixels bytes.Buffer
	require.NoError(t, png.Encode(&pixels, image.NewGray(image.Rect(0, 0, 90, 30))))
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path fill="#1b6638" d="M0 0h90v30H0z"/></svg>`
	const name, address = "Gulf Health Group · مجموعة الخليج الصحية", "King Fahd Road 7\nRiyadh 11564"
	return map[string]*letterhead.Letterhead{
		"shapes":  {Name: name, Address: address, Logo: []byte(svg)},
		"pixels":  {Name: name, Address: address, Logo: pixels.Bytes()},
		"no logo": {Name: name, Address: address},
	}
}

// CheckLetterhead checks that what write returns is the same each time, and has the address of Letterheads in both of
// its languages.
func CheckLetterhead(t *testing.T, write func() []byte) {
	t.Helper()
	data := write()
	require.Equal(t, data, write(), "the same bytes")
	path := filepath.Join(t.TempDir(), "headed.pdf")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	Tool(t, "qpdf", "--check", path)
	en, ar := Pages(t, path)
	for _, part := range []string{en, ar} {
		require.Contains(t, Letters(part), Letters("King Fahd Road 7"))
	}
}

// CheckFill checks that no page of a document is less than a third full, and returns how many pages it has.
func CheckFill(t *testing.T, name string, pdf []byte) int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fill.pdf")
	require.NoError(t, os.WriteFile(file, pdf, 0o600))
	full := fills(t, file)
	for i, f := range full {
		if f < leastFilled && len(full) > 1 {
			t.Errorf("%s: page %d of %d is %.0f %% full", name, i+1, len(full), 100*f)
		}
	}
	return len(full)
}
