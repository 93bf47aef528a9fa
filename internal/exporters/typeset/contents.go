package typeset

import "strconv"

// A section's contents. Its lines are placed with the blocks; their page numbers are added when all pages are laid out.

// listed is a line of the contents that waits for its number.
type listed struct {
	elem    int32
	title   string
	chapter int // number of the heading in its section, from 0; nextPart for the section's own beginning
	section int
	page    int
	y       float64 // of the line that gets the number
	below   float64 // how far that is below the title's first line
}

// numberWidth is the width kept for a page number.
const numberWidth = 34.0

// nextPart stands for the beginning of a section instead of one of its headings.
const nextPart = -1

// contents places the contents of the present section.
func (f *flow) contents(c Contents) {
	titles := f.titles()
	if f.plan.bare || len(titles) == 0 {
		return
	}
	f.text(f.box(Text(c.Title), headingStyles[1], bodyWidth, f.rtl), marginX, headingSpace[0], true, f.side(),
		f.element("H2", ""), nil)
	toc := f.tree.add("TOC", f.parent)
	next := c.Next != "" && f.section+1 < len(f.doc.Sections)
	if next {
		titles = append(titles, Heading{Text: c.Next})
	}
	for i, h := range titles {
		elem := f.tree.add("TOCI", toc)
		of, chapter := f.section, i
		if next && i+1 == len(titles) {
			of, chapter = f.section+1, nextPart
		}
		f.tree.elements[elem].lang = h.Lang
		b := f.box(Text(h.Text), bodyStyle, bodyWidth-numberWidth, h.Dir.rtl(h.Lang, f.rtl))
		x := marginX
		if f.rtl {
			x += numberWidth
		}
		f.listed = append(f.listed, listed{elem: elem, title: h.Text, chapter: chapter, section: of,
			below: b.height() - b.leading})
		ops := b.ops(nil, 0, len(b.lines), x, 0, f.side(), elem)
		f.place(slab{before: 1.5, height: b.height(), keep: i+1 < len(titles), ops: append(ops, f.leader(b))})
	}
	f.place(slab{height: 4})
}

// titles returns the headings of level 1 of the present section.
func (f *flow) titles() []Heading {
	var out []Heading
	for _, b := range f.doc.Sections[f.section].Blocks {
		if h, ok := b.(Heading); ok && h.Level <= 1 && h.Text != "" {
			out = append(out, h)
		}
	}
	return out
}

// leader returns the dots between a title and its number.
func (f *flow) leader(b *box) op {
	const gap = 5.0
	width := 0.0
	if n := len(b.lines); n > 0 {
		width = b.points(b.lines[n-1].width)
	}
	length := max(bodyWidth-numberWidth-width-gap, 0)
	x := marginX + width + gap
	if f.rtl {
		x = marginX + numberWidth
	}
	baseline := b.height() - b.leading/2 + b.style.size*0.33
	return op{kind: opRule, under: DottedLine, color: edge, elem: artifact, x: float32(x), y: float32(baseline),
		w: float32(length), size: 0.6}
}

// settleEntry notes where a line of the contents was placed.
func (f *flow) settleEntry(elem int32) {
	for i := range f.listed {
		if l := &f.listed[i]; l.elem == elem {
			l.page, l.y = len(f.pages)-1, f.y+l.below
		}
	}
}

// numberContents adds the page numbers to the contents.
func (f *flow) numberContents() {
	for i := range f.listed {
		l := &f.listed[i]
		on, s := f.starts[l.section], &f.doc.Sections[l.section]
		if l.chapter == nextPart {
			s = &f.doc.Sections[l.section-1] // whose line it is
		} else if chapters := f.chapters[l.section]; l.chapter < len(chapters) {
			on = f.marks[chapters[l.chapter]].page
		} else {
			continue
		}
		number := strconv.Itoa(on + 1)
		f.rtl = s.Dir.rtl(s.Lang, false)
		b := f.box(Text(number), bodyStyle, numberWidth, f.rtl)
		x, to := marginX+bodyWidth-numberWidth, alignRight
		if f.rtl {
			x, to = marginX, alignLeft
		}
		f.tree.say(l.elem, l.title+" "+number)
		p := f.pages[l.page]
		p.content = append(p.content, f.render(l.page, b.ops(nil, 0, 1, x, l.y, to, l.elem))...)
	}
}
