// Package slides reads PowerPoint presentations, slide by slide, with their notes.
package slides

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// mostSlides is how many slides a presentation may have.
const mostSlides = 5_000

// ReadSlides reads the text of a PowerPoint file (ECMA-376, part 1, 19), slide by slide in their order: the title as a
// heading, then the other texts in the order in which programs read a slide aloud, tables, charts with the values that
// the file holds, and diagrams, each with the number of its slide. The speaker's notes and comments follow their slide
// as parts of their own. What is hidden or struck out is left out and listed (rule L-38). Macros are not
// read, nothing is fetched.
func ReadSlides(data []byte, out *block.Page) error {
	parts, err := block.ArchiveParts(data)
	if err != nil {
		return err
	}
	left := int64(block.ArchiveBytes)
	s := slides{out: &out.List, left: &left, parts: parts, bases: map[string]*slideSheet{},
		themes: map[string]slideTheme{},
		said:   map[string]bool{}}
	main, err := block.RelatedParts(parts, "_rels/.rels", &left)
	if err != nil {
		return err
	}
	name := cmp.Or(main.First("officeDocument"), "ppt/presentation.xml")
	p := presentation{first: 1}
	if err := block.ReadPart(parts[name], &left, p.token); err != nil {
		return err
	}
	if p.root != "presentation" {
		return block.ErrOtherKind
	}
	if len(p.slides) > mostSlides {
		return isolated.Over(words.Msg("bound_pages", "N", len(p.slides), "Most", mostSlides))
	}
	related, err := block.RelatedOf(s.parts, name, s.left)
	if err != nil {
		return err
	}
	s.width, s.height = p.width, p.height
	for i, id := range p.slides {
		s.number = p.first + i
		if part := related.TargetOf(id); part != "" {
			if err := s.slide(part); err != nil {
				return err
			}
		}
	}
	s.putMargins()
	return s.out.Over
}

// presentation is the part that lists the slides.
type presentation struct {
	root          string
	slides        []string // ids of their relations
	width, height int
	first         int // number of the first slide
}

func (p *presentation) token(t xml.Token) error {
	e, ok := t.(xml.StartElement)
	if !ok {
		return nil
	}
	if p.root == "" {
		p.root = e.Name.Local
	}
	switch e.Name.Local {
	case "presentation":
		p.first = max(1, wordfile.Whole(cmp.Or(block.Attribute(e, "firstSlideNum"), "1")))
	case "sldId":
		if p.slides = append(p.slides, block.RelationID(e)); len(p.slides) > block.ArchiveFiles {
			return isolated.Over(words.Msg("bound_pages", "N", len(p.slides), "Most", mostSlides))
		}
	case "sldSz":
		p.width, p.height = wordfile.Whole(block.Attribute(e, "cx")), wordfile.Whole(block.Attribute(e, "cy"))
	}
	return nil
}

// slides reads the slides of a presentation.
type slides struct {
	out           *block.List
	left          *int64
	parts         map[string]*zip.File
	width, height int
	number        int // of the slide that is read
	bases         map[string]*slideSheet
	themes        map[string]slideTheme
	said          map[string]bool // what layouts and footers said on earlier slides
	margins       []slideMargin
}

// slideMargin is what stands on several slides: once, with the first one's number.
type slideMargin struct {
	kind   ledger.PartKind
	text   string
	number int
}

// sheet reads a slide, layout, master, or page of notes.
func (s *slides) sheet(name string) (*slideSheet, error) {
	related, err := block.RelatedOf(s.parts, name, s.left)
	if err != nil {
		return nil, err
	}
	r := sheetReader{sheet: &slideSheet{related: related, shown: true}, out: s.out}
	if err := block.ReadPart(s.parts[name], s.left, r.token); err != nil {
		return nil, err
	}
	return r.sheet, s.out.Over
}

// base reads the layout or master of a sheet, once for all that use it; nil if it has none.
func (s *slides) base(of *slideSheet, kind string) (*slideSheet, error) {
	if of == nil {
		return nil, nil
	}
	name := of.related.First(kind)
	if name == "" {
		return nil, nil
	}
	if b := s.bases[name]; b != nil {
		return b, nil
	}
	b, err := s.sheet(name)
	s.bases[name] = b
	return b, err
}

// slide reads a slide with its notes and comments.
func (s *slides) slide(name string) error {
	on, err := s.sheet(name)
	if err != nil {
		return err
	}
	layout, err := s.base(on, "slideLayout")
	if err != nil {
		return err
	}
	master, err := s.base(layout, "slideMaster")
	if err != nil {
		return err
	}
	look := slideLook{slides: s, on: on, layout: layout, master: master}
	if master != nil {
		if look.theme, err = s.theme(master.related.First("theme")); err != nil {
			return err
		}
	}
	if err := s.putSlide(&look); err != nil {
		return err
	}
	if err := s.putNotes(on); err != nil {
		return err
	}
	for _, r := range on.related {
		if r.Kind == "comments" {
			if err := s.putComments(r.Target); err != nil {
				return err
			}
		}
	}
	return s.out.Over
}

// putSlide adds what a slide says: its title first.
func (s *slides) putSlide(l *slideLook) error {
	titled := false
	for i, x := range l.on.shapes {
		if x.isTitle() {
			titled = s.putTexts(l, i, true) || titled
		}
	}
	for i, x := range l.on.shapes {
		switch {
		case x.isTitle():
		case x.isMargin():
			s.keepMargin(l, i)
		case x.table != nil:
			s.putTable(l, x)
		case len(x.paragraphs) > 0:
			titled = s.putTexts(l, i, !titled) || titled
		}
		if err := s.putRelated(l, x); err != nil {
			return err
		}
	}
	for _, base := range []*slideSheet{l.layout, l.master} {
		if base == nil || !l.on.shown || base == l.master && l.layout != nil && l.layout.alone || l.on.alone {
			continue
		}
		for _, x := range base.shapes {
			if !x.placeholder && !x.hidden {
				s.keepTexts(ledger.PageHeader, x)
			}
		}
	}
	return s.out.Over
}

// longTitle is the longest text that is taken for a title where the slide has none, in code points.
const longTitle = 200

// putTexts adds the paragraphs of a shape. title says that the first of them is a heading, as long as it is short. It
// reports whether it added a heading.
func (s *slides) putTexts(l *slideLook, at int, title bool) (titled bool) {
	x := l.on.shapes[at]
	if x.isTitle() { // one heading, however many lines
		var t wordfile.SeenText
		for i := range x.paragraphs {
			if i > 0 {
				t.Write(" ", wordfile.RunLook{})
			}
			l.write(&t, at, &x.paragraphs[i])
		}
		if all, _ := t.End(s.out, s.number); all != "" {
			s.out.Put(all, 1, s.number)
			return true
		}
		return false
	}
	var numbers slideNumbers
	for i := range x.paragraphs {
		p := &x.paragraphs[i]
		var t wordfile.SeenText
		l.write(&t, at, p)
		words, _ := t.End(s.out, s.number)
		if words == "" {
			continue
		}
		level := 0
		if label := numbers.label(p.level, l.bullet(x, p)); label != "" {
			words = label + " " + words
		} else if title && !titled && text.Len(words) <= longTitle {
			level, titled = 1, true
		}
		s.out.Put(words, level, s.number)
	}
	return titled
}

// putTable adds a table.
func (s *slides) putTable(l *slideLook, x *shape) {
	out := block.Table{}
	for i, row := range x.table.rows {
		r := block.Row{Heads: i == 0 && x.table.heads}
		for _, c := range row {
			var t wordfile.SeenText
			for j := range c.paragraphs {
				t.Write(" ", wordfile.RunLook{})
				for k := range c.paragraphs[j].runs {
					run := &c.paragraphs[j].runs[k]
					look := run.look
					look.Hidden = cmp.Or(l.hides(x), look.Hidden)
					t.Write(run.on(s.number), look)
				}
			}
			words, _ := t.End(s.out, s.number)
			r.Cells = append(r.Cells, block.Cell{Text: words, Columns: c.columns, Rows: c.rows})
		}
		out.Rows = append(out.Rows, r)
	}
	if l.hides(x) == "" {
		s.out.UnderCaption(&out, false)
		s.out.PutTable(&out, s.number)
	}
}

// keepMargin keeps the date, footer or number of a slide.
func (s *slides) keepMargin(l *slideLook, at int) {
	x := l.on.shapes[at]
	if l.hides(x) == "" && x.kind != "sldNum" {
		s.keepTexts(ledger.PageFooter, x)
	}
}

// keepTexts keeps the paragraphs of a shape that several slides show.
func (s *slides) keepTexts(kind ledger.PartKind, x *shape) {
	for i := range x.paragraphs {
		var t wordfile.SeenText
		for j := range x.paragraphs[i].runs {
			run := &x.paragraphs[i].runs[j]
			t.Write(run.on(s.number), run.look)
		}
		words, _ := t.End(s.out, s.number)
		if words != "" && !s.said[words] && strings.Trim(words, "‹#›") != "" && words != strconv.Itoa(s.number) {
			s.said[words] = true
			s.margins = append(s.margins, slideMargin{kind, words, s.number})
		}
	}
}

// putMargins adds what stands on several slides.
func (s *slides) putMargins() {
	for _, kind := range []ledger.PartKind{ledger.PageHeader, ledger.PageFooter} {
		s.out.Kind = kind
		for _, m := range s.margins {
			if m.kind == kind {
				s.out.Put(m.text, 0, m.number)
			}
		}
	}
	s.out.Kind = ledger.Body
}

// putNotes adds the speaker's notes of a slide.
func (s *slides) putNotes(on *slideSheet) error {
	name := on.related.First("notesSlide")
	if name == "" {
		return nil
	}
	notes, err := s.sheet(name)
	if err != nil {
		return err
	}
	l := slideLook{slides: s, on: notes}
	s.out.Kind = ledger.FileNote
	for i, x := range notes.shapes {
		if !x.placeholder || x.kind == "body" {
			s.putTexts(&l, i, false)
		}
	}
	s.out.Kind = ledger.Body
	return s.out.Over
}

// putComments adds the comments on a slide.
func (s *slides) putComments(name string) error {
	var b strings.Builder
	shown := 0
	end := func() {
		if words := text.OneLine(b.String()); words != "" {
			s.out.Put(words, 0, s.number)
		}
		b.Reset()
	}
	s.out.Kind = ledger.FileComment
	defer func() { s.out.Kind = ledger.Body }()
	return block.ReadPart(s.parts[name], s.left, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			if n := t.Name.Local; n == "text" || n == "t" {
				shown++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "text", "t":
				shown--
			case "p":
				b.WriteByte(' ')
			case "cm", "reply", "txBody":
				end()
			}
		case xml.CharData:
			if shown > 0 {
				b.Write(t)
			}
		}
		return s.out.Over
	})
}
