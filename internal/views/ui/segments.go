package ui

import "github.com/a-h/templ"

// MarkedText is a paragraph with the claim's words marked, character for character as in the source.
func MarkedText(segments []Segment) templ.Component {
	return InlineText(func(o *Inline) {
		for _, s := range segments {
			if s.Kind == "match" {
				o.Raw("<mark>")
				o.Text(s.Text)
				o.Raw("</mark>")
				continue
			}
			o.Text(s.Text)
		}
	})
}

// Segment is a stretch of a quotation: plain, matching or conflicting.
type Segment struct {
	Text string
	Kind string // "", "match", "conflict"
}
