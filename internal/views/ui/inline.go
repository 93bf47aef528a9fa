package ui

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
)

// Quotations and answers are written here and not in templ: templ puts white space between nodes, and no character of
// a quotation may be altered ("the quote is in the source"). All text is escaped.

// Inline writes HTML with escaped text.
type Inline struct {
	w   io.Writer
	err error
}

// InlineText is the component that draw writes.
func InlineText(draw func(o *Inline)) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		o := &Inline{w: w}
		draw(o)
		return o.err
	})
}

// Raw writes HTML verbatim.
func (o *Inline) Raw(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

// Text writes words, escaped.
func (o *Inline) Text(s string) { o.Raw(templ.EscapeString(s)) }

// attr writes one attribute; value is escaped.
func (o *Inline) attr(name, value string) {
	o.Raw(" " + name + `="`)
	o.Text(value)
	o.Raw(`"`)
}

// href writes a link's address as templ.URL allows it.
func (o *Inline) href(address string) { o.attr("href", string(templ.URL(address))) }

// answerRuns is the text of one block of the answer with its claims and citations.
func answerRuns(runs []AnswerRun) templ.Component {
	return InlineText(func(o *Inline) {
		for i := range runs {
			o.run(&runs[i])
		}
	})
}

func (o *Inline) run(r *AnswerRun) {
	switch {
	case r.Cite != nil:
		o.cite(r.Cite)
	case r.Claim != nil:
		o.Raw("<a")
		o.attr("class", r.Claim.Class)
		o.href(r.Claim.Href)
		o.attr("data-n", strconv.Itoa(r.Claim.Number))
		if r.Repeat {
			o.attr("tabindex", "-1")
		}
		o.Raw(">")
		o.words(r)
		if !r.Repeat {
			o.Raw(`<span class="vh">`)
			o.Text(r.Claim.Label)
			o.Raw("</span>")
		}
		o.Raw("</a>")
	default:
		o.words(r)
	}
}

func (o *Inline) words(r *AnswerRun) {
	switch {
	case r.Bold:
		o.Raw("<b>")
		o.Text(r.Text)
		o.Raw("</b>")
	case r.Code:
		o.Raw("<code>")
		o.Text(r.Text)
		o.Raw("</code>")
	default:
		o.Text(r.Text)
	}
}

// cite writes a citation anchor: a small number that links to its passage, or a visible sign that it does not resolve.
func (o *Inline) cite(c *AnswerCite) {
	if c.Broken {
		o.Raw(`<sup class="cite cite-broken"><bdi`)
		o.attr("title", c.Title)
		o.Raw(">")
		o.Text(c.Label)
		o.Raw(`<span class="vh"> `)
		o.Text(c.Title)
		o.Raw("</span></bdi></sup>")
		return
	}
	o.Raw(`<sup class="cite"><a`)
	o.href(c.Href)
	o.attr("aria-label", c.Title)
	o.Raw("><bdi>")
	o.Text(c.Label)
	o.Raw("</bdi></a></sup>")
}
