package ui

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/a-h/templ"
)

// Parts of the frame say the same on every page, to whoever reads in a language and may do the same: they are drawn once
// and kept as text. Nothing that anybody wrote is in them.

// constant is such a part. What it depends on is in its key, of which there are few.
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

// Render writes the part, which it draws when it is first asked for.
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

// navigation is the links in the head of a page; the one of its place (current) is marked.
func navigation(c *Chrome, current string) templ.Component {
	return &constant{constantKey{"nav " + current, c.Lang, c.May}, c, func(c *Chrome) templ.Component { return navLinks(c, current) }}
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
