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

// Written are the attributes of an element that holds somebody's words: their direction and their language, by which a
// screen reader chooses its voice (WCAG 3.1.2).
func Written(s string) templ.OrderedAttributes { return WrittenAs(Dir(s), s) }

// WrittenAs is Written for words of a known direction.
func WrittenAs(dir string, parts ...string) templ.OrderedAttributes {
	return append(templ.OrderedAttributes{{Key: "dir", Value: dir}}, spoken(joinedParts(parts))...)
}

// Spoken is the language of a title or another short text in a bdi, which finds its direction itself.
func Spoken(s string) templ.OrderedAttributes { return spoken(s) }

// spoken is the lang of words. Of words in a language that is not known it is "": without it they would be read as the
// page's language. What has no letters is read in any language.
func spoken(words string) templ.OrderedAttributes {
	if !strings.ContainsFunc(words, unicode.IsLetter) {
		return nil
	}
	return templ.OrderedAttributes{{Key: "lang", Value: text.Language(words)}}
}

// LanguageOf is the language of a text that is given in parts, "" if it is unknown.
func LanguageOf(parts ...string) string { return text.Language(joinedParts(parts)) }

// WrittenIn is Written for words of a known direction and language, "" if that is unknown.
func WrittenIn(dir, lang string) templ.OrderedAttributes {
	out := templ.OrderedAttributes{{Key: "dir", Value: dir}}
	if lang != "" {
		out = append(out, templ.KeyValue[string, any]{Key: "lang", Value: lang})
	}
	return out
}

// maxDirection is how much of a long text, in bytes, its direction is told by.
const maxDirection = 64 << 10

// DirOf is the direction of a text that is given in parts: of the document, not of each of its paragraphs.
func DirOf(parts ...string) string { return Dir(joinedParts(parts)) }

// joinedParts returns the beginning of a text that is given in parts.
func joinedParts(parts []string) string {
	long := make([]byte, 0, 1024)
	for _, p := range parts {
		long = append(append(long, p...), ' ')
		if len(long) >= maxDirection {
			long = long[:maxDirection]
			break
		}
	}
	return string(long)
}

// InChart wraps a label in the page's direction, because the chart itself is drawn from left to right.
func (r *Reader) InChart(label string) string {
	if r.Dir == "rtl" {
		return "\u2067" + label + "\u2069"
	}
	return label
}
