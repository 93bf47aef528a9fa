package ui

import "github.com/a-h/templ"

// keyList names the one-key commands in the order of the help dialog; keys.js implements them.
var keyList = []string{"j k", "enter", "esc", "c", "o", "n", "x", "shift_down shift_up", "u", "f", "slash", "g s", "question"}

var keyNames = map[string]string{
	"j": "j", "k": "k", "enter": "Enter", "esc": "Esc", "c": "c", "o": "o", "n": "n", "x": "x", "shift_down": "Shift ↓",
	"shift_up": "Shift ↑", "u": "u", "f": "f", "slash": "/",
	"g": "g", "s": "s", "question": "?",
}

// keySequences are the commands whose keys are pressed one after the other; for other commands with two keys, either
// key works.
var keySequences = map[string]bool{"g s": true}

// shortID is the start of a request id: enough to find it in the log.
func shortID(id string) string {
	if len(id) > 13 {
		return id[:13]
	}
	return id
}

func boolWord(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// Hundredths converts a figure from 0 to 1 to hundredths, clamped to that range.
func Hundredths(v float64) int { return min(max(int(v*100+0.5), 0), 100) }

// choice sets one preference by GET: it changes a cookie of this browser and nothing on the server.
func choice(c *Chrome, name, chosen string, values []string) templ.Component {
	return InlineText(func(o *Inline) {
		o.Raw(`<form method="get" action="`)
		o.Text(string(templ.URL(c.Path())))
		o.Raw(`"`)
		o.Attr("data-keep", name)
		o.Raw(`>`)
		o.keepQuery(c, name)
		o.Raw(`<fieldset><legend>`)
		o.Text(c.T(name))
		o.Raw(`</legend><div class="segments">`)
		for _, v := range values {
			o.Raw(`<button type="submit"`)
			o.Attr("name", name)
			o.Attr("value", v)
			o.Attr("aria-pressed", boolWord(v == chosen))
			o.Raw(`>`)
			o.Text(c.T(name + "_" + v))
			o.Raw(`</button>`)
		}
		o.Raw(`</div></fieldset></form>`)
	})
}

// keepQuery keeps the query of the page, without one of its fields, in a form.
func keepQuery(c *Chrome, name string) templ.Component {
	return InlineText(func(o *Inline) { o.keepQuery(c, name) })
}

func (o *Inline) keepQuery(c *Chrome, name string) {
	for _, h := range c.Hidden(name) {
		o.Raw(`<input type="hidden"`)
		o.Attr("name", h.Label)
		o.Attr("value", h.Value)
		o.Raw(`>`)
	}
}
