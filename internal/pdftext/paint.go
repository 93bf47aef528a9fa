package pdftext

import (
	"cmp"
	"math"
	"slices"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// rect is a rectangle of the page, in points: left, bottom, right, top.
type rect [4]float64

// everywhere is a rectangle that holds all others.
var everywhere = rect{-1e9, -1e9, 1e9, 1e9}

// nowhere is the start of a union.
var nowhere = rect{1e9, 1e9, -1e9, -1e9}

func (r rect) empty() bool { return r[2] <= r[0] || r[3] <= r[1] }

func (r rect) intersect(o rect) rect {
	return rect{max(r[0], o[0]), max(r[1], o[1]), min(r[2], o[2]), min(r[3], o[3])}
}

func (r rect) union(o rect) rect {
	return rect{min(r[0], o[0]), min(r[1], o[1]), max(r[2], o[2]), max(r[3], o[3])}
}

func (r rect) contains(o rect) bool {
	return r[0] <= o[0] && r[1] <= o[1] && r[2] >= o[2] && r[3] >= o[3]
}

func (r rect) touches(o rect) bool {
	return r[0] <= o[2] && o[0] <= r[2] && r[1] <= o[3] && o[1] <= r[3]
}

func (r rect) area() float64 { return max(0, r[2]-r[0]) * max(0, r[3]-r[1]) }

// grown returns r with a margin.
func (r rect) grown(by float64) rect { return rect{r[0] - by, r[1] - by, r[2] + by, r[3] + by} }

// point adds a point to a union.
func (r rect) point(x, y float64) rect { return r.union(rect{x, y, x, y}) }

// apply returns where m puts a point.
func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// upright reports whether m keeps rectangles rectangles.
func (m matrix) upright() bool {
	const little = 1e-3
	a, b := max(math.Abs(m[0]), math.Abs(m[3])), max(math.Abs(m[1]), math.Abs(m[2]))
	return b <= little*a || a <= little*b
}

// box returns the box of a rectangle that m moves.
func (m matrix) box(r rect) rect {
	out := nowhere
	for _, p := range [4][2]float64{{r[0], r[1]}, {r[2], r[1]}, {r[0], r[3]}, {r[2], r[3]}} {
		x, y := m.apply(p[0], p[1])
		out = out.point(x, y)
	}
	return out
}

// colour is a colour as it is shown; known is false of a pattern, of an ink or where the file does not say it simply.
type colour struct {
	r, g, b float64
	known   bool
}

var black, white = colour{known: true}, colour{r: 1, g: 1, b: 1, known: true}

// alike reports whether nobody can tell two colours apart.
func (c colour) alike(o colour) bool {
	const least = 0.04 // of one of the three lights
	return c.known && o.known && math.Abs(c.r-o.r) < least && math.Abs(c.g-o.g) < least && math.Abs(c.b-o.b) < least
}

// over returns c with this opacity on a ground.
func (c colour) over(ground colour, alpha float64) colour {
	if alpha >= 1 {
		return c
	}
	mix := func(a, b float64) float64 { return a*alpha + b*(1-alpha) }
	return colour{r: mix(c.r, ground.r), g: mix(c.g, ground.g), b: mix(c.b, ground.b),
		known: c.known && ground.known || alpha <= 0 && ground.known}
}

// colourSpace is what the numbers of a colour mean.
type colourSpace uint8

const (
	device  colourSpace = iota // one number is grey, three are red, green and blue, four are CMYK
	inks                       // of which none is the paper's white
	lab                        // lightness to 100, and two axes
	unknown                    // a pattern, or a table
)

// spaceOf returns a colour space of a page's resources.
func (o objects) spaceOf(resources types.Dict, name string) colourSpace {
	switch name {
	case "DeviceGray", "DeviceRGB", "DeviceCMYK", "G", "RGB", "CMYK":
		return device
	case "Pattern":
		return unknown
	}
	x := o.dict(resources["ColorSpace"])[name]
	if n := o.name(x); n != "" && n != name {
		return o.spaceOf(nil, n)
	}
	a := o.array(x)
	if len(a) == 0 {
		return unknown
	}
	switch o.name(a[0]) {
	case "DeviceGray", "DeviceRGB", "DeviceCMYK", "CalGray", "CalRGB", "ICCBased":
		return device
	case "Separation", "DeviceN":
		return inks
	case "Lab":
		return lab
	}
	return unknown
}

// first is the colour that a space begins with.
func (s colourSpace) first() colour {
	if s == device || s == lab {
		return black
	}
	return colour{}
}

// colourOf reads the numbers of a colour.
func (s colourSpace) colourOf(a []operand) colour {
	switch {
	case s == unknown || len(a) == 0 || a[len(a)-1].kind != number:
		return colour{}
	case s == inks:
		for _, x := range a {
			if x.number > 0.01 {
				return colour{}
			}
		}
		return white
	case s == lab:
		if len(a) == 3 && a[0].number > 99 && math.Abs(a[1].number) < 2 && math.Abs(a[2].number) < 2 {
			return white
		}
		return colour{}
	}
	one := func(i int) float64 { return min(1, max(0, a[i].number)) }
	switch len(a) {
	case 1:
		return colour{r: one(0), g: one(0), b: one(0), known: true}
	case 3:
		return colour{r: one(0), g: one(1), b: one(2), known: true}
	case 4:
		light := 1 - one(3)
		return colour{r: (1 - one(0)) * light, g: (1 - one(1)) * light, b: (1 - one(2)) * light, known: true}
	}
	return colour{}
}

// paintKind is what was painted.
type paintKind uint8

const (
	fill    paintKind = iota
	picture           // or what may show one
	other             // a line, a shading, a symbol
)

// paint is something painted that is no text.
type paint struct {
	box    rect
	colour colour
	kind   paintKind
	exact  bool // it fills the box
	opaque bool
}

// maxPaints limits what of a page is remembered.
const maxPaints = 300_000

// look is how a state paints.
type look struct {
	fill, stroke           colour
	fillSpace, strokeSpace colourSpace
	fillAlpha, strokeAlpha float64
	tiles                  bool    // the fill is a pattern of tiles, which may be a picture
	group                  float64 // opacity of the groups that it is in
	masked                 bool    // only parts of it are shown
	mixes                  bool    // it is mixed with what is below
	width                  float64 // of lines
	mode                   int     // in which text is rendered
	clip                   rect
	loose                  bool // the clip is smaller than its rectangle
}

var firstLook = look{fill: black, stroke: black, fillAlpha: 1, strokeAlpha: 1, group: 1, width: 1, clip: everywhere}

// path is the path that is being made, in points of the page.
type path struct {
	box     rect
	rects   []rect // it consists of, if it is exact
	corners [][2]float64
	edges   rules
	loose   bool // it has other parts than upright rectangles
	clips   bool // it becomes part of the clip when it is painted
}

func newPath() path { return path{box: nowhere} }

// rule is an upright or level line, such as between the cells of a table: where it stands, and from where to where it
// goes.
type rule struct{ at, from, to float64 }

// rules are the upright and the level lines of a page.
type rules struct {
	upright, level []rule
	single         []rule // the level ones that are no side of anything
}

// What makes a rule, in points.
const (
	straight  = 0.5
	shortRule = 5.0
	thickRule = 3.0
	mostRules = 20_000
)

// add adds the line between two points, if it is a rule.
func (r *rules) add(x0, y0, x1, y1 float64) {
	switch dx, dy := math.Abs(x1-x0), math.Abs(y1-y0); {
	case dx < straight && dy >= shortRule && len(r.upright) < mostRules:
		r.upright = append(r.upright, rule{(x0 + x1) / 2, min(y0, y1), max(y0, y1)})
	case dy < straight && dx >= shortRule && len(r.level) < mostRules:
		r.level = append(r.level, rule{(y0 + y1) / 2, min(x0, x1), max(x0, x1)})
	}
}

// sort sorts the rules by where they stand.
func (r *rules) sort() {
	for _, list := range [][]rule{r.upright, r.level, r.single} {
		slices.SortFunc(list, func(a, b rule) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		})
	}
}

// between reports whether a rule of a sorted list stands between two places and passes a third.
func between(list []rule, from, to, at float64) bool {
	i, _ := slices.BinarySearchFunc(list, from, func(r rule, v float64) int { return cmp.Compare(r.at, v) })
	for n := 0; i < len(list) && list[i].at <= to && n < mostSpaces; i, n = i+1, n+1 {
		if list[i].from <= at && at <= list[i].to {
			return true
		}
	}
	return false
}

// thin adds a filled rectangle, if it is one.
func (r *rules) thin(b rect) {
	x, y := (b[0]+b[2])/2, (b[1]+b[3])/2
	switch w, h := b[2]-b[0], b[3]-b[1]; {
	case w <= thickRule && h > 2*w:
		r.add(x, b[1], x, b[3])
	case h <= thickRule && w > 2*h:
		r.add(b[0], y, b[2], y)
	}
}

// frame adds the sides of a rectangle.
func (r *rules) frame(b rect) {
	r.add(b[0], b[1], b[0], b[3])
	r.add(b[2], b[1], b[2], b[3])
	r.add(b[0], b[1], b[2], b[1])
	r.add(b[0], b[3], b[2], b[3])
}

// closed ends a part of straight lines: four corners may be a rectangle.
func (p *path) closed() {
	n := len(p.corners)
	if n == 5 && p.corners[4] == p.corners[0] {
		n--
	}
	if n == 4 {
		c := p.corners
		level := func(a, b int) bool { return math.Abs(c[a][1]-c[b][1]) < 0.01 && math.Abs(c[a][0]-c[b][0]) >= 0.01 }
		plumb := func(a, b int) bool { return math.Abs(c[a][0]-c[b][0]) < 0.01 && math.Abs(c[a][1]-c[b][1]) >= 0.01 }
		if level(0, 1) && plumb(1, 2) && level(2, 3) && plumb(3, 0) ||
			plumb(0, 1) && level(1, 2) && plumb(2, 3) && level(3, 0) {
			p.rect(nowhere.point(c[0][0], c[0][1]).point(c[2][0], c[2][1]))
			p.corners = p.corners[:0]
			return
		}
	}
	p.loose = p.loose || n > 1
	p.corners = p.corners[:0]
}

// maxRects limits the rectangles of one path; with more it is only its box.
const maxRects = 5000

func (p *path) rect(r rect) {
	p.box = p.box.union(r)
	if len(p.rects) < maxRects {
		p.rects = append(p.rects, r)
	} else {
		p.loose = true
	}
}

// draws interprets the operators of paths, and reports whether op is one.
func (d *drawing) draws(op string, a []operand) bool {
	p := &d.path
	switch op {
	case "m", "l":
		if op == "m" {
			p.closed()
		}
		x, y := d.ctm.apply(at(a, 0), at(a, 1))
		p.box = p.box.point(x, y)
		if n := len(p.corners); op == "l" && n > 0 {
			p.edges.add(p.corners[n-1][0], p.corners[n-1][1], x, y)
		}
		if p.corners = append(p.corners, [2]float64{x, y}); len(p.corners) > 5 {
			p.loose, p.corners = true, append(p.corners[:1], p.corners[5])
		}
	case "c", "v", "y":
		for i := 0; i+1 < len(a); i += 2 {
			x, y := d.ctm.apply(a[i].number, a[i+1].number)
			p.box = p.box.point(x, y)
		}
		p.loose = true
	case "h":
		p.closed()
	case "re":
		p.closed()
		x, y := at(a, 0), at(a, 1)
		r := d.ctm.box(rect{min(x, x+at(a, 2)), min(y, y+at(a, 3)), max(x, x+at(a, 2)), max(y, y+at(a, 3))})
		if p.rect(r); !d.ctm.upright() {
			p.loose = true
		}
	case "W", "W*":
		p.clips = true
	case "f", "F", "f*":
		d.paintPath(true, false)
	case "B", "B*", "b", "b*":
		d.paintPath(true, true)
	case "S", "s":
		d.paintPath(false, true)
	case "n":
		d.paintPath(false, false)
	default:
		return false
	}
	return true
}

// paintPath fills and strokes the path, and ends it.
func (d *drawing) paintPath(fills, strokes bool) {
	p := &d.path
	p.closed()
	if p.box[0] <= p.box[2] {
		if d.off == 0 && (fills || strokes) {
			d.rule(strokes)
		}
		if fills {
			if p.loose || len(p.rects) == 0 {
				d.paint(paint{box: p.box, kind: other})
			} else {
				for _, r := range p.rects {
					kind := fill
					if d.tiles {
						kind = picture
					}
					d.paint(paint{box: r, kind: kind, exact: true, colour: d.fill, opaque: d.fillAlpha >= 1 && !d.tiles})
				}
			}
		}
		// a hairline is no ground of words
		if w := d.width * math.Sqrt(math.Abs(d.ctm[0]*d.ctm[3]-d.ctm[1]*d.ctm[2])); strokes && w > 1.5 {
			d.paint(paint{box: p.box.grown(w / 2), kind: other})
		}
	}
	if p.clips && p.box[0] <= p.box[2] {
		d.clipTo(p.box, !p.loose && len(p.rects) == 1)
	}
	rects, corners := p.rects[:0], p.corners[:0]
	edges := rules{upright: p.edges.upright[:0], level: p.edges.level[:0]}
	*p = newPath()
	p.rects, p.corners, p.edges = rects, corners, edges
}

// rule remembers the rules of the path.
func (d *drawing) rule(strokes bool) {
	p := &d.path
	for _, r := range p.rects {
		if strokes {
			d.rules.frame(r)
		} else {
			before := len(d.rules.level)
			d.rules.thin(r)
			d.rules.single = append(d.rules.single, d.rules.level[before:]...)
		}
	}
	if strokes && len(p.rects)+len(p.edges.upright) == 0 && len(d.rules.single) < mostRules {
		d.rules.single = append(d.rules.single, p.edges.level...)
	}
	if room := mostRules - max(len(d.rules.upright), len(d.rules.level)); strokes && room > 0 {
		d.rules.upright = append(d.rules.upright, p.edges.upright[:min(room, len(p.edges.upright))]...)
		d.rules.level = append(d.rules.level, p.edges.level[:min(room, len(p.edges.level))]...)
	}
}

// clipTo makes the clip smaller. exact says that it is the whole box.
func (d *drawing) clipTo(box rect, exact bool) {
	d.clip = d.clip.intersect(box)
	d.loose = d.loose || !exact
}

// paint remembers what was painted.
func (d *drawing) paint(p paint) {
	if p.box = p.box.intersect(d.clip); d.off > 0 || p.box.empty() || len(d.paints) >= maxPaints {
		return
	}
	if d.loose {
		p.exact = false
	}
	if d.group < 1 || d.blends() {
		p.opaque = false
	}
	d.paints = append(d.paints, p)
}

// image paints a picture in the unit square; a stencil and a masked one show what is below.
func (d *drawing) image(stencil, masked bool) {
	d.paint(paint{box: d.ctm.box(rect{0, 0, 1, 1}), kind: picture, exact: d.ctm.upright(),
		opaque: !stencil && !masked && d.fillAlpha >= 1})
}

// colours interprets the operators of colours and of the state, and reports whether op is one.
func (d *drawing) colours(op string, a []operand, resources types.Dict) bool {
	switch op {
	case "g", "rg", "k":
		d.fillSpace, d.fill, d.tiles = device, device.colourOf(a), false
	case "G", "RG", "K":
		d.strokeSpace, d.stroke = device, device.colourOf(a)
	case "cs", "CS":
		if len(a) == 0 {
			return true
		}
		s := d.spaceOf(resources, string(a[0].text))
		if op == "cs" {
			d.fillSpace, d.fill, d.tiles = s, s.first(), false
		} else {
			d.strokeSpace, d.stroke = s, s.first()
		}
	case "sc", "scn":
		d.fill, d.tiles = d.fillSpace.colourOf(a), false
		if n := len(a); n > 0 && a[n-1].kind == name {
			kind, _ := d.number(d.dict(d.dict(resources["Pattern"])[string(a[n-1].text)])["PatternType"])
			d.tiles = kind == 1
		}
	case "SC", "SCN":
		d.stroke = d.strokeSpace.colourOf(a)
	case "w":
		d.width = at(a, 0)
	case "gs":
		if len(a) > 0 {
			d.extended(d.dict(d.dict(resources["ExtGState"])[string(a[0].text)]))
		}
	case "sh":
		d.paint(paint{box: d.clip, kind: other})
	case "BMC", "BDC":
		d.mark(op, a, resources)
	case "EMC":
		if n := len(d.marks); n > 0 {
			if d.marks[n-1].off {
				d.off--
			}
			d.replace(&d.marks[n-1])
			d.marks = d.marks[:n-1]
		}
	default:
		return false
	}
	return true
}

// blends reports whether what is below shows through what is painted.
func (d *drawing) blends() bool { return d.masked || d.mixes }

// extended sets the state from a dictionary.
func (d *drawing) extended(gs types.Dict) {
	if v, ok := d.number(gs["ca"]); ok {
		d.fillAlpha = v
	}
	if v, ok := d.number(gs["CA"]); ok {
		d.strokeAlpha = v
	}
	if v, ok := d.number(gs["LW"]); ok {
		d.width = v
	}
	if gs["SMask"] != nil {
		d.masked = d.name(gs["SMask"]) != "None"
	}
	if gs["BM"] != nil {
		mode := d.name(gs["BM"])
		if a := d.array(gs["BM"]); len(a) > 0 {
			mode = d.name(a[0])
		}
		d.mixes = mode != "Normal" && mode != "Compatible"
	}
	if f := d.array(gs["Font"]); len(f) == 2 {
		d.font = d.fontFrom(f[0])
		d.size, _ = d.number(f[1])
	}
}

// maxMarks limits the nesting of marked content.
const maxMarks = 1000

// mark begins marked content, which may belong to a layer that is switched off.
func (d *drawing) mark(op string, a []operand, resources types.Dict) {
	off := op == "BDC" && len(a) >= 2 && string(a[0].text) == "OC" &&
		d.layers.off(d.objects, d.dict(resources["Properties"])[string(a[1].text)])
	if len(d.marks) < maxMarks {
		d.marks = append(d.marks, markedContent{off: off, actual: d.actualText(op, a, resources), from: len(d.glyphs)})
		if off {
			d.off++
		}
	}
}

// layers are the layers (optional content groups) of a file that are switched off, by their objects.
type layers map[types.IndirectRef]bool

// layersOf reads which layers of a file are switched off when it is opened.
func (o objects) layersOf() layers {
	out := layers{}
	root, err := o.table.Catalog()
	if err != nil {
		return out
	}
	all := o.dict(root["OCProperties"])
	start := o.dict(all["D"])
	each := func(x types.Object, off bool) {
		for _, g := range o.array(x) {
			if ref, ok := g.(types.IndirectRef); ok && o.take(entrySteps) {
				out[ref] = off
			}
		}
	}
	if o.name(start["BaseState"]) == "OFF" {
		each(all["OCGs"], true)
	}
	each(start["ON"], false)
	each(start["OFF"], true)
	for _, x := range o.array(start["AS"]) { // what readers set when they show the file
		if a := o.dict(x); o.name(a["Event"]) == "View" {
			o.viewed(a, out)
		}
	}
	return out
}

// viewed switches layers as they say themselves that they are to be viewed.
func (o objects) viewed(a types.Dict, out layers) {
	for _, g := range o.array(a["OCGs"]) {
		ref, ok := g.(types.IndirectRef)
		if !ok || !o.take(entrySteps) {
			continue
		}
		switch o.name(o.dict(o.dict(o.dict(ref)["Usage"])["View"])["ViewState"]) {
		case "OFF":
			out[ref] = true
		case "ON":
			out[ref] = false
		}
	}
}

// off reports whether content of a layer, or of a choice of layers, is not shown.
func (l layers) off(o objects, x types.Object) bool {
	if len(l) == 0 || x == nil {
		return false
	}
	if ref, ok := x.(types.IndirectRef); ok {
		if off, known := l[ref]; known {
			return off
		}
	}
	choice := o.dict(x)
	if o.name(choice["Type"]) != "OCMD" || choice["VE"] != nil {
		return false
	}
	groups := o.array(choice["OCGs"])
	if groups == nil {
		groups = types.Array{choice["OCGs"]}
	}
	on, off := 0, 0
	for _, g := range groups {
		if ref, ok := g.(types.IndirectRef); !ok || !o.take(1) {
			continue
		} else if l[ref] {
			off++
		} else {
			on++
		}
	}
	switch o.name(choice["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0 && on > 0
	case "AllOff":
		return on > 0
	}
	return on == 0 && off > 0
}
