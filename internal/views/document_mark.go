package views

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// markedText is a paragraph with the words of the claim marked, character for character as the source has it.
func markedText(segments []Segment) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		o := &inline{w: w}
		for _, s := range segments {
			if s.Kind == "match" {
				o.raw("<mark>")
				o.text(s.Text)
				o.raw("</mark>")
				continue
			}
			o.text(s.Text)
		}
		return o.err
	})
}
