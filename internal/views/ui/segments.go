package ui

import (
	"strings"

	"github.com/a-h/templ"
)

// MarkedText is a paragraph with the claim's words marked, character for character as in the source. Its block has the
// direction dir.
// Foreign runs are isolated.
func MarkedText(segments []Segment, dir string) templ.Component {
	return InlineText(func(o *Inline) {
		o.In(dir)
		for _, s := range segments {
			if s.Kind == "match" {
				o.Raw("<mark>")
				o.Flow(s.Text)
				o.Raw("</mark>")
				continue
			}
			o.Flow(s.Text)
		}
	})
}

// Segment is a stretch of a quotation: plain, matching or conflicting.
type Segment struct {
	Text string
	Kind string // "", "match", "conflict"
}

// SegmentsDir is the direction of a quotation.
func SegmentsDir(segments []Segment) string {
	parts := make([]string, len(segments))
	for i, s := range segments {
		parts[i] = s.Text
	}
	return DirOf(strings.Join(parts, ""))
}
