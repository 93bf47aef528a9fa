package wordfile

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"path"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// ODTType is the media type that OpenDocument states of texts, and begins those of their templates with.
const ODTType = "application/vnd.oasis.opendocument.text"

// ReadODT reads an OpenDocument text, as an archive or as one XML file (OASIS OpenDocument 1.3): headings, paragraphs,
// list items with their numbers and tables, then notes, comments, headers and footers. What is hidden, struck out or
// deleted by tracked changes is left out and listed (rule L-38). Macros are not read, nothing is fetched.
func ReadODT(data []byte, out *block.Page) error {
	left := int64(block.ArchiveBytes)
	r := newODT(&out.List, &left)
	if !bytes.HasPrefix(data, []byte("PK")) {
		if err := block.ReadXML(bytes.NewReader(data), &left, r.token); err != nil {
			return err
		}
		if len(r.outer) > 0 {
			return io.ErrUnexpectedEOF
		}
		r.end()
		return out.Over
	}
	parts, err := block.ArchiveParts(data)
	if err != nil {
		return err
	}
	r.parts = parts
	kind, err := block.ReadWhole(parts["mimetype"], &left)
	if err != nil {
		return err
	}
	if parts["content.xml"] == nil || kind != nil && !strings.HasPrefix(string(kind), ODTType) {
		return block.ErrOtherKind
	}
	locked := false
	if err := block.ReadPart(parts["meta-inf/manifest.xml"], &left, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		locked = locked || ok && e.Name.Local == "encryption-data"
		return nil
	}); err != nil {
		return err
	}
	if locked {
		return block.ErrLocked
	}
	for _, name := range []string{"styles.xml", "content.xml"} {
		if err := block.ReadPart(parts[name], &left, r.token); err != nil {
			return err
		}
	}
	r.end()
	return out.Over
}

// odt processes the elements of an OpenDocument text.
type odt struct {
	flow
	left   *int64
	parts  map[string]*zip.File
	now    odtState
	outer  []odtState // of the elements around the open one
	styles odtStyles
	lists  odtLists

	formula *block.FormulaReader
	deleted map[string]string // what tracked changes took away, by their ids
	mark    string            // of the note that is read
	backed  bool              // the pages are not white
	inner   int               // objects that the element stands in
	err     error             // of an object that is read in the middle of the text
}

// odtState is what holds for an element and those within it.
type odtState struct {
	shown   bool // text in it is that of a paragraph
	skipped bool
	props   wordProps
	hidden  ledger.LeftOutHow // by an element around it
	heads   bool              // rows in it name columns
	list    *odtList
	para    *odtParagraph
	ends    func()
}

// odtParagraph is an open paragraph.
type odtParagraph struct {
	style    string
	level    int
	numbered bool // a heading that may have a number
	start    int  // that the number begins with, 0 if it does not say
	hidden   bool
}

func newODT(out *block.List, left *int64) *odt {
	return &odt{flow: newFlow(out), left: left, styles: odtStyles{byName: map[string]*odtStyle{}},
		lists: newODTLists(), deleted: map[string]string{}}
}

func (r *odt) token(t xml.Token) error {
	if r.formula != nil {
		r.formula.Token(t)
		if f := r.formula.Done; f != nil {
			r.formula = nil
			r.write(f.Line())
		}
		return r.out.Over
	}
	switch t := t.(type) {
	case xml.StartElement:
		r.outer = append(r.outer, r.now)
		r.now.ends = nil
		if !r.now.skipped {
			r.start(t)
		}
	case xml.EndElement:
		if ends := r.now.ends; ends != nil {
			ends()
		}
		if n := len(r.outer); n > 0 {
			r.now, r.outer = r.outer[n-1], r.outer[:n-1]
		}
	case xml.CharData:
		if r.now.shown && !r.now.skipped {
			r.write(string(t))
		}
	}
	if r.err != nil {
		return r.err
	}
	return r.out.Over
}

// write adds text as a reader sees it.
func (r *odt) write(s string) {
	p := &r.now.props
	l := RunLook{Hidden: r.now.hidden, Struck: p.strike == on}
	if l.Hidden == "" {
		behind := whitePaper
		if r.table() != nil || len(r.flow.outer) > 0 || r.backed {
			behind = mixed
		}
		l.Hidden = p.hidden(behind)
	}
	switch p.level {
	case "superscript":
		l.Level = block.RaisedSign
	case "subscript":
		l.Level = block.LoweredSign
	}
	r.frame.text.Write(inFont(s, p.font), l)
}

// odtSkipped are elements of the namespace of texts whose text readers don't see there.
var odtSkipped = map[string]bool{"ruby-text": true, "script": true, "variable-decls": true, "sequence-decls": true,
	"user-field-decls": true, "dde-connection-decls": true, "alphabetical-index-auto-mark-file": true}

// odtOffice are the elements of the office namespace whose text is none of the document's.
var odtOffice = map[string]bool{"scripts": true, "forms": true, "event-listeners": true, "meta": true, "settings": true,
	"change-info": true, "binary-data": true, "font-face-decls": true}

func (r *odt) start(e xml.StartElement) {
	switch name := e.Name.Local; e.Name.Space {
	case "text":
		r.text(e)
	case "table":
		r.now.shown = false
		r.tablePart(e)
	case "draw", "dr3d":
		r.now.shown = false
		r.drawing(e)
	case "office":
		r.now.shown = false
		switch {
		case odtOffice[name]:
			r.now.skipped = true
		case name == "annotation":
			r.openPart(ledger.FileComment)
		}
	case "style", "number":
		r.now.shown = false
		r.style(e)
	case "svg", "dc", "meta", "form", "script", "config", "presentation":
		r.now.skipped = true
	case "chart":
		r.now.shown = false
	default:
		if name == "math" {
			r.formula = &block.FormulaReader{}
			r.formula.Token(e)
			r.now, r.outer = r.outer[len(r.outer)-1], r.outer[:len(r.outer)-1] // its end is the formula's
		}
	}
}

// text takes an element of the namespace of texts.
func (r *odt) text(e xml.StartElement) {
	switch name := e.Name.Local; name {
	case "p", "h":
		r.openParagraph(e)
	case "span":
		r.now.props = r.styles.props(block.Attribute(e, "style-name")).over(r.now.props)
	case "s", "tab", "line-break":
		if r.now.shown {
			r.write(" ")
		}
	case "list", "list-item", "list-header":
		r.openList(e)
	case "note-citation":
		r.openFrame()
		r.now.ends = func() {
			r.mark, _ = r.frame.text.End(r.out, 0)
			r.closeFrame()
			r.frame.text.Write(r.mark, RunLook{Level: block.MarkSign, Hidden: r.now.hidden})
		}
	case "note-body":
		r.openPart(ledger.FileNote)
		r.frame.text.Write(r.mark, RunLook{Level: block.MarkSign})
		r.frame.text.Write(" ", RunLook{})
	case "section":
		if block.Attribute(e, "display") == "none" || block.Attribute(e, "is-hidden") == "true" {
			r.now.hidden = ledger.HiddenFormat
		}
	case "hidden-text":
		if block.Attribute(e, "is-hidden") == "true" {
			r.frame.text.Write(block.Attribute(e, "string-value"), RunLook{Hidden: ledger.HiddenFormat})
			r.now.hidden = ledger.HiddenFormat
		}
	case "hidden-paragraph":
		if p := r.now.para; p != nil && block.Attribute(e, "is-hidden") == "true" {
			p.hidden = true
		}
	default:
		switch {
		case odtSkipped[name] || strings.HasSuffix(name, "-source"):
			r.now.skipped = true
		case !r.change(e):
			r.styleOfLists(e)
		}
	}
}

// change takes an element of tracked changes, and reports whether it is one.
func (r *odt) change(e xml.StartElement) bool {
	switch e.Name.Local {
	case "changed-region":
		r.mark = block.Attribute(e, "id")
	case "deletion":
		id := r.mark
		r.openFrame()
		r.now.list, r.now.para, r.now.props, r.now.hidden = nil, nil, wordProps{}, ""
		r.now.ends = func() {
			if len(r.deleted) < mostEntries {
				r.deleted[id] = (&wordCell{paragraphs: r.closeFrame()}).words()
			}
		}
	case "change":
		r.frame.text.Write(r.deleted[block.Attribute(e, "change-id")], RunLook{deleted: true, Hidden: r.now.hidden})
	default:
		return false
	}
	return true
}

// openParagraph begins a paragraph or heading.
func (r *odt) openParagraph(e xml.StartElement) {
	p := &odtParagraph{style: block.Attribute(e, "style-name")}
	p.level = r.styles.level(p.style)
	if e.Name.Local == "h" {
		p.level = min(max(Whole(block.Attribute(e, "outline-level")), 1), 6)
		p.numbered = block.Attribute(e, "is-list-header") != "true" && !r.styles.unnumbered(p.style)
		p.start = Whole(block.Attribute(e, "start-value"))
	}
	s := &r.now
	s.para, s.shown, s.props = p, true, r.styles.props(p.style)
	s.ends = func() { r.endParagraph(p) }
}

// endParagraph ends the open paragraph.
func (r *odt) endParagraph(p *odtParagraph) {
	out := wordParagraph{level: p.level, caption: r.styles.caption(p.style)}
	var gone bool
	if out.text, gone = r.frame.text.End(r.out, 0); p.hidden {
		r.out.Leave(ledger.Hidden, ledger.HiddenFormat, out.text, 0)
		out.text, gone = "", true
	}
	switch l := r.now.list; {
	case gone:
	case l != nil && l.fresh != nil && *l.fresh:
		*l.fresh = false
		out.item = true
		out.label = l.label()
	case l == nil && p.numbered:
		out.label = r.lists.heading(p.level, p.start)
	}
	r.ended(out)
}

// openPart begins a note, comment, header or footer, which ends with its element.
func (r *odt) openPart(kind ledger.PartKind) {
	s := &r.now
	r.openFrame()
	s.list, s.para, s.props, s.shown = nil, nil, wordProps{}, false
	s.ends = func() { r.closePart(kind) }
}

// tablePart takes an element of the namespace of tables.
func (r *odt) tablePart(e xml.StartElement) {
	t := r.table()
	switch name := e.Name.Local; {
	case name == "table":
		r.openTable()
		r.now.heads, r.now.list = false, nil
		r.now.ends = r.closeTable
	case t == nil:
	case name == "table-header-rows":
		r.now.heads = true
	case name == "table-row":
		t.rows = append(t.rows, wordRow{heads: r.now.heads})
		if v := block.Attribute(e, "visibility"); v == "collapse" || v == "filter" {
			r.now.hidden = ledger.HiddenFormat
		}
	case name == "table-cell":
		r.out.CountCell()
		row := t.row()
		row.cells = append(row.cells, wordCell{
			columns: min(Whole(block.Attribute(e, "number-columns-spanned")), block.MostSpan),
			rows:    Whole(block.Attribute(e, "number-rows-spanned"))})
		again := min(Whole(block.Attribute(e, "number-columns-repeated")), block.MostSpan) - 1
		r.now.list = nil
		r.now.ends = func() {
			for range again {
				r.out.CountCell()
				row.cells = append(row.cells, *t.cell())
			}
		}
	case name == "covered-table-cell":
		r.now.skipped = true
	}
}

// odtShapes are drawings that have text of their own.
var odtShapes = map[string]bool{"text-box": true, "custom-shape": true, "rect": true, "ellipse": true, "circle": true,
	"line": true, "polyline": true, "polygon": true, "regular-polygon": true, "path": true, "connector": true,
	"caption": true, "measure": true}

// drawing takes an element of the namespace of drawings.
func (r *odt) drawing(e xml.StartElement) {
	if block.Attribute(e, "display") == "none" {
		r.now.hidden = ledger.HiddenFormat
	}
	switch name := e.Name.Local; {
	case odtShapes[name]:
		r.openFrame()
		r.now.list, r.now.para, r.now.props = nil, nil, wordProps{}
		r.now.ends = r.closeBox
	case name == "object":
		r.err = r.object(block.Attribute(e, "href"))
	}
}

// object reads an object of the archive: a formula, which stands in the open paragraph, or a chart with its table.
func (r *odt) object(href string) error {
	name := path.Join(strings.ToLower(href), "content.xml")
	part := r.parts[name]
	if part == nil || r.inner > 0 || name == "content.xml" {
		return nil
	}
	r.inner++
	now, outer := r.now, r.outer
	r.now, r.outer = odtState{hidden: now.hidden, props: now.props}, nil
	begun, chart := false, false
	err := block.ReadPart(part, r.left, func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok && !begun {
			if begun, chart = true, e.Name.Local != "math"; chart {
				r.openFrame()
			}
		}
		return r.token(t)
	})
	if chart {
		r.closeBox()
	}
	r.now, r.outer, r.formula = now, outer, nil
	r.inner--
	return err
}
