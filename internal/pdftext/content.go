package pdftext

import (
	"math"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// glyph is what one code draws: its characters and their place, in points, with y growing upwards. Coordinates are
// rotated by turn, so that the glyph's own baseline runs from left to right.
type glyph struct {
	text string
	x, y float64 // the start on its baseline
	w    float64 // the advance width
	size float64
	bold bool
	turn int  // quarter turns; from quarterTurns on, the number of a slant
	n    int  // how many letters of its row were drawn up to it
	cell bool // of a space: it parts two cells
	// a line goes through it
	struck bool
	level  rune // Raised or Lowered if the file says so, 0 if not
	// the number of the table between rules, from 1, that stands in this place
	table int
	*seen
}

type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is the graphics state that q saves and Q restores.
type state struct {
	ctm                                 matrix
	font                                *font
	size, charSpace, wordSpace, leading float64
	stretch, rise                       float64
	look
}

// maxGlyphs limits how many glyphs of one page are read.
const maxGlyphs = 500_000

// drawing interprets the operators of a page.
type drawing struct {
	objects
	fonts   map[string]*font // by object number
	glyphs  []glyph
	unnamed int // characters that no font maps to text
	paints  []paint
	rules   rules
	strikes []rect // that reviewers strike out
	slants  []float64
	looks   []seen // of glyphs, in blocks
	layers  layers
	// the file says that what fields show is to be made again of their values
	regenerates bool

	state
	kept       []state
	text, line matrix // the text matrix and the text line matrix
	path       path
	marks      []markedContent // that is open
	off        int             // of these, how many
}

// What drawing costs, in steps of 15 to 65 ns (BenchmarkSteps prints it). A form, a page or a font may be used many
// times, so that a small file can ask for any amount of work; counting ends it at the same place on every machine.
const (
	operatorSteps = 2
	glyphSteps    = 8 // with its place in the lines
	formSteps     = 20
	fontSteps     = 500 // a font that is read, without its tables
	entrySteps    = 4   // an entry of a font's tables
	bytesPerStep  = 4   // of a page's or form's content, or of a font's maps
)

// take takes steps, and reports whether there were that many.
func (o objects) take(n int) bool {
	*o.steps -= n
	return *o.steps >= 0
}

// page interprets the content of a page or of a form.
func (d *drawing) page(content []byte, resources types.Dict, depth int) {
	if !d.take(len(content) / bytesPerStep) {
		return
	}
	scan(content, func(op string, a []operand) bool {
		if !d.take(operatorSteps) {
			return false
		}
		d.operator(op, a, resources, depth)
		return len(d.glyphs) < maxGlyphs && *d.steps >= 0
	})
}

func at(a []operand, i int) float64 {
	if i < len(a) {
		return a[i].number
	}
	return 0
}

func sixth(a []operand) matrix {
	return matrix{at(a, 0), at(a, 1), at(a, 2), at(a, 3), at(a, 4), at(a, 5)}
}

func (d *drawing) operator(op string, a []operand, resources types.Dict, depth int) {
	if d.draws(op, a) || d.colours(op, a, resources) {
		return
	}
	switch op {
	case "q":
		if len(d.kept) < 1000 {
			d.kept = append(d.kept, d.state)
		}
	case "Q":
		if n := len(d.kept); n > 0 {
			d.state, d.kept = d.kept[n-1], d.kept[:n-1]
		}
	case "cm":
		d.ctm = sixth(a).times(d.ctm)
	case "Do":
		d.form(a, resources, depth)
	case "BI":
		d.image(len(a) > 0 && isStencil(a[0].text), false)
	case "Tr":
		d.mode = int(at(a, 0))
	case "BT":
		d.text, d.line = identity, identity
	case "Tf":
		if len(a) >= 2 {
			d.font, d.size = d.fontOf(resources, string(a[0].text)), a[1].number
		}
	case "Tc":
		d.charSpace = at(a, 0)
	case "Tw":
		d.wordSpace = at(a, 0)
	case "Tz":
		d.stretch = at(a, 0) / 100
	case "TL":
		d.leading = at(a, 0)
	case "Ts":
		d.rise = at(a, 0)
	default:
		d.placing(op, a)
	}
}

// placing interprets the operators that place and show text.
func (d *drawing) placing(op string, a []operand) {
	switch op {
	case "Td":
		d.move(at(a, 0), at(a, 1))
	case "TD":
		d.leading = -at(a, 1)
		d.move(at(a, 0), at(a, 1))
	case "Tm":
		d.text = sixth(a)
		d.line = d.text
	case "T*":
		d.move(0, -d.leading)
	case "Tj":
		d.show(a)
	case "'":
		d.move(0, -d.leading)
		d.show(a)
	case "\"":
		d.wordSpace, d.charSpace = at(a, 0), at(a, 1)
		d.move(0, -d.leading)
		d.show(a[min(2, len(a)):])
	case "TJ":
		if len(a) > 0 {
			d.show(a[len(a)-1].list)
		}
	}
}

func (d *drawing) move(x, y float64) {
	d.line = matrix{1, 0, 0, 1, x, y}.times(d.line)
	d.text = d.line
}

// maxForms limits the nesting of forms.
const maxForms = 12

// form interprets a form XObject that a page uses; images have no text.
func (d *drawing) form(a []operand, resources types.Dict, depth int) {
	if len(a) == 0 || depth >= maxForms || !d.take(formSteps) {
		return
	}
	x := d.dict(resources["XObject"])[string(a[0].text)]
	form := d.dict(x)
	if d.layers.off(d.objects, form["OC"]) {
		return
	}
	switch d.name(form["Subtype"]) {
	case "Image":
		stencil, _ := d.table.DereferenceBoolean(form["ImageMask"], model.V10)
		d.image(stencil != nil && bool(*stencil), form["SMask"] != nil || form["Mask"] != nil)
		return
	case "Form":
	default:
		return
	}
	d.drawForm(x, form, resources, depth)
}

// drawForm draws a form, whose dictionary is form.
func (d *drawing) drawForm(x types.Object, form, resources types.Dict, depth int) {
	kept, before, marks, off := d.state, len(d.kept), len(d.marks), d.off
	wasText, wasLine, wasPath := d.text, d.line, d.path
	d.path = newPath()
	if m := d.array(form["Matrix"]); len(m) == 6 {
		var own matrix
		for i := range own {
			own[i], _ = d.number(m[i])
		}
		d.ctm = own.times(d.ctm)
	}
	if b := d.array(form["BBox"]); len(b) == 4 {
		r := d.rectOf(b)
		d.clipTo(d.ctm.box(r), d.ctm.upright())
	}
	if d.dict(form["Group"]) != nil {
		d.group *= d.fillAlpha
		d.fillAlpha, d.strokeAlpha = 1, 1
	}
	inner := d.dict(form["Resources"])
	if inner == nil {
		inner = resources
	}
	d.page(d.stream(x), inner, depth+1)
	d.state, d.kept = kept, d.kept[:min(before, len(d.kept))]
	d.text, d.line, d.path = wasText, wasLine, wasPath
	d.marks, d.off = d.marks[:min(marks, len(d.marks))], off
}

// rectOf reads a rectangle of four numbers.
func (o objects) rectOf(a types.Array) (r rect) {
	var v [4]float64
	for i := range v {
		v[i], _ = o.number(a[i])
	}
	return rect{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
}

func (d *drawing) fontOf(resources types.Dict, name string) *font {
	return d.fontFrom(d.dict(resources["Font"])[name])
}

// fontFrom returns a font by its object.
func (d *drawing) fontFrom(x types.Object) *font {
	if x == nil {
		return nil
	}
	key := "" // fonts that are written inline in the page are read at each use
	if ref, ok := x.(types.IndirectRef); ok {
		if key = ref.String(); d.fonts[key] != nil {
			return d.fonts[key]
		}
	}
	fd := d.dict(x)
	if fd == nil {
		return nil
	}
	if !d.take(fontSteps + len(d.stream(fd["ToUnicode"]))/bytesPerStep) {
		return nil
	}
	f := d.newFont(fd)
	if key != "" {
		d.fonts[key] = f
	}
	return f
}

// show draws strings, and moves by the numbers between them.
func (d *drawing) show(items []operand) {
	if d.font == nil {
		return
	}
	for _, item := range items {
		if item.kind != str {
			d.text = matrix{1, 0, 0, 1, -item.number / 1000 * d.size * d.stretch, 0}.times(d.text)
			continue
		}
		d.font.codes(item.text, d.draw)
	}
}

func (d *drawing) draw(c shown) {
	if len(d.glyphs) >= maxGlyphs || !d.take(glyphSteps) {
		return
	}
	m := matrix{d.size * d.stretch, 0, 0, d.size, 0, d.rise}.times(d.text).times(d.ctm)
	move := c.width*d.size + d.charSpace
	if c.space {
		move += d.wordSpace
	}
	g := glyph{text: c.text, bold: d.font.bold, size: math.Hypot(m[2], m[3]), turn: d.turnOf(m[0], m[1])}
	g.x, g.y = d.turned(m[4], m[5], g.turn)
	if up := d.rise / d.size; d.rise != 0 && math.Abs(up) >= leastRise && math.Abs(up) <= mostRise {
		base := matrix{d.size * d.stretch, 0, 0, d.size, 0, 0}.times(d.text).times(d.ctm)
		g.x, g.y = d.turned(base[4], base[5], g.turn)
		g.level = Raised
		if up < 0 {
			g.level = Lowered
		}
	}
	g.w = c.width * math.Hypot(m[0], m[1])
	if c.text == "" || c.text == "\x00" {
		g.text = "\ufffd"
		if g.w == 0 { // an unmapped combining mark: it means nothing without its letter
			d.unnamed++
			return
		}
	}
	g.seen = d.seenAs(m, c.width)
	if g.size > 0 && !math.IsNaN(g.x+g.y+g.w+g.size) && !math.IsInf(g.x+g.y+g.w+g.size, 0) {
		d.glyphs = append(d.glyphs, g)
	}
	d.text = matrix{1, 0, 0, 1, move * d.stretch, 0}.times(d.text)
}

// leastRise and mostRise are how far from its line text stands that is raised or lowered, in units of its size. What
// stands further off is set on another line.
const (
	leastRise = 0.12
	mostRise  = 0.8
)

// quarterTurns is how many turns lead round.
const quarterTurns = 4

// Slants are the other angles of a page, as of a stamp. What is nearly level is level.
const (
	slanted    = 0.1  // radians from a quarter turn
	sameSlant  = 0.01 // radians
	mostSlants = 16
)

// turnOf returns how the direction of writing is rotated: by a quarter turn, or by one of the slants of the page.
func (d *drawing) turnOf(x, y float64) int {
	angle := math.Atan2(y, x)
	quarter := math.Round(angle / (math.Pi / 2))
	turn := (int(quarter) + quarterTurns) % quarterTurns
	if math.Abs(angle-quarter*math.Pi/2) < slanted || math.IsNaN(angle) {
		return turn
	}
	for i, s := range d.slants {
		if math.Abs(s-angle) < sameSlant {
			return quarterTurns + i
		}
	}
	if len(d.slants) == mostSlants {
		return turn
	}
	d.slants = append(d.slants, angle)
	return quarterTurns + len(d.slants) - 1
}

// turned rotates a point back by a turn.
func (d *drawing) turned(x, y float64, turn int) (float64, float64) {
	if turn >= quarterTurns {
		sin, cos := math.Sincos(-d.slants[turn-quarterTurns])
		return x*cos - y*sin, x*sin + y*cos
	}
	switch turn {
	case 1:
		return y, -x
	case 2:
		return -x, -y
	case 3:
		return -y, x
	}
	return x, y
}

// markedContent is a part of a page between marks.
type markedContent struct {
	off    bool   // its layer is switched off
	actual string // what the file says its glyphs mean, "" if nothing
	from   int    // its first glyph
}

// mostActual is the longest text that stands for the glyphs of marked content, in bytes.
const mostActual = 4_000

// actualText returns the text that a file gives for the glyphs of marked content (ISO 32000-1, 14.9.4).
func (d *drawing) actualText(op string, a []operand, resources types.Dict) string {
	if op != "BDC" || len(a) < 2 {
		return ""
	}
	var b []byte
	for i := 1; i+1 < len(a); i++ {
		if a[i].kind == name && string(a[i].text) == "ActualText" && a[i+1].kind == str {
			b = a[i+1].text
		}
	}
	if len(a) == 2 {
		v, _ := d.table.Dereference(d.dict(d.dict(resources["Properties"])[string(a[1].text)])["ActualText"])
		switch v := v.(type) {
		case types.StringLiteral:
			b, _ = types.Unescape(string(v))
		case types.HexLiteral:
			b, _ = v.Bytes()
		}
	}
	switch {
	case len(b) > mostActual:
		return ""
	case strings.HasPrefix(string(b), "\xfe\xff"):
		return decode16(b[2:])
	case strings.HasPrefix(string(b), "\xef\xbb\xbf"):
		return strings.ToValidUTF8(string(b[3:]), "")
	}
	var out []rune
	for _, c := range b {
		out = append(out, rune(c))
	}
	return string(out)
}

// replace puts the text of marked content in the place of glyphs that their fonts do not map. What a reader sees goes
// before what the file says of it: glyphs whose meaning is known keep it, unless it says that a hyphen is none of the
// word's.
func (d *drawing) replace(m *markedContent) {
	if m.actual == "" || m.from >= len(d.glyphs) {
		return
	}
	glyphs := d.glyphs[m.from:]
	var known strings.Builder
	unmapped := 0
	for i := range glyphs {
		if glyphs[i].text == "\ufffd" {
			unmapped++
			continue
		}
		known.WriteString(glyphs[i].text)
	}
	said := strings.Join(strings.Fields(known.String()), "")
	hyphen := m.actual == "\u00ad" && (said == "-" || said == "\u2010")
	if said != "" && !hyphen || said == "" && unmapped == 0 {
		return
	}
	first := &glyphs[0]
	for i := range glyphs {
		first.w = max(first.w, glyphs[i].x+glyphs[i].w-first.x)
	}
	first.text = m.actual
	d.glyphs = d.glyphs[:m.from+1]
}
