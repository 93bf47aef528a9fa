package say

import (
	"strings"
	"unicode"

	"github.com/a-h/templ"

	"sanad/internal/domain/text"
)

// Dir is the direction that a text is read in, by most of its words: the value of a dir attribute. dir="auto" would go
// by the first letter, also of hidden words (rule WEB-14).
func Dir(s string) string {
	if text.RightToLeft(s) {
		return "rtl"
	}
	return "ltr"
}

// Written are the attributes of an element that holds somebody's words: their direction, and the language of their
// script, by which a screen reader chooses its voice (WCAG 3.1.2). A text without letters has none of its own.
func Written(s string) templ.OrderedAttributes {
	dir := Dir(s)
	if dir == "ltr" && strings.IndexFunc(s, isLatin) < 0 {
		return templ.OrderedAttributes{{Key: "dir", Value: dir}}
	}
	return WrittenIn(dir, "")
}

// WrittenIn is Written for words of a known direction and, unless it is "", a stated language.
func WrittenIn(dir, lang string) templ.OrderedAttributes {
	if lang == "" {
		lang = map[string]string{"rtl": "ar", "ltr": "en"}[dir]
	}
	return templ.OrderedAttributes{{Key: "dir", Value: dir}, {Key: "lang", Value: lang}}
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// maxDirection is how much of a long text, in bytes, its direction is told by.
const maxDirection = 64 << 10

// DirOf is the direction of a text that is given in parts: of the document, not of each of its paragraphs.
func DirOf(parts ...string) string {
	long := make([]byte, 0, 1024)
	for _, p := range parts {
		long = append(append(long, p...), ' ')
		if len(long) >= maxDirection {
			long = long[:maxDirection]
			break
		}
	}
	return Dir(string(long))
}

// InChart wraps a label in the page's direction, because the chart itself runs left to right in both languages.
func (r *Reader) InChart(label string) string {
	if r.Dir == "rtl" {
		return "\u2067" + label + "\u2069"
	}
	return label
}
