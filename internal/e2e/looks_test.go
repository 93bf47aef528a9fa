package e2e

import (
	"strconv"
	"testing"

	"sanad/internal/thorough"
)

// look is a combination of language, theme and width.
type look struct {
	lang, theme string
	width       int64
}

// name returns the name of a page's picture in this look.
func (l look) name(page string) string {
	return page + "-" + l.lang + "-" + l.theme + "-" + strconv.FormatInt(l.width, 10)
}

// query returns the parameters that select the language and theme.
func (l look) query() string { return "lang=" + l.lang + "&theme=" + l.theme }

// looks are the looks that a test of accessibility uses. make thorough uses all eight: both languages, both themes,
// both widths. make test uses two, which are drawn for each test: English in the light theme at one width, Arabic in
// the dark one at the other.
func looks(t *testing.T) []look {
	t.Helper()
	if !thorough.On() {
		widths := [][2]int64{{1280, 360}, {360, 1280}}[thorough.Random(t).IntN(2)]
		return []look{{"en", "light", widths[0]}, {"ar", "dark", widths[1]}}
	}
	var out []look
	for _, lang := range []string{"en", "ar"} {
		for _, theme := range []string{"light", "dark"} {
			out = append(out, look{lang, theme, 1280}, look{lang, theme, 360})
		}
	}
	return out
}

// look opens a page in a look.
func (b *tab) look(path string, l look) {
	b.t.Helper()
	b.width(l.width)
	b.visit(withQuery(path, l.query()))
}
