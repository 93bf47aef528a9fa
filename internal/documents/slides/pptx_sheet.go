package slides

import (
	"encoding/xml"
	"slices"
	"strconv"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
)

// slideSheet is what a slide, layout, master or page of notes has.
type slideSheet struct {
	related block.Relations
	shown   bool // it is no hidden slide
	alone   bool // what its layout and master draw is not shown
	ground  slideFill
	shapes  []*shape          // from the back to the front
	moving  bool              // something on it moves along a path
	colors  map[string]string // the colours of the theme by what this sheet calls them
	levels  map[int]slideBullet
}

// shape is a text, table, picture, chart or diagram.
type shape struct {
	placeholder bool
	kind        string // of the placeholder
	index       string
	hidden      bool
	picture     bool
	box         slideBox
	fill        slideFill
	styled      slideFill // by the theme, where it has no fill of its own
	paragraphs  []slideParagraph
	levels      map[int]slideBullet
	table       *slideTable
	chart       string // ids of relations
	diagram     string
}

func (x *shape) isTitle() bool { return x.placeholder && (x.kind == "title" || x.kind == "ctrTitle") }

func (x *shape) isMargin() bool {
	return x.placeholder && slices.Contains([]string{"dt", "ftr", "sldNum", "hdr"}, x.kind)
}

// slideBox is where a shape is, in units of the slide.
type slideBox struct {
	x, y, width, height float64
	known               bool
}

type slideTable struct {
	heads bool
	rows  [][]slideCell
}

type slideCell struct {
	columns, rows int
	covered       bool
	paragraphs    []slideParagraph
}

// sheetReader processes the elements of a sheet.
type sheetReader struct {
	sheet   *slideSheet
	out     *block.List // which counts cells
	path    []string    // open elements
	groups  []slideGroup
	shape   *shape
	color   *slideColor // that is being read
	run     *slideRun   // whose properties are being read
	formula *block.FormulaReader
	skipped int // open elements from one that is not read
}

// slideGroup is how a group of shapes places those in it.
type slideGroup struct {
	hidden       bool
	outer, inner slideBox
}

// in places a box of the group on what the group stands in.
func (g *slideGroup) in(b slideBox) slideBox {
	if !g.outer.known || !g.inner.known || g.inner.width == 0 || g.inner.height == 0 {
		b.known = false
		return b
	}
	h, v := g.outer.width/g.inner.width, g.outer.height/g.inner.height
	return slideBox{x: g.outer.x + (b.x-g.inner.x)*h, y: g.outer.y + (b.y-g.inner.y)*v,
		width: b.width * h, height: b.height * v, known: b.known}
}

func (r *sheetReader) token(t xml.Token) error {
	switch {
	case r.formula != nil:
		r.formula.Token(t)
		if f := r.formula.Done; f != nil {
			r.formula = nil
			r.write(f.Line())
		}
		return r.out.Over
	case r.skipped > 0:
		switch t.(type) {
		case xml.StartElement:
			r.skipped++
		case xml.EndElement:
			r.skipped--
		}
		return nil
	}
	switch t := t.(type) {
	case xml.StartElement:
		switch name := t.Name.Local; name {
		case "Fallback", "extLst", "custDataLst":
			r.skipped = 1
			return nil
		case "oMath":
			r.formula = &block.FormulaReader{}
			r.formula.Token(t)
			return nil
		}
		r.start(t)
		r.path = append(r.path, t.Name.Local)
	case xml.EndElement:
		if n := len(r.path); n > 0 {
			r.path = r.path[:n-1]
		}
		r.end(t.Name.Local)
	case xml.CharData:
		if r.within(0) == "t" {
			r.write(string(t))
		}
	}
	return r.out.Over
}

// within is the name of an open element: 0 for the innermost, 1 for the one around it.
func (r *sheetReader) within(n int) string {
	if n >= len(r.path) {
		return ""
	}
	return r.path[len(r.path)-1-n]
}

func (r *sheetReader) start(e xml.StartElement) {
	name := e.Name.Local
	switch name {
	case "sld":
		r.sheet.shown = block.Attribute(e, "show") != "0" && block.Attribute(e, "show") != "false"
	case "grpSp":
		r.groups = append(r.groups, slideGroup{})
	case "sp", "pic", "graphicFrame", "cxnSp":
		r.shape = &shape{picture: name == "pic"}
		if block.Attribute(e, "useBgFill") == "1" {
			r.shape.fill = slideFill{stated: true, none: true}
		}
		r.sheet.shapes = append(r.sheet.shapes, r.shape)
	case "animMotion":
		r.sheet.moving = true
	case "clrMap", "overrideClrMapping":
		r.sheet.colors = map[string]string{}
		for _, a := range e.Attr {
			r.sheet.colors[a.Name.Local] = a.Value
		}
	}
	if a := block.Attribute(e, "showMasterSp"); a == "0" || a == "false" {
		r.sheet.alone = true
	}
	if !r.startShape(e) && !r.startColor(e) {
		r.startText(e)
	}
}

// startShape takes an element about a shape, and reports whether it is one.
func (r *sheetReader) startShape(e xml.StartElement) bool {
	x := r.shape
	switch e.Name.Local {
	case "cNvPr":
		hidden := block.IsSet(e, "hidden")
		if r.within(0) == "nvGrpSpPr" && len(r.groups) > 0 {
			r.groups[len(r.groups)-1].hidden = hidden
		} else if x != nil {
			x.hidden = hidden || slices.ContainsFunc(r.groups, func(g slideGroup) bool { return g.hidden })
		}
	case "ph":
		if x != nil {
			x.placeholder, x.kind, x.index = true, block.Attribute(e, "type"), block.Attribute(e, "idx")
		}
	case "off", "ext", "chOff", "chExt":
		r.place(e)
	case "chart":
		if x != nil {
			x.chart = block.RelationID(e)
		}
	case "relIds":
		if x != nil {
			x.diagram = block.Attribute(e, "dm")
		}
	default:
		return false
	}
	return true
}

// place takes where a shape or group is.
func (r *sheetReader) place(e xml.StartElement) {
	if r.within(0) != "xfrm" {
		return
	}
	number := func(name string) float64 {
		n, err := strconv.ParseFloat(block.Attribute(e, name), 64)
		if err != nil {
			return 0
		}
		return n
	}
	if r.within(1) == "grpSpPr" {
		if len(r.groups) == 0 {
			return
		}
		g := &r.groups[len(r.groups)-1]
		switch e.Name.Local {
		case "off":
			g.outer.x, g.outer.y, g.outer.known = number("x"), number("y"), true
			for i := len(r.groups) - 2; i >= 0; i-- { // corners move with the groups around
				g.outer = r.groups[i].in(g.outer)
			}
		case "ext":
			g.outer.width, g.outer.height = number("cx"), number("cy")
		case "chOff":
			g.inner.x, g.inner.y, g.inner.known = number("x"), number("y"), true
		case "chExt":
			g.inner.width, g.inner.height = number("cx"), number("cy")
		}
		return
	}
	if r.shape == nil {
		return
	}
	switch b := &r.shape.box; e.Name.Local {
	case "off":
		b.x, b.y = number("x"), number("y")
	case "ext":
		b.width, b.height, b.known = number("cx"), number("cy"), true
		if len(r.groups) > 1 {
			b.known = false // groups within each other are not followed
		} else if len(r.groups) == 1 {
			*b = r.groups[0].in(*b)
		}
	}
}

func (r *sheetReader) startCell(e xml.StartElement) {
	x := r.shape
	if x == nil || x.table == nil || len(x.table.rows) == 0 {
		return
	}
	r.out.CountCell()
	row := &x.table.rows[len(x.table.rows)-1]
	*row = append(*row, slideCell{columns: min(wordfile.Whole(block.Attribute(e, "gridSpan")), block.MostSpan),
		rows: wordfile.Whole(block.Attribute(e, "rowSpan")), covered: block.IsSet(e, "hMerge") || block.IsSet(e, "vMerge")})
}

func (r *sheetReader) end(name string) {
	switch name {
	case "grpSp":
		if n := len(r.groups); n > 0 {
			r.groups = r.groups[:n-1]
		}
	case "sp", "pic", "graphicFrame", "cxnSp":
		r.shape = nil
	case "r", "fld":
		r.run = nil
	case "srgbClr", "schemeClr", "sysClr", "prstClr", "scrgbClr", "hslClr":
		r.color = nil
	case "tr":
		if x := r.shape; x != nil && x.table != nil && len(x.table.rows) > 0 {
			row := &x.table.rows[len(x.table.rows)-1]
			*row = slices.DeleteFunc(*row, func(c slideCell) bool { return c.covered })
		}
	}
}
