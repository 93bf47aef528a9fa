package e2e

import (
	"os"
	"strconv"
)

// look is a way in which a page is seen.
type look struct {
	lang, theme string
	width       int64
}

// name is that of the picture of a page so seen.
func (l look) name(page string) string {
	return page + "-" + l.lang + "-" + l.theme + "-" + strconv.FormatInt(l.width, 10)
}

// query asks for a page in the language and theme.
func (l look) query() string { return "lang=" + l.lang + "&theme=" + l.theme }

// everyLook is what make interop asks for.
var everyLook = os.Getenv("SANAD_EVERY_LOOK") != ""

// looks are the ways in which a page is held to axe-core: both languages, both themes, both widths. Words do not
// depend on colours, so make test sees English in the light theme and Arabic in the dark one; make interop sees all
// eight.
func looks() []look {
	var out []look
	for _, lang := range []string{"en", "ar"} {
		for _, theme := range []string{"light", "dark"} {
			if !everyLook && (lang == "en") != (theme == "light") {
				continue
			}
			for _, width := range []int64{1280, 360} {
				out = append(out, look{lang, theme, width})
			}
		}
	}
	return out
}

// look shows a page as it is to be seen.
func (b *tab) look(path string, l look) {
	b.t.Helper()
	b.width(l.width)
	b.visit(withQuery(path, l.query()))
}
