package ui

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/a-h/templ"
)

// Parts of the frame are the same on every page for readers of one language with the same permissions. They are
// rendered once and kept as HTML. They hold no text of users.

// constant is such a part. Its key holds what it depends on; there are few keys.
type constant struct {
	key  constantKey
	c    *Chrome
	draw func(*Chrome) templ.Component
}

type constantKey struct {
	name, lang string
	may        May
}

var (
	constantsMu sync.RWMutex
	constants   = map[constantKey]string{}
)

// Render writes the part, and renders it at its first use.
func (p *constant) Render(ctx context.Context, w io.Writer) error {
	constantsMu.RLock()
	html, ok := constants[p.key]
	constantsMu.RUnlock()
	if !ok {
		var out bytes.Buffer
		if err := p.draw(p.c).Render(ctx, &out); err != nil {
			return err
		}
		html = out.String()
		constantsMu.Lock()
		constants[p.key] = html
		constantsMu.Unlock()
	}
	_, err := io.WriteString(w, html)
	return err
}

// styles and scripts are what styleLinks and scriptLinks draw.
func styles(c *Chrome) templ.Component { return &constant{constantKey{name: "styles"}, c, styleLinks} }
func scripts(c *Chrome) templ.Component {
	return &constant{constantKey{name: "scripts"}, c, scriptLinks}
}

// keyHelp is the dialog of the keys.
func keyHelp(c *Chrome) templ.Component {
	return &constant{constantKey{name: "keys", lang: c.Lang}, c, keyDialog}
}

// palette is the dialog of the command palette.
func palette(c *Chrome) templ.Component {
	return &constant{constantKey{name: "palette", lang: c.Lang}, c, paletteDialog}
}

// navigation is the links in the head of a page; the current one is marked.
func navigation(c *Chrome, current string) templ.Component {
	draw := func(c *Chrome) templ.Component { return navLinks(c, current) }
	return &constant{constantKey{"nav " + current, c.Lang, c.May}, c, draw}
}

// OptionList is the choices of a select.
func OptionList(options []Option) templ.Component {
	return InlineText(func(o *Inline) {
		for i := range options {
			o.Raw("<option")
			o.Attr("value", options[i].Value)
			if options[i].Selected {
				o.Raw(" selected")
			}
			o.Raw(">")
			o.Text(options[i].Label)
			o.Raw("</option>")
		}
	})
}
