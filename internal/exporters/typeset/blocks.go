package typeset

import "strconv"

// block lays out one block.
func (f *flow) block(b Block) {
	switch b := b.(type) {
	case Cover:
		f.cover(b)
	case Letter:
		f.letter()
	case Heading:
		f.heading(b)
	case Paragraph:
		f.paragraph(b)
	case List:
		f.list(b)
	case Quote:
		f.quote(b)
	case KeyValues:
		f.keyValues(b)
	case Table:
		f.table(b)
	case Badge:
		f.badgeRow(b)
	case Contents:
		f.contents(b)
	case Rule:
		f.place(slab{before: 10, height: 10, ops: []op{f.rule(0, line1)}})
	case PageBreak:
		f.flush()
		if !f.fresh() { // the page is made by what follows, if anything does
			f.endStretch()
			f.beginStretch()
			f.y = bodyBottom
		}
	}
}

// rule returns a hairline across the whole measure.
func (f *flow) rule(y float32, color Color) op {
	return op{kind: opRule, color: color, elem: artifact, x: marginX, y: y, w: bodyWidth, size: hairline}
}

// text places a box line by line. The first two lines of a paragraph stay together, and so do the last two (no widows,
// no orphans). keep holds the last line to what follows.
func (f *flow) text(b *box, x, before float64, keep bool, to align, elem int32, bar *Color) {
	f.tree.say(elem, plainText(b.spans))
	n := len(b.lines)
	for i := range b.lines {
		s := slab{height: b.leading, keep: i+1 < n && (i == 0 || i == n-2) || keep && i == n-1}
		if i == 0 {
			s.before = before
		}
		if bar != nil {
			s.ops = append(s.ops, f.bar(b.leading, *bar))
		}
		s.ops = b.ops(s.ops, i, i+1, x, 0, to, elem)
		f.place(s)
	}
}

// side returns the side on which the section's lines begin, whatever their own direction.
func (f *flow) side() align {
	if f.rtl {
		return alignRight
	}
	return alignLeft
}

// sideOf returns the side on which a block's lines begin: that of their own direction, or the section's.
func (f *flow) sideOf(own bool) align {
	if own {
		return alignStart
	}
	return f.side()
}

// element adds an element to the current part, with a language if it has its own.
func (f *flow) element(role, lang string) int32 {
	elem := f.tree.add(role, f.parent)
	f.tree.elements[elem].lang = lang
	return elem
}

// bar returns the thin bar beside a quotation, on the side where reading starts.
func (f *flow) bar(height float64, color Color) op {
	x := marginX
	if f.rtl {
		x += bodyWidth - 2
	}
	return op{kind: opFill, color: color, elem: artifact, x: float32(x), w: 2, h: float32(height)}
}

func (f *flow) cover(c Cover) {
	if c.Kicker != "" {
		f.text(f.box(Text(c.Kicker), kickerStyle, bodyWidth, f.rtl), marginX, 0, true, f.side(),
			f.tree.add("P", f.parent), nil)
	}
	title := f.box(Text(c.Title), titleStyle, bodyWidth, c.TitleDir.rtl(c.TitleLang, f.rtl))
	f.text(title, marginX, 6, true, f.side(), f.element("H1", c.TitleLang), nil)
	if c.Subtitle != "" {
		f.text(f.box(Text(c.Subtitle), subtitleStyle, bodyWidth, f.rtl), marginX, 6, true, f.side(),
			f.tree.add("P", f.parent), nil)
	}
	const width = 48
	accentRule := op{kind: opFill, color: accent, elem: artifact, x: marginX, y: 0, w: width, h: 2.5}
	if f.rtl {
		accentRule.x = marginX + bodyWidth - width
	}
	f.place(slab{before: 8, height: 6, keep: c.Badge != nil, ops: []op{accentRule}})
	if c.Badge != nil {
		f.badgeRow(*c.Badge)
	}
	if len(c.Facts) > 0 {
		f.keyValues(KeyValues{Items: c.Facts})
	}
}

// heading places a heading. It waits for what follows, so its bookmark gets its page only when the heading is placed.
func (f *flow) heading(h Heading) {
	level := min(max(h.Level, 1), 3)
	elem := f.element("H"+strconv.Itoa(level), h.Lang)
	before := len(f.marks)
	f.bookmark(h.Text, level)
	b := f.box(Text(h.Text), headingStyles[level-1], bodyWidth, h.Dir.rtl(h.Lang, f.rtl))
	if before < len(f.marks) && len(b.lines) > 0 {
		f.headings[elem] = before
	}
	if level == 1 && before < len(f.marks) {
		f.chapters[f.section] = append(f.chapters[f.section], before)
	}
	space := headingSpace[level-1]
	f.text(b, marginX, space, true, f.sideOf(h.Own), elem, nil)
	f.place(slab{height: 2, keep: true})
}

func (f *flow) paragraph(p Paragraph) {
	style := bodyStyle
	if p.Soft {
		style = softStyle
	}
	f.text(f.box(p.Spans, style, bodyWidth, p.Dir.rtl(p.Lang, f.rtl)), marginX, 5, p.Keep, f.sideOf(p.Own),
		f.element("P", p.Lang), nil)
}

func (f *flow) list(l List) {
	const indent = 18.0
	list := f.tree.add("L", f.parent)
	for i, item := range l.Items {
		li := f.tree.add("LI", list)
		label := "•"
		if l.Numbered {
			label = strconv.Itoa(i+1) + "."
		}
		lead := f.box(Text(label), bodyStyle, indent, f.rtl)
		b := f.box(item, bodyStyle, bodyWidth-indent, f.rtl)
		x, labelX := marginX+indent, marginX
		if f.rtl {
			x, labelX = marginX, marginX+bodyWidth-indent
		}
		labelElem, body := f.tree.add("Lbl", li), f.tree.add("LBody", li)
		f.tree.say(body, plainText(item))
		n := len(b.lines)
		for j := range b.lines {
			keep := j == 0 || j == n-2
			if j == n-1 {
				keep = i == len(l.Items)-2 // the last item isn't left alone on a page
			}
			s := slab{height: b.leading, keep: keep}
			if j == 0 {
				s.before = 2.5
				s.ops = lead.ops(s.ops, 0, 1, labelX, 0, alignStart, labelElem)
			}
			s.ops = b.ops(s.ops, j, j+1, x, 0, alignStart, body)
			f.place(s)
		}
	}
}

func (f *flow) quote(q Quote) {
	const indent = 14.0
	rtl := q.Dir.rtl(q.Lang, f.rtl)
	elem := f.tree.add("BlockQuote", f.parent)
	f.tree.elements[elem].lang = q.Lang
	x := marginX + indent
	if f.rtl {
		x = marginX
	}
	bar := accent
	text := f.box(q.Spans, quoteStyle, bodyWidth-indent, rtl)
	f.text(text, x, 8, len(q.Source) > 0, alignStart, f.tree.add("P", elem), &bar)
	if len(q.Source) > 0 {
		f.text(f.box(q.Source, softStyle, bodyWidth-indent, f.rtl), x, 0, false, alignStart, f.tree.add("P", elem),
			&bar)
	}
}

func (f *flow) badgeRow(b Badge) {
	x := marginX
	if f.rtl {
		x += bodyWidth
	}
	elem := f.tree.add("P", f.parent)
	f.tree.say(elem, b.Word)
	f.place(slab{before: 6, height: badgeHeight, ops: f.badge(nil, &b, x, 0, bodyWidth, f.rtl, elem)})
}
