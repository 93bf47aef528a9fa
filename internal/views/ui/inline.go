package ui

import (
	"context"
	"io"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"sanad/internal/domain/text"
)

// Quotations and answers are written here and not in templ: templ puts white space between nodes, and no character of
// a quotation may be altered ("the quote is in the source"). So are the rows of a ledger, of which a page has fifty:
// written here they take no memory of their own. All text is escaped.

// Inline writes HTML with escaped text.
type Inline struct {
	w      io.Writer
	err    error
	rtl    bool     // the direction of the text around, see Flow
	digits [20]byte // see Int
}

// inlined is a component that is written through an Inline.
type inlined func(o *Inline)

var inlines = sync.Pool{New: func() any { return new(Inline) }}

// Render writes the component.
func (draw inlined) Render(_ context.Context, w io.Writer) error {
	o := inlines.Get().(*Inline)
	defer inlines.Put(o)
	*o = Inline{w: w}
	draw(o)
	o.w = nil
	return o.err
}

// InlineText is the component that draw writes.
func InlineText(draw func(o *Inline)) templ.Component { return inlined(draw) }

// Raw writes HTML verbatim.
func (o *Inline) Raw(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s)
	}
}

// Text writes words, escaped as templ escapes them.
func (o *Inline) Text(s string) {
	done := 0
	for i := range len(s) {
		if e := escaped(s[i]); e != "" {
			o.Raw(s[done:i])
			o.Raw(e)
			done = i + 1
		}
	}
	o.Raw(s[done:])
}

// escaped returns how a byte is written in text and in attributes, "" for as it is.
func escaped(b byte) string {
	switch b {
	case '&':
		return "&amp;"
	case '\'':
		return "&#39;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	}
	return ""
}

// Int writes a whole number as programs read it.
func (o *Inline) Int(n int) {
	if o.err == nil {
		_, o.err = o.w.Write(strconv.AppendInt(o.digits[:0], int64(n), 10))
	}
}

// Decimal writes a figure with two places as the reader does.
func (o *Inline) Decimal(c *Chrome, v float64) {
	if c.Digits == "arab" {
		o.Raw(c.Decimal(v))
		return
	}
	if o.err == nil {
		_, o.err = o.w.Write(strconv.AppendFloat(o.digits[:0], v, 'f', 2, 64))
	}
}

// Num writes a whole number as the reader does.
func (o *Inline) Num(c *Chrome, n int) {
	if c.Digits == "arab" || n > 999 || n < 0 {
		o.Raw(c.Num(n))
		return
	}
	o.Int(n)
}

// In says which direction the text around has.
func (o *Inline) In(dir string) { o.rtl = dir == "rtl" }

// Flow writes running words, escaped, with the runs of the other direction isolated (rule WEB-14).
func (o *Inline) Flow(s string) {
	if !o.rtl && !text.HasRightToLeft(s) {
		o.Text(s)
		return
	}
	for _, r := range text.Runs(s, o.rtl) {
		if !r.Foreign {
			o.Text(r.Text)
			continue
		}
		if o.rtl {
			o.Raw(`<bdi dir="ltr">`)
		} else {
			o.Raw(`<bdi dir="rtl">`)
		}
		o.Text(r.Text)
		o.Raw("</bdi>")
	}
}

// FlowingText is running words in a block that has a direction.
func FlowingText(s, dir string) templ.Component {
	return InlineText(func(o *Inline) {
		o.In(dir)
		o.Flow(s)
	})
}

// piece writes a piece of a sentence about an event.
func (o *Inline) piece(p Piece) {
	if p.Kind == "" {
		o.Text(p.Text)
		return
	}
	end := ""
	if p.Href != "" {
		o.Raw("<a")
		o.Href(p.Href)
		o.Raw(">")
		end = "</a>"
	}
	o.Raw(pieceTags[p.Kind][0])
	o.Attr("dir", Dir(p.Text))
	o.Raw(">")
	o.Text(p.Text)
	o.Raw(pieceTags[p.Kind][1] + end)
}

// pieceTags are the elements of the kinds of Piece; each is given its direction.
var pieceTags = map[string][2]string{"who": {"<b><bdi", "</bdi></b>"}, "name": {"<bdi", "</bdi>"},
	"quote": {`<span class="trail-quote"><bdi`, "</bdi></span>"}, "value": {"<b><bdi", "</bdi></b>"},
	"id": {`<bdi class="mono"`, "</bdi>"}}

// Attr writes one attribute; value is escaped.
func (o *Inline) Attr(name, value string) {
	o.Raw(" ")
	o.Raw(name)
	o.Raw(`="`)
	o.Text(value)
	o.Raw(`"`)
}

// Href writes a link's address as templ.URL allows it.
func (o *Inline) Href(address string) { o.Attr("href", string(templ.URL(address))) }

// Icon stands before a word that it is the sign of, a verdict's or a severity's.
func (o *Inline) Icon(key, icon string) {
	o.Raw(`<span class="ic ic-`)
	o.Text(key)
	o.Raw(`" aria-hidden="true">`)
	o.Text(icon)
	o.Raw("</span>")
}

// IconBefore writes an icon and the space between it and its word.
func (o *Inline) IconBefore(kind, icon string) {
	o.Icon(kind, icon)
	o.Raw(" ")
}

// Badge writes a verdict: icon and word.
func (o *Inline) Badge(b *Badge) {
	o.Raw(`<span class="`)
	o.Text(b.Class)
	o.Raw(`">`)
	o.Icon(b.Key, b.Icon)
	o.Text(b.Word)
	o.Raw("</span>")
}

// Verdict writes a verdict with its confidence.
func (o *Inline) Verdict(c *Chrome, b *Badge) {
	o.Raw(`<span class="verdict-of">`)
	o.Badge(b)
	if b.Percent != "" {
		o.Raw(`<span class="pct`)
		if b.Says {
			o.Raw(" says")
		}
		o.Raw(`" title="`)
		o.Text(whose(c, b))
		o.Raw(`">`)
		o.Text(b.Percent)
		o.Raw("</span>")
	}
	o.Raw("</span>")
}

// Hbar writes one figure from 0 to 1 as a small bar.
func (o *Inline) Hbar(value float64) {
	o.Raw(`<svg class="hbar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">`)
	o.Raw(`<rect class="f-track" width="100" height="6"></rect> <rect class="f-accent" width="`)
	o.Int(Hundredths(value))
	o.Raw(`" height="6"></rect></svg>`)
}

// answerRuns is the text of one block of the answer with its claims and citations.
func answerRuns(b AnswerBlock) templ.Component {
	return InlineText(func(o *Inline) {
		o.In(b.Dir)
		for i := range b.Runs {
			o.run(&b.Runs[i])
		}
	})
}

func (o *Inline) run(r *AnswerRun) {
	switch {
	case r.Cite != nil:
		o.cite(r.Cite)
	case r.Claim != nil:
		o.Raw("<a")
		o.Attr("class", r.Claim.Kind.Class)
		o.Raw(` href="`)
		o.Text(r.Claim.Kind.Path)
		o.Raw("?claim=")
		o.Int(r.Claim.Number)
		o.Raw("#claim-")
		o.Int(r.Claim.Number)
		o.Raw(`" data-n="`)
		o.Int(r.Claim.Number)
		o.Raw(`"`)
		if r.Repeat {
			o.Attr("tabindex", "-1")
		}
		o.Raw(">")
		o.words(r)
		if !r.Repeat {
			o.Raw(`<span class="vh">`)
			o.Text(r.Claim.Kind.Label.Before)
			o.Num(r.Claim.Kind.Reader, r.Claim.Number)
			o.Text(r.Claim.Kind.Label.After)
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
		o.Flow(r.Text)
		o.Raw("</b>")
	case r.Code:
		o.Raw(`<code dir="ltr">`)
		o.Text(r.Text)
		o.Raw("</code>")
	default:
		o.Flow(r.Text)
	}
}

// cite writes a citation anchor: a small number that links to its passage, or a visible sign that it does not resolve.
func (o *Inline) cite(c *AnswerCite) {
	if c.Broken {
		o.Raw(`<sup class="cite cite-broken"><bdi`)
		o.Attr("title", c.Title)
		o.Raw(">")
		o.Text(c.Label)
		o.Raw(`<span class="vh"> `)
		o.Text(c.Title)
		o.Raw("</span></bdi></sup>")
		return
	}
	o.Raw(`<sup class="cite"><a`)
	o.Href(c.Href)
	o.Attr("aria-label", c.Title)
	o.Raw("><bdi>")
	o.Text(c.Label)
	o.Raw("</bdi></a></sup>")
}
