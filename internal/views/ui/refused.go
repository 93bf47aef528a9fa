package ui

import (
	"bytes"
	"context"
	"io"

	"github.com/a-h/templ"
)

// refusal is the first fault of a form on the page that is being drawn. FieldError and FormRefused note it, and the frame says
// it at the top of the page, wherever below the form stands.
type refusal struct{ at, words string }

type refusalKey struct{}

// noteRefusal keeps the first fault of a page with the id of the place that it is about; a fragment, which htmx puts where
// the reader is looking, has nobody who asks.
func noteRefusal(ctx context.Context, at, words string) {
	if r, ok := ctx.Value(refusalKey{}).(*refusal); ok && r.at == "" && at != "" && words != "" {
		*r = refusal{at, words}
	}
}

// Unheard is for samples of refused forms, which refuse nothing.
func Unheard(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusalKey{}, nil)
}

// refusable draws the content of a page, and above it the alert of the form that was refused, if one was. The browser goes to
// the first field with autofocus; where the fault is at none, to the alert.
func refusable(c *Chrome) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		content, r := templ.GetChildren(ctx), &refusal{}
		var page bytes.Buffer
		if err := content.Render(context.WithValue(templ.ClearChildren(ctx), refusalKey{}, r), &page); err != nil {
			return err
		}
		if r.at != "" {
			if err := refusedAlert(c, r, !bytes.Contains(page.Bytes(), []byte(" autofocus"))).Render(ctx, w); err != nil {
				return err
			}
		}
		_, err := w.Write(page.Bytes())
		return err
	})
}

// Faulty marks the field of this id as the one that is refused, nothing where fault is "".
func Faulty(id, fault string) templ.Attributes {
	if fault == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": id + "-e", "autofocus": true}
}
