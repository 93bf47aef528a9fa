package e2e

import (
	"strconv"

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

// looks are the looks that accessibility tests use: both languages, both themes, both widths. Texts do not depend on
// colours, so make test uses English in the light theme and Arabic in the dark one; make thorough uses all eight.
func looks() []look {
	var out []look
	for _, lang := range []string{"en", "ar"} {
		for _, theme := range []string{"light", "dark"} {
			if !thorough.On() && (lang == "en") != (theme == "light") {
				continue
			}
			for _, width := range []int64{1280, 360} {
				out = append(out, look{lang, theme, width})
			}
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
