package typeset

import "math"

// Text boxes: lines of a given width in points, drawn as ops.

// box is a text laid out in a width.
type box struct {
	lines   []line
	spans   []Span
	style   textStyle
	rtl     bool
	leading float64
	width   float64
	notes   []int32 // by span: the number of its footnote; nil if none has one
}

// boxKey is everything that the box of one short span depends on.
type boxKey struct {
	span   Span
	style  textStyle
	width  float64
	rtl    bool
	around bool
}

// A document's labels, badges and numbers are laid out once: at most maxBoxes texts of at most maxBoxText bytes.
const maxBoxes, maxBoxText = 4096, 64

// box lays out spans; rtl is the direction of their paragraphs. Boxes are shared and must not be changed.
func (f *flow) box(spans []Span, style textStyle, width float64, rtl bool) *box {
	if len(spans) != 1 || len(spans[0].Text) > maxBoxText || spans[0].Note != nil {
		return f.newBox(spans, style, width, rtl)
	}
	key := boxKey{span: spans[0], style: style, width: width, rtl: rtl, around: f.rtl}
	b := f.boxes[key]
	if b == nil {
		b = f.newBox(spans, style, width, rtl)
		if len(f.boxes) < maxBoxes {
			f.boxes[key] = b
		}
	}
	return b
}

func (f *flow) newBox(spans []Span, style textStyle, width float64, rtl bool) *box {
	if style.bold {
		spans = embolden(spans)
	}
	b := &box{spans: spans, style: style, rtl: rtl, leading: style.leading(rtl || f.rtl, f.scale), width: width,
		notes: f.noted(spans)}
	units := int32(max(width, 1) / style.size * 1000)
	for _, src := range sources(spans, rtl, f.set.has) {
		b.lines = append(b.lines, f.set.set(&src, spans, units)...)
	}
	return b
}

func embolden(spans []Span) []Span {
	out := make([]Span, len(spans))
	for i, s := range spans {
		s.Bold = true
		out[i] = s
	}
	return out
}

func (b *box) height() float64 { return float64(len(b.lines)) * b.leading }

// points converts font units to points.
func (b *box) points(units int32) float64 { return float64(units) * b.style.size / 1000 }

// align is the side of its box on which a line begins.
type align uint8

const (
	alignStart align = iota // the side where reading starts
	alignLeft
	alignRight
)

// ops appends the lines from first to last to out, the first with its upper edge at y.
func (b *box) ops(out []op, first, last int, x, y float64, to align, elem int32) []op {
	for i := first; i < last; i++ {
		top := y + float64(i-first)*b.leading
		out = b.lineOps(out, &b.lines[i], x, top, to, elem)
	}
	return out
}

func (b *box) lineOps(out []op, l *line, x, top float64, to align, elem int32) []op {
	if to == alignRight || to == alignStart && l.rtl {
		x += b.width - b.points(l.width)
	}
	left := x
	x -= b.points(l.lead)
	baseline := top + b.leading/2 + b.style.size*0.33
	for _, g := range l.frags {
		span := &b.spans[g.span]
		w := b.points(g.width)
		color := span.Color
		if color == 0 {
			color = b.style.color
		}
		if span.Code && span.Color == 0 { // coloured code belongs to a coloured line and gets no background
			h := b.style.size * 1.25
			out = append(out, op{
				kind: opFill, color: sunken, elem: artifact, x: float32(x - 1),
				y: float32(baseline - b.style.size*0.95), w: float32(w + 2), h: float32(h),
			})
		}
		out = append(out, op{
			kind: opText, weight: g.weight, color: color, elem: elem, x: float32(x), y: float32(baseline),
			w: float32(w), size: float32(g.weight.scale(b.style.size)), text: g.codes, note: b.note(g.span),
		})
		if span.Under != NoLine { // not under the space at which the line was broken
			from, to := max(x, left), min(x+w, left+b.points(l.width))
			out = underline(out, span, color, from, baseline+b.style.size*underDrop, to-from, b.style.size)
		}
		x += w
	}
	return out
}

// How far below the baseline an underline is, and above it a line through the text, as shares of the text's size.
const (
	underDrop  = 0.24
	strikeRise = 0.27
)

// underline draws the line below a fragment; it continues the line of the fragment before it.
func underline(out []op, span *Span, color Color, x, y, w, size float64) []op {
	if span.UnderColor != 0 {
		color = span.UnderColor
	}
	rule := op{kind: opRule, color: color, elem: artifact, under: span.Under, x: float32(x), y: float32(y), w: float32(w),
		size: float32(size) * 0.075}
	switch span.Under {
	case DottedLine:
		rule.size *= 1.5
	case StrikeLine:
		rule.y -= float32(size) * (underDrop + strikeRise)
	case NoLine, SolidLine, DashedLine, DoubleLine:
	}
	out = appendRule(out, rule)
	if span.Under == DoubleLine {
		rule.y += float32(size) * 0.16
		out = appendRule(out, rule)
	}
	return out
}

// appendRule appends a rule, or lengthens the one that it continues.
func appendRule(out []op, rule op) []op {
	for i := len(out) - 1; i >= 0 && i >= len(out)-3; i-- {
		o := &out[i]
		if o.kind == opRule && o.under == rule.under && o.color == rule.color && o.y == rule.y &&
			math.Abs(float64(o.x+o.w-rule.x)) < 0.02 {
			o.w += rule.w
			return out
		}
	}
	return append(out, rule)
}

// first returns the width of the first line in points, for text that is known to have one line.
func (b *box) first() float64 {
	if len(b.lines) == 0 {
		return 0
	}
	return b.points(b.lines[0].width)
}

// badge draws a badge no wider than most, with its upper edge at y and its starting edge at x (the left edge, or the
// right one in RTL). A word that is too long is set smaller, down to half; labels are short and have one line.
func (f *flow) badge(out []op, b *Badge, x, y, most float64, rtl bool, elem int32) []op {
	kind := min(b.Kind, Plain)
	text, ground := kind.colors()
	style := badgeStyle
	style.color = text
	const pad, icon, gap = 5.0, 7.0, 4.0
	around := 2 * pad
	if kind != Plain {
		around += icon + gap
	}
	word := f.box(Text(b.Word), style, bodyWidth, rtl)
	if room := most - around; word.first() > room {
		style.size *= max(room/word.first(), 0.5)
		word = f.box(Text(b.Word), style, max(room, 10)+1, rtl)
	}
	width := word.first() + around
	left := x
	if rtl {
		left = x - width
	}
	wordX, iconX := left+width-pad-word.first(), pad
	if rtl {
		wordX, iconX = left+pad, width-pad-icon
	}
	shape := []op{{kind: opFill, color: ground, elem: artifact, w: float32(width), h: badgeHeight}}
	if kind != Plain {
		shape = append(shape, op{
			kind: opIcon, icon: kind, color: text, elem: artifact, x: float32(iconX),
			y: (badgeHeight - icon) / 2, w: icon,
		})
	}
	out = f.stamp(out, shape, left, y)
	return word.ops(out, 0, min(1, len(word.lines)), wordX, y+(badgeHeight-word.leading)/2, alignLeft, elem)
}

// stampKey identifies a stamp: the background and the icon of a badge.
type stampKey [2]op

// maxStamps bounds a document's stamps. If every badge has a word of its own, the rest are drawn in place.
const maxStamps = 64

// stamp draws a badge's ops at a place. They become a form, since a ledger has thousands of badges of a dozen kinds.
func (f *flow) stamp(out, shape []op, x, y float64) []op {
	var key stampKey
	copy(key[:], shape)
	form, known := f.stamps[key]
	if !known && len(f.stamps) == maxStamps {
		for _, o := range shape {
			o.x, o.y = o.x+float32(x), o.y+float32(y)
			out = append(out, o)
		}
		return out
	}
	if !known {
		form = int32(f.renderForm(shape))
		f.stamps[key] = form
	}
	return append(out, op{kind: opForm, elem: artifact, form: form, x: float32(x), y: float32(y)})
}

// badgeHeight is the height of a badge in points.
const badgeHeight = 13.0
