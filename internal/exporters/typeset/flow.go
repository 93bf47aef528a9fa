package typeset

import "slices"

// The flow lays out blocks as slabs and slabs on pages. A full page is turned into its content at once, so that only
// one page's display list is in memory; page numbers and derived fonts wait until everything is laid out (rule PDF-9).

// opKind is what an op draws.
type opKind uint8

const (
	opText opKind = iota
	opFill        // a rectangle; with rounded corners if h is small
	opRule        // a line from x to x+w
	opIcon        // a badge's icon in a square of side w
	opForm        // a form, moved to x and y
)

// op is one thing to draw. y is the baseline of text, or the upper edge of anything else.
type op struct {
	kind       opKind
	weight     weight
	icon       Kind
	under      Underline // of a rule: how it is drawn
	color      Color
	elem       int32
	form       int32
	x, y, w, h float32
	size       float32
	text       string
	note       int32 // of text: the number of its footnote, 0 if none
}

// page is one page's display list.
type page struct {
	section int
	ops     []op   // while it is being laid out
	content []byte // afterwards
}

// slab is something that can't be split over pages: a line of text, a table row. Its ops are relative to
// its upper edge.
type slab struct {
	before float64 // space above, dropped at the top of a page
	height float64
	keep   bool  // stays on one page with the next slab
	soft   bool  // keep applies only if one page has room for all that keeps together; what is left of it does
	again  *slab // the table head to repeat on each page from here on
	ops    []op
}

// mark is a bookmark.
type mark struct {
	title string
	level int
	page  int
	y     float64
}

// flow is the layout state of one document.
type flow struct {
	set     *setter
	doc     *Doc
	pages   []*page
	y       float64
	section int
	rtl     bool
	tree    tree
	parent  int32 // structure element that blocks are added to
	pending []slab
	repeat  *slab // table head to repeat on each new page
	forms   [][]byte
	picture *Picture // of pixels, that a form shows
	spare   []op     // a finished page's list, reused for the next
	buffer  []byte   // content is written here
	marks   []mark
	// headings maps a heading's element to its bookmark, whose place is known only when its page is.
	headings map[int32]int
	boxes    map[boxKey]*box
	scale    float64 // of leading and space
	stamps   map[stampKey]int32
	plan     plan
	spread   []stretch
	limit    float64 // where the pages of the present stretch end
	footnotes
	chapters map[int][]int // by section: the bookmarks of its headings of level 1
	starts   []int         // the page on which each section begins, from 0
	listed   []listed
}

// layAt lays out a document by a plan.
func layAt(d *Doc, p plan) (*flow, error) {
	set, err := newSetter()
	if err != nil {
		return nil, err
	}
	f := &flow{set: set, doc: d, plan: p, scale: p.scale, headings: map[int32]int{}, boxes: map[boxKey]*box{},
		stamps: map[stampKey]int32{}, chapters: map[int][]int{}, footnotes: footnotes{known: map[noteKey]int32{}}}
	root := f.tree.add("Document", -1)
	for i := range d.Sections {
		s := &d.Sections[i]
		f.section, f.rtl = i, s.Dir.rtl(s.Lang, false)
		f.finishPage()
		f.parent = f.tree.add("Sect", root)
		f.tree.elements[f.parent].lang = s.Lang
		f.beginStretch()
		f.newPage()
		f.starts = append(f.starts, len(f.pages)-1)
		f.bookmark(s.Title, 0)
		for _, b := range s.Blocks {
			f.block(b)
		}
		f.flush()
		f.endSection()
	}
	f.finishPage()
	if len(f.pages) == 0 {
		f.pages = append(f.pages, &page{section: -1})
	}
	f.numberContents()
	f.running()
	return f, nil
}

func (f *flow) newPage() {
	f.finishPage()
	f.pages = append(f.pages, &page{section: f.section, ops: f.spare})
	f.y = bodyTop
	f.present = f.present[:0]
	if f.repeat != nil {
		f.headAgain()
	}
}

// fresh reports whether the page is empty except for a repeated table head.
func (f *flow) fresh() bool {
	top := bodyTop
	if f.repeat != nil {
		top += f.repeat.height
	}
	return f.y <= top
}

// place puts a slab below the last one. Slabs that must stay together wait until they can be placed together.
func (f *flow) place(s slab) {
	s.before *= f.scale
	f.pending = append(f.pending, s)
	if !s.keep {
		f.flush()
	}
}

// flush places the waiting slabs: on this page if all of them fit, else on the next. If they exceed a page, they are
// split where keep is soft, else anywhere between slabs.
func (f *flow) flush() {
	for rest := f.pending; len(rest) > 0; {
		n := f.fitting(rest)
		f.together(rest[:n])
		rest = rest[n:]
	}
	f.pending = f.pending[:0]
}

// mostTogether is how high slabs that only keep softly together may be: a page is never left mostly empty before them.
const mostTogether = 0.6 * (bodyBottom - bodyTop)

// fitting returns how many of the slabs are placed on one page together.
func (f *flow) fitting(slabs []slab) int {
	total, soft := 0.0, 0
	for i, s := range slabs {
		total += s.before + s.height + f.notesHeight(s.ops)
		if total >= f.most() {
			return max(soft, 1)
		}
		if total > mostTogether && soft > 0 {
			return soft
		}
		if s.soft {
			soft = i + 1
		}
	}
	return len(slabs)
}

// most returns the maximum height of a page's slabs.
func (f *flow) most() float64 {
	if f.repeat != nil {
		return f.limit - bodyTop - f.repeat.height
	}
	return f.limit - bodyTop
}

func height(slabs []slab) float64 {
	total := 0.0
	for _, s := range slabs {
		total += s.before + s.height
	}
	return total
}

// together places slabs on one page; a slab higher than a page runs over its end.
func (f *flow) together(slabs []slab) {
	if f.y+height(slabs)+f.newNotes(slabs) > f.limit-f.notesOn() && !f.fresh() {
		if blankSlabs(slabs) { // space that nothing follows needs no page of its own
			f.y = bodyBottom
			return
		}
		f.newPage()
	}
	for _, s := range slabs {
		f.emit(s)
	}
}

// blankSlabs reports whether the slabs are space and hairlines only.
func blankSlabs(slabs []slab) bool {
	return !slices.ContainsFunc(slabs, func(s slab) bool {
		return slices.ContainsFunc(s.ops, func(o op) bool { return o.kind != opRule })
	})
}

// emit puts a slab on the page.
func (f *flow) emit(s slab) {
	if f.y > bodyTop {
		f.y += s.before
	}
	p := f.pages[len(f.pages)-1]
	f.settle(s)
	f.presentNotes(s.ops)
	for _, o := range s.ops {
		o.y += float32(f.y)
		p.ops = append(p.ops, o)
	}
	f.y += s.height
	if s.again != nil {
		f.repeat = s.again
	}
}

// settle sets the place of a heading's bookmark when the heading's first line is placed.
func (f *flow) settle(s slab) {
	if len(s.ops) == 0 || s.ops[0].elem < 0 {
		return
	}
	elem := s.ops[0].elem
	f.settleEntry(elem)
	if at, ok := f.headings[elem]; ok {
		f.marks[at].page, f.marks[at].y = len(f.pages)-1, f.y
		delete(f.headings, elem)
	}
}

// room returns the height left on the page.
func (f *flow) room() float64 { return f.limit - f.notesOn() - f.y }

// bookmark adds a bookmark to where the next slab will be placed; flow places pending slabs first.
func (f *flow) bookmark(title string, level int) {
	if title == "" {
		return
	}
	if n := len(f.marks); n == 0 {
		level = 0
	} else if level > f.marks[n-1].level+1 {
		level = f.marks[n-1].level + 1
	}
	z := sanitiser{has: func(r rune) bool { return true }}
	z.sanitise(title)
	f.marks = append(f.marks, mark{title: clean(string(z.out)), level: level, page: len(f.pages) - 1, y: f.y})
}
