package views

import "github.com/a-h/templ"

// markedText is a paragraph with the words of the claim marked, character for character as the source has it.
func markedText(segments []Segment) templ.Component {
	return inlineText(func(o *inline) {
		for _, s := range segments {
			if s.Kind == "match" {
				o.raw("<mark>")
				o.text(s.Text)
				o.raw("</mark>")
				continue
			}
			o.text(s.Text)
		}
	})
}

// Segment is a stretch of a quotation: plain, matching or conflicting.
type Segment struct {
	Text string
	Kind string // "", "match", "conflict"
}
