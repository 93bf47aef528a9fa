package typeset

import (
	"strconv"
	"strings"
)

// running adds headers and footers to all pages once their number is known. They are artifacts.
func (f *flow) running() {
	total := strconv.Itoa(len(f.pages))
	form, behind, last := 0, -1, -1
	logo, logoWide := f.smallLogo()
	for i, p := range f.pages {
		if p.section < 0 {
			continue
		}
		s := &f.doc.Sections[p.section]
		rtl := s.Dir.rtl(s.Lang, false)
		f.rtl = rtl
		first := p.section != last
		if first { // what all pages of a section share is one form
			behind = f.watermarkForm(s, rtl)
			form, last = f.renderForm(f.runningForm(s, rtl)), p.section
		}
		number := strings.NewReplacer("{x}", strconv.Itoa(i+1), "{y}", total).Replace(s.PageOf)
		ops := append(f.spare[:0], op{kind: opForm, elem: artifact, form: int32(form)})
		if logo >= 0 && !first {
			ops = append(ops, op{kind: opForm, elem: artifact, form: logo, x: logoAt(logoWide, rtl), y: smallTop})
		}
		ops = f.runningText(ops, number, footLine-10, rtl, end)
		p.content = append(p.content, f.render(i, ops)...)
		if behind >= 0 {
			ops = append(ops[:0], op{kind: opForm, elem: artifact, form: int32(behind)})
			p.content = append(f.render(i, ops), p.content...)
		}
		f.spare = ops
	}
}

// logoAt is where the small logo begins: on the side where reading starts.
func logoAt(width float64, rtl bool) float32 {
	if rtl {
		return float32(marginX + bodyWidth - width)
	}
	return float32(marginX)
}

// runningForm returns the parts that all pages of a section have in common.
func (f *flow) runningForm(s *Section, rtl bool) []op {
	ops := []op{f.rule(headLine+8, line1), f.rule(footLine-16, line1)}
	ops = f.runningBox(ops, Span{Text: s.Head[0], Lang: s.HeadLang[0]}, bodyWidth*0.5, headLine-6, rtl, start)
	ops = f.runningText(ops, s.Classification, headLine-6, rtl, centre)
	ops = f.runningBox(ops, Span{Text: s.Head[1], Lang: s.HeadLang[1]}, bodyWidth*0.5, headLine-6, rtl, end)
	return f.runningCode(ops, s.Foot, footLine-10, rtl)
}

// watermarkForm returns the form with a section's watermark, three times on a page; -1 for none.
func (f *flow) watermarkForm(s *Section, rtl bool) int {
	if s.Watermark == "" {
		return -1
	}
	b := f.box([]Span{{Text: s.Watermark}}, watermarkText, bodyWidth, rtl)
	var ops []op
	for i := range 3 {
		y := bodyTop + (bodyBottom-bodyTop)*float64(2*i+1)/6
		ops = b.ops(ops, 0, min(1, len(b.lines)), marginX+(bodyWidth-b.first())/2, y, alignLeft, artifact)
	}
	return f.renderForm(ops)
}

// side is a place in a header or footer line.
type side uint8

const (
	start side = iota
	centre
	end
)

// maxRunning is the maximum length of a header or footer text; the rest isn't laid out at all.
const maxRunning = 160

// runningText adds a header or footer text, cut to its first line.
func (f *flow) runningText(out []op, text string, y float64, rtl bool, at side) []op {
	return f.runningBox(out, Span{Text: text}, bodyWidth*0.5, y, rtl, at)
}

// runningCode adds a digest to a footer, read from left to right.
func (f *flow) runningCode(out []op, text string, y float64, rtl bool) []op {
	return f.runningBox(out, Span{Text: text, Isolate: true}, bodyWidth*0.75, y, rtl, start)
}

func (f *flow) runningBox(out []op, span Span, width, y float64, rtl bool, at side) []op {
	if span.Text == "" {
		return out
	}
	if runes := []rune(span.Text); len(runes) > maxRunning {
		span.Text = string(runes[:maxRunning]) + "…"
	}
	b := f.box([]Span{span}, runningStyle, width, rtl)
	x := marginX
	switch {
	case at == centre:
		x += (bodyWidth - b.first()) / 2
	case (at == end) != rtl:
		x += bodyWidth - b.first()
	}
	return b.ops(out, 0, min(1, len(b.lines)), x, y, alignLeft, artifact)
}
