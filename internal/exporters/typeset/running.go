package typeset

import (
	"strconv"
	"strings"
)

// running sets headers and footers on all pages, once their number is known. They are artifacts.
func (f *flow) running() {
	f.lines = map[runningKey]*box{}
	total := strconv.Itoa(len(f.pages))
	for i, p := range f.pages {
		if p.section < 0 {
			continue
		}
		s := &f.doc.Sections[p.section]
		rtl := s.Dir.rtl(s.Lang, false)
		f.rtl = rtl
		number := strings.NewReplacer("{x}", strconv.Itoa(i+1), "{y}", total).Replace(s.PageOf)
		p.ops = append(p.ops, f.rule(headLine+8, line1), f.rule(footLine-16, line1))
		p.ops = f.runningText(p.ops, s.Head[0], headLine-6, rtl, start)
		p.ops = f.runningText(p.ops, s.Classification, headLine-6, rtl, centre)
		p.ops = f.runningText(p.ops, s.Head[1], headLine-6, rtl, end)
		p.ops = f.runningCode(p.ops, s.Foot, footLine-10, rtl)
		p.ops = f.runningText(p.ops, number, footLine-10, rtl, end)
	}
}

// side is a place in a running line.
type side uint8

const (
	start side = iota
	centre
	end
)

// maxRunning is how much of a text a running line can hold; the rest isn't laid out at all.
const maxRunning = 160

// runningText sets one line of a header or footer, cut to its first line.
func (f *flow) runningText(out []op, text string, y float64, rtl bool, at side) []op {
	return f.runningBox(out, Span{Text: text}, bodyWidth*0.5, y, rtl, at)
}

// runningCode sets what reads from left to right: a digest.
func (f *flow) runningCode(out []op, text string, y float64, rtl bool) []op {
	return f.runningBox(out, Span{Text: text, Isolate: true}, bodyWidth*0.75, y, rtl, start)
}

// runningKey tells laid-out running lines apart: all but the page numbers are laid out once.
type runningKey struct {
	span Span
	rtl  bool
}

func (f *flow) runningBox(out []op, span Span, width, y float64, rtl bool, at side) []op {
	if span.Text == "" {
		return out
	}
	key := runningKey{span, rtl}
	b := f.lines[key]
	if b == nil {
		if runes := []rune(span.Text); len(runes) > maxRunning {
			span.Text = string(runes[:maxRunning]) + "…"
		}
		b = f.box([]Span{span}, runningStyle, width, rtl)
		f.lines[key] = b
	}
	x := marginX
	switch {
	case at == centre:
		x += (bodyWidth - b.first()) / 2
	case (at == end) != rtl:
		x += bodyWidth - b.first()
	}
	return b.ops(out, 0, min(1, len(b.lines)), x, y, alignLeft, artifact)
}
