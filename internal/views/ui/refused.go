package ui

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
)

// refusal is the first fault of a form on the page that is being rendered. FieldError and FormRefused record it, and
// the frame shows it at the top of the page, wherever the form is.
type refusal struct{ at, words string }

type refusalKey struct{}

// recordRefusal records the first fault of a page, with the id of the element that it is about. In a fragment, which
// htmx inserts where the reader is looking, there is no frame to show it and nothing is recorded.
func recordRefusal(ctx context.Context, at, words string) {
	if r, ok := ctx.Value(refusalKey{}).(*refusal); ok && r.at == "" && at != "" && words != "" {
		*r = refusal{at, words}
	}
}

// WithoutRefusals returns a context in which refusals are not recorded, for samples of refused forms.
func WithoutRefusals(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusalKey{}, nil)
}

// withRefusalAlert renders the content of a page, and above it the alert of the refused form, if any. The browser goes
// to the first field with autofocus; if the fault is not at a field, to the alert.
func withRefusalAlert(c *Chrome) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		content, r := templ.GetChildren(ctx), &refusal{}
		var page bytes.Buffer
		if err := content.Render(context.WithValue(templ.ClearChildren(ctx), refusalKey{}, r), &page); err != nil {
			return err
		}
		if r.at != "" {
			if err := refusedAlert(c, r, !bytes.Contains(page.Bytes(), []byte(" autofocus"))).Render(ctx,
				w); err != nil {
				return err
			}
		}
		_, err := w.Write(page.Bytes())
		return err
	})
}

// FaultAttributes returns the attributes that mark the field with this id as refused; none if fault is "".
func FaultAttributes(id, fault string) templ.Attributes {
	if fault == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": id + "-e", "autofocus": true}
}
