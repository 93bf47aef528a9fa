package typeset

import "slices"

// Footnotes: what marks in the text stand for, at the foot of each page that has the mark. A page's body ends above
// them. A note that was set on an earlier page is an artifact when it is set again.

const (
	notesGap  = 11.0 // between a page's body and its notes
	notesRule = 72.0 // length of the line above them
	mostNotes = (bodyBottom - bodyTop) / 3
)

// noteKey identifies a footnote of a section.
type noteKey struct {
	section int
	note    *Note
}

// footnote is a note after layout.
type footnote struct {
	box    *box
	parent int32 // the section's element
	elem   int32 // 0 until the note is set for the first time
	rtl    bool
}

// footnotes are a document's footnotes, numbered from 1.
type footnotes struct {
	known   map[noteKey]int32
	all     []footnote
	present []int32 // those on the present page, in order
}

// noted returns the numbers of the spans' footnotes; nil if none has one.
func (f *flow) noted(spans []Span) []int32 {
	var out []int32
	for i := range spans {
		if spans[i].Note == nil {
			continue
		}
		if out == nil {
			out = make([]int32, len(spans))
		}
		out[i] = f.footnote(&spans[i])
	}
	return out
}

func (f *flow) footnote(s *Span) int32 {
	key := noteKey{section: f.section, note: s.Note}
	if n, ok := f.known[key]; ok {
		return n
	}
	spans := append([]Span{{Text: s.Text, Isolate: true, Color: s.Color, Bold: s.Bold}, {Text: "  "}}, s.Note.Spans...)
	f.all = append(f.all, footnote{box: f.newBox(spans, noteStyle, bodyWidth, f.rtl), parent: f.parent, rtl: f.rtl})
	n := int32(len(f.all))
	f.known[key] = n
	return n
}

// note returns the number of a span's footnote, 0 if it has none.
func (b *box) note(span int32) int32 {
	if b.notes == nil {
		return 0
	}
	return b.notes[span]
}

// notesHeight returns the height of the notes that ops refer to.
func (f *flow) notesHeight(ops []op) float64 { return f.high(noteNumbers(nil, ops), nil) }

// notesOfCells returns the height of all notes that a row refers to.
func (f *flow) notesOfCells(cells []laid) float64 {
	var all []int32
	for i := range cells {
		all = append(all, cells[i].box.notes...)
	}
	return f.high(all, nil)
}

// newNotes returns the height of the notes that slabs would add to the present page.
func (f *flow) newNotes(slabs []slab) float64 {
	var all []int32
	for i := range slabs {
		all = noteNumbers(all, slabs[i].ops)
	}
	return f.high(all, f.present)
}

// notesOn returns the height of the present page's notes.
func (f *flow) notesOn() float64 { return f.high(f.present, nil) }

// high returns the height of notes, each once, without those in without; with the space above them unless that has some.
func (f *flow) high(numbers, without []int32) float64 {
	total := 0.0
	for i, n := range numbers {
		if n > 0 && !slices.Contains(numbers[:i], n) && !slices.Contains(without, n) {
			total += f.all[n-1].box.height()
		}
	}
	if total > 0 && len(without) == 0 {
		total += notesGap
	}
	return total
}

func noteNumbers(out []int32, ops []op) []int32 {
	for i := range ops {
		if n := ops[i].note; n > 0 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// presentNotes adds the notes that ops refer to to the present page.
func (f *flow) presentNotes(ops []op) { f.present = noteNumbers(f.present, ops) }

// setNotes appends the present page's notes to its display list.
func (f *flow) setNotes(ops []op) []op {
	if len(f.present) == 0 {
		return ops
	}
	y := bodyBottom - f.notesOn() + notesGap
	rule := op{kind: opRule, color: edge, elem: artifact, x: marginX, y: float32(y - 4), w: notesRule, size: hairline}
	if f.all[f.present[0]-1].rtl {
		rule.x = marginX + bodyWidth - notesRule
	}
	ops = append(ops, rule)
	for _, number := range f.present {
		n := &f.all[number-1]
		elem := artifact
		if n.elem == 0 {
			n.elem = f.tree.add("Note", n.parent)
			f.tree.say(n.elem, plainText(n.box.spans))
			elem = n.elem
		}
		to := alignLeft
		if n.rtl {
			to = alignRight
		}
		ops = n.box.ops(ops, 0, len(n.box.lines), marginX, y, to, elem)
		y += n.box.height()
	}
	f.present = f.present[:0]
	return ops
}
