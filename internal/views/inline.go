package views

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
)

// Quotations and answers are drawn here and not in templ: templ puts white space between nodes, and not one character of
// a quotation may be altered ("the quote is in the source"). Everything is escaped; there is no raw output.

// inline writes HTML with escaped text.
type inline struct {
	w   io.Writer
	err error
}

// inlineText is the component that draw writes.
func inlineText(draw func(o *inline)) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		o := &inline{w: w}
		draw(o)
		return o.err
	})
}

// raw writes HTML as it stands.
func (o *inline) raw(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

// text writes words, escaped.
func (o *inline) text(s string) { o.raw(templ.EscapeString(s)) }

// attr writes one attribute; value is escaped.
func (o *inline) attr(name, value string) {
	o.raw(" " + name + `="`)
	o.text(value)
	o.raw(`"`)
}

// href writes a link's address as templ.URL allows it.
func (o *inline) href(address string) { o.attr("href", string(templ.URL(address))) }

// answerRuns is the text of one block of the answer with its claims and citations.
func answerRuns(runs []AnswerRun) templ.Component {
	return inlineText(func(o *inline) {
		for i := range runs {
			o.run(&runs[i])
		}
	})
}

func (o *inline) run(r *AnswerRun) {
	switch {
	case r.Cite != nil:
		o.cite(r.Cite)
	case r.Claim != nil:
		o.raw("<a")
		o.attr("class", r.Claim.Class)
		o.href(r.Claim.Href)
		o.attr("data-n", strconv.Itoa(r.Claim.Number))
		if r.Repeat {
			o.attr("tabindex", "-1")
		}
		o.raw(">")
		o.words(r)
		if !r.Repeat {
			o.raw(`<span class="vh">`)
			o.text(r.Claim.Label)
			o.raw("</span>")
		}
		o.raw("</a>")
	default:
		o.words(r)
	}
}

func (o *inline) words(r *AnswerRun) {
	switch {
	case r.Bold:
		o.raw("<b>")
		o.text(r.Text)
		o.raw("</b>")
	case r.Code:
		o.raw("<code>")
		o.text(r.Text)
		o.raw("</code>")
	default:
		o.text(r.Text)
	}
}

// cite is an anchor: a small number that leads to its passage, or a visible break.
func (o *inline) cite(c *AnswerCite) {
	if c.Broken {
		o.raw(`<sup class="cite cite-broken"><bdi`)
		o.attr("title", c.Title)
		o.raw(">")
		o.text(c.Label)
		o.raw(`<span class="vh"> `)
		o.text(c.Title)
		o.raw("</span></bdi></sup>")
		return
	}
	o.raw(`<sup class="cite"><a`)
	o.href(c.Href)
	o.attr("aria-label", c.Title)
	o.raw("><bdi>")
	o.text(c.Label)
	o.raw("</bdi></a></sup>")
}
