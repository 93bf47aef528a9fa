package say

import "sanad/internal/domain/text"

// Dir is the direction that a text is read in, by most of its words: the value of a dir attribute. dir="auto" would go
// by the first letter, also of hidden words (rule WEB-14).
func Dir(s string) string {
	if text.RightToLeft(s) {
		return "rtl"
	}
	return "ltr"
}

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
