package typeset

import (
	"fmt"
	"math"
	"strings"
)

// The largest sizes of a logo, in points.
const (
	logoWidth, logoHeight   = 170.0, 44.0
	smallWidth, smallHeight = 64.0, 15.0
	smallTop                = 9.0
)

// fitted returns the size of a picture that fits a box.
func fitted(p *Picture, width, height float64) (float64, float64) {
	k := math.Min(width/p.Width, height/p.Height)
	return k * p.Width, k * p.Height
}

// logoForm makes the form of a picture at the page's upper left corner, and returns its number and size.
func (f *flow) logoForm(p *Picture, maxWidth, maxHeight float64) (form int32, width, height float64) {
	width, height = fitted(p, maxWidth, maxHeight)
	if p.RGB != nil {
		f.picture = p
		f.forms = append(f.forms, fmt.Appendf(nil, "q %.2f 0 0 %.2f 0 %.2f cm/I0 Do Q\n", width, height,
			pageHeight-height))
		return int32(len(f.forms) - 1), width, height
	}
	k := width / p.Width
	out := []byte("q\n")
	for i := range p.Shapes {
		out = drawShape(out, &p.Shapes[i], k)
	}
	f.forms = append(f.forms, append(out, "Q\n"...))
	return int32(len(f.forms) - 1), width, height
}

// drawShape writes a shape as a filled path.
func drawShape(out []byte, s *Shape, k float64) []byte {
	out = fmt.Appendf(out, "%.3f %.3f %.3f rg\n", float64(s.Fill>>16&255)/255, float64(s.Fill>>8&255)/255,
		float64(s.Fill&255)/255)
	for _, step := range s.Steps {
		points := map[byte]int{'m': 1, 'l': 1, 'c': 3}[step.Op]
		for _, at := range step.At[:points] {
			out = fmt.Appendf(out, "%.2f %.2f ", k*at[0], pageHeight-k*at[1])
		}
		out = append(out, step.Op, '\n')
	}
	if s.EvenOdd {
		return append(out, "f*\n"...)
	}
	return append(out, "f\n"...)
}

// letter places the letterhead: the logo where reading starts, name and address beside it.
func (f *flow) letter() {
	l := f.doc.Letterhead
	if l == nil {
		return
	}
	var ops []op
	x, width, height := marginX, bodyWidth, 0.0
	if l.Logo != nil {
		form, w, h := f.logoForm(l.Logo, logoWidth, logoHeight)
		at := marginX
		if f.rtl {
			at += bodyWidth - w
		}
		ops, height = append(ops, op{kind: opForm, elem: artifact, form: form, x: float32(at)}), h
		if width -= w + 14; !f.rtl {
			x += w + 14
		}
	}
	y := 0.0
	add := func(text string, style textStyle) {
		b := f.box(Text(text), style, width, f.rtl)
		elem := f.tree.add("P", f.parent)
		f.tree.say(elem, plainText(b.spans))
		ops = b.ops(ops, 0, len(b.lines), x, y, f.side(), elem)
		y += float64(len(b.lines)) * b.leading
	}
	if l.Name != "" {
		add(l.Name, headingStyles[1])
	}
	for line := range strings.SplitSeq(l.Address, "\n") {
		if line != "" {
			add(line, softStyle)
		}
	}
	f.place(slab{height: math.Max(height, y), ops: ops})
	f.place(slab{before: 8, height: 12, ops: []op{f.rule(0, line1)}})
}

// smallLogo returns the form of the logo in the header of a section's later pages, -1 for none.
func (f *flow) smallLogo() (form int32, width float64) {
	if f.doc.Letterhead == nil || f.doc.Letterhead.Logo == nil {
		return -1, 0
	}
	form, width, _ = f.logoForm(f.doc.Letterhead.Logo, smallWidth, smallHeight)
	return form, width
}
