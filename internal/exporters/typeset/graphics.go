package typeset

import (
	"fmt"
	"slices"
)

// Everything on a page that isn't text: backgrounds, rules, icons and forms. It is decoration, so it is one artifact,
// drawn in layers of one style each; drawn one by one, badges would be half of a long ledger's bytes.

// layer is a style; the ops of a layer are drawn together, and layers in their order.
type layer struct {
	shape shape
	color Color
	width int // of lines, in hundredths of a point
	under Underline
}

type shape uint8

const (
	shapeRect shape = iota
	shapeRound
	shapeRule
	shapeStroke // icons
	shapeDisc   // the rim of an open badge's icon
	shapeHole   // the inside of that icon
)

// roundness is the radius of a badge's corners.
const roundness = 2.5

// iconLine is the width of an icon's lines.
const iconLine = 120

// on reports whether an op is drawn in a layer.
func (o *op) on(l layer) bool {
	under, over := o.layers()
	return under == l || over == l
}

// layers returns the layers in which an op is drawn: the second over the first, or the same one twice if it
// needs one only.
func (o *op) layers() (under, over layer) {
	under = o.layer()
	if over = under; under.shape == shapeDisc {
		_, ground := o.icon.colors()
		over = layer{shape: shapeHole, color: ground, width: hundredths(0.84*o.w - 1.2)}
	}
	return under, over
}

func (o *op) layer() layer {
	switch o.kind {
	case opFill:
		if o.h > 4 && o.h <= badgeHeight && o.w > 6 {
			return layer{shape: shapeRound, color: o.color, width: 100 * 2 * roundness}
		}
		return layer{shape: shapeRect, color: o.color}
	case opRule:
		return layer{shape: shapeRule, color: o.color, width: hundredths(o.size), under: o.under}
	case opIcon:
		if o.icon == Open {
			return layer{shape: shapeDisc, color: o.color, width: hundredths(0.84*o.w + 1.2)}
		}
		return layer{shape: shapeStroke, color: o.color, width: iconLine}
	}
	return layer{}
}

// graphics draws everything that isn't text.
func (p *pen) graphics(ops []op) {
	var found []layer
	for i := range ops {
		if ops[i].kind == opText || ops[i].kind == opForm {
			continue
		}
		under, over := ops[i].layers()
		for _, l := range [2]layer{under, over} {
			if !slices.Contains(found, l) {
				found = append(found, l)
			}
		}
	}
	forms := slices.ContainsFunc(ops, func(o op) bool { return o.kind == opForm })
	if len(found) == 0 && !forms {
		return
	}
	slices.SortStableFunc(found, func(a, b layer) int { return int(a.shape) - int(b.shape) })
	if p.page >= 0 {
		p.mark(artifact)
	}
	for _, l := range found {
		p.layer(l, ops)
	}
	for i := range ops {
		if ops[i].kind == opForm {
			p.form(&ops[i])
		}
	}
	p.unmark()
}

// form shows a form, moved by its op's place.
func (p *pen) form(o *op) {
	if o.x == 0 && o.y == 0 {
		p.out = fmt.Appendf(p.out, "/X%d Do\n", o.form)
		return
	}
	p.out = append(p.out, "q 1 0 0 1 "...)
	p.number(tenths(o.x), 10, ' ')
	p.number(-tenths(o.y), 10, ' ')
	p.out = fmt.Appendf(p.out, "cm/X%d Do Q\n", o.form)
}

// layer draws all ops of a layer as one path.
func (p *pen) layer(l layer, ops []op) {
	paint := "S\n"
	switch l.shape {
	case shapeRect:
		p.setFill(l.color)
		paint = "f\n"
	case shapeRound: // a smaller rectangle with a thick edge of the same colour and round joins
		p.setFill(l.color)
		p.setStroke(l.color, l.width)
		p.out = append(p.out, "1 j\n"...)
		paint = "B\n"
	case shapeRule:
		p.setStroke(l.color, l.width)
		if dash := dashes[l.under]; dash != "" {
			p.out = append(p.out, dash...)
			paint = "S[]0 d 0 J\n"
		}
	case shapeStroke, shapeDisc, shapeHole:
		p.setStroke(l.color, l.width)
		p.out = append(p.out, "1 J 1 j\n"...)
	}
	for i := range ops {
		o := &ops[i]
		if o.kind == opText || o.kind == opForm || !o.on(l) {
			continue
		}
		p.shape(l.shape, o)
	}
	p.out = append(p.out, paint...)
}

// dashes are the operators that begin the underlines that aren't one whole line.
var dashes = map[Underline]string{DashedLine: "[4 2]0 d\n", DottedLine: "1 J[0 2.2]0 d\n"}

func (p *pen) shape(s shape, o *op) {
	switch s {
	case shapeRect:
		p.rect(o.x, o.y, o.w, o.h)
	case shapeRound:
		p.rect(o.x+roundness, o.y+roundness, o.w-2*roundness, o.h-2*roundness)
	case shapeRule:
		p.point(o.x, o.y, 'm')
		p.point(o.x+o.w, o.y, 'l')
	case shapeStroke:
		p.icon(o)
	case shapeDisc, shapeHole:
		p.point(o.x+0.5*o.w, o.y+0.5*o.w, 'm')
		p.point(o.x+0.5*o.w, o.y+0.5*o.w, 'l')
	}
}

func (p *pen) rect(x, y, w, h float32) {
	p.number(tenths(x), 10, ' ')
	p.number(tenths(pageHeight-y-h), 10, ' ')
	p.number(tenths(w), 10, ' ')
	p.number(tenths(h), 10, ' ')
	p.out = append(p.out, "re\n"...)
}

// point writes a point of a path and its operator, if it isn't 0.
func (p *pen) point(x, y float32, operator byte) {
	p.number(tenths(x), 10, ' ')
	p.number(tenths(pageHeight-y), 10, ' ')
	if operator != 0 {
		p.out = append(p.out, operator, '\n')
	}
}

// icon writes a badge's icon as a path in its square.
func (p *pen) icon(o *op) {
	at := func(x, y float32, operator byte) { p.point(o.x+x*o.w, o.y+y*o.w, operator) }
	switch o.icon {
	case Good:
		at(0.05, 0.55, 'm')
		at(0.36, 0.86, 'l')
		at(0.95, 0.16, 'l')
	case Unsure:
		at(0.22, 0.24, 'm')
		at(0.3, -0.08, 0)
		at(0.8, -0.04, 0)
		at(0.78, 0.28, 'c')
		at(0.76, 0.5, 0)
		at(0.5, 0.45, 0)
		at(0.5, 0.68, 'c')
		at(0.5, 0.96, 'm')
		at(0.5, 0.965, 'l')
	default:
		at(0.12, 0.12, 'm')
		at(0.88, 0.88, 'l')
		at(0.88, 0.12, 'm')
		at(0.12, 0.88, 'l')
	}
}
