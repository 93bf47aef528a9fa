package pdftext

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// Flags of an annotation and of a form's field (ISO 32000-1, tables 165, 226 to 230).
const (
	annotationHidden = 1 << 1
	annotationNoView = 1 << 5
	fieldMultiline   = 1 << 12
	fieldPassword    = 1 << 13
	buttonPush       = 1 << 16
)

// remarks are the annotations that show a sign, or mark words, and have their text in a window.
var remarks = []string{"Text", "Highlight", "Underline", "Squiggly", "StrikeOut", "Caret", "Square", "Circle", "Line",
	"Polygon", "PolyLine", "Ink"}

// annotation is one that a page shows.
type annotation struct {
	types.Dict
	kind  string
	place rect
	flags int // of its field
}

// annotations draws what a page shows above its content: the values of form fields where they stand, notes, stamps. It
// returns what is read apart from the running text.
func (d *drawing) annotations(list types.Array) (aside []asideText) {
	for _, x := range list {
		a := annotation{Dict: d.dict(x)}
		if !d.take(formSteps) || a.Dict == nil {
			continue
		}
		a.kind = d.name(a.Dict["Subtype"])
		flags, _ := d.number(a.Dict["F"])
		box := d.array(a.Dict["Rect"])
		if int(flags)&(annotationHidden|annotationNoView) != 0 || a.kind == "Popup" || a.kind == "Link" || len(box) != 4 ||
			d.layers.off(d.objects, a.Dict["OC"]) {
			continue
		}
		a.place = d.rectOf(box)
		switch {
		case a.kind == "Widget":
			d.widget(&a)
		case a.kind == "FreeText":
			if s := d.freeText(&a); s != "" {
				aside = append(aside, asideText{Remark, s})
			}
		default:
			d.appearance(&a)
			if a.kind == "StrikeOut" && len(d.strikes) < maxStrikes {
				d.strikes = append(d.strikes, d.quads(a.Dict)...)
			}
			if slices.Contains(remarks, a.kind) {
				if s := d.says(a.Dict["Contents"]); hasWord(s) {
					aside = append(aside, asideText{Comment, s})
				}
			}
		}
	}
	return aside
}

// maxStrikes limits how many places reviewers strike out on a page.
const maxStrikes = 1000

// asideText is text that is no part of the running text.
type asideText struct {
	part Part
	text string
}

// maxParents limits how far a field inherits.
const maxParents = 16

// inherited returns an entry of a field, or of one above it.
func (d *drawing) inherited(field types.Dict, key string) types.Object {
	for i := 0; field != nil && i < maxParents && d.take(1); i++ {
		if x := field[key]; x != nil {
			return x
		}
		field = d.dict(field["Parent"])
	}
	return nil
}

// appearance draws how an annotation looks, and returns what that added.
func (d *drawing) appearance(a *annotation) []glyph {
	before := len(d.glyphs)
	x := d.dict(a.Dict["AP"])["N"]
	if !d.isStream(x) {
		states := d.dict(x)
		now := d.name(a.Dict["AS"])
		if now == "" || states[now] == nil {
			return nil
		}
		x = states[now]
	}
	form := d.dict(x)
	own := identity
	if m := d.array(form["Matrix"]); len(m) == 6 {
		for i := range own {
			own[i], _ = d.number(m[i])
		}
	}
	box := d.array(form["BBox"])
	if len(box) != 4 {
		return nil
	}
	from := own.box(d.rectOf(box))
	if from.empty() || a.place.empty() {
		return nil
	}
	wide, high := (a.place[2]-a.place[0])/(from[2]-from[0]), (a.place[3]-a.place[1])/(from[3]-from[1])
	d.state, d.kept, d.marks, d.off = state{stretch: 1, look: firstLook}, d.kept[:0], d.marks[:0], 0
	d.ctm = matrix{wide, 0, 0, high, a.place[0] - from[0]*wide, a.place[1] - from[1]*high}
	d.mixes = a.kind == "Highlight" // readers mix it with the words below
	d.text, d.line = identity, identity
	d.drawForm(x, form, nil, 1)
	return d.glyphs[before:]
}

// freeText returns the words of a note that stands on the page: as it looks, or as it says if that is the same.
func (d *drawing) freeText(a *annotation) string {
	before := len(d.glyphs)
	drawn := slices.Clone(d.appearance(a))
	d.glyphs = d.glyphs[:before]
	words := d.says(a.Dict["Contents"])
	if len(drawn) == 0 || sameLetters(textOf(drawn), words) {
		return words
	}
	var out []string
	for _, l := range lines(drawn, &rules{}, nil) {
		out = append(out, string(l.text))
	}
	return strings.Join(out, " ")
}

// widget draws the value of a form's field among the words of the page.
func (d *drawing) widget(a *annotation) {
	before := len(d.glyphs)
	drawn := slices.Clone(d.appearance(a))
	d.glyphs = d.glyphs[:before]
	flags, _ := d.number(d.inherited(a.Dict, "Ff"))
	a.flags = int(flags)
	switch d.name(d.inherited(a.Dict, "FT")) {
	case "Tx", "Ch":
		value := d.value(a)
		regenerated := d.regenerates && value != ""
		if a.flags&fieldPassword == 0 && (len(drawn) == 0 || regenerated || sameLetters(textOf(drawn), value)) {
			drawn = d.written(a, value)
		}
	case "Btn":
		if len(drawn) == 0 && a.flags&buttonPush == 0 {
			drawn = d.written(a, "☐")
			if s := d.name(a.Dict["AS"]); s != "" && s != "Off" {
				drawn = d.written(a, "☒")
			}
		}
	}
	d.put(drawn)
}

// value returns the value of a field as it is shown; of a list that is the name of the choice.
func (d *drawing) value(a *annotation) string {
	x := d.inherited(a.Dict, "V")
	values := d.array(x)
	if values == nil {
		values = types.Array{x}
	}
	options := d.array(d.inherited(a.Dict, "Opt"))
	var out []string
	for _, v := range values {
		s := d.says(v)
		for _, o := range options {
			if !d.take(1) {
				break
			}
			if pair := d.array(o); len(pair) == 2 && d.says(pair[0]) == s {
				s = d.says(pair[1])
				break
			}
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

// says returns a text of the file's objects, "" if it is none.
func (o objects) says(x types.Object) string {
	if x == nil {
		return ""
	}
	s, err := o.table.DereferenceText(x)
	if err != nil || !o.take(len(s)/bytesPerStep) {
		return ""
	}
	return strings.TrimSpace(s)
}

// sameLetters reports whether two texts have the same letters and digits, in any order: one may be as it is drawn.
func sameLetters(a, b string) bool {
	letters := func(s string) []rune {
		var out []rune
		for _, r := range string(tidy([]rune(s))) {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				out = append(out, r)
			}
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(letters(a), letters(b))
}

// written returns a value as if it were drawn into its field, a glyph for each line.
func (d *drawing) written(a *annotation, value string) (out []glyph) {
	value = strings.ReplaceAll(strings.ReplaceAll(value, "\r\n", "\n"), "\r", "\n")
	high := a.place[3] - a.place[1]
	size := min(12, 0.7*high)
	if fields := strings.Fields(d.says(d.inherited(a.Dict, "DA"))); len(fields) > 2 {
		for i := 2; i < len(fields); i++ {
			if v, err := strconv.ParseFloat(fields[i-1], 64); fields[i] == "Tf" && err == nil && v > 0 {
				size = v
			}
		}
	}
	y := a.place[1] + (high-size)/2 + 0.2*size
	if a.flags&fieldMultiline != 0 || strings.Contains(value, "\n") {
		y = a.place[3] - size
	}
	for line := range strings.SplitSeq(value, "\n") {
		if line = strings.TrimSpace(line); line != "" && d.take(glyphSteps) && size > 0 {
			wide := min(a.place[2]-a.place[0]-4, 0.5*size*float64(len([]rune(line))))
			g := glyph{text: line, x: a.place[0] + 2, y: y, w: max(wide, 1), size: size}
			g.seen = &seen{wide: size, core: rect{g.x, y, g.x + g.w, y + size/2}, fill: black, after: len(d.paints), alpha: 1}
			out = append(out, g)
		}
		y -= 1.2 * size
	}
	return out
}

// put adds glyphs of a field where they stand: behind the words before it on the same line, and otherwise below the
// line above it.
func (d *drawing) put(drawn []glyph) {
	if len(drawn) == 0 || len(d.glyphs)+len(drawn) > maxGlyphs || !d.take(len(d.glyphs)/entrySteps) {
		return
	}
	first := &drawn[0]
	at, best, level := len(d.glyphs), math.Inf(1), false
	for i := range d.glyphs {
		g := &d.glyphs[i]
		if g.turn != first.turn || classOf(g.text) == space {
			continue
		}
		same := math.Abs(g.y-first.y) <= 0.6*max(g.size, first.size)
		far, gap := math.Inf(1), first.x-g.x
		switch {
		case same && gap >= 0:
			far = gap
		case same && !level:
			far = 1000 - gap // only words after it
		case !level && g.y > first.y:
			far = 10_000 + 10*math.Round(g.y-first.y) // the last one of that line
		}
		if far <= best && !math.IsInf(far, 1) {
			at, best, level = i+1, far, level || same && gap >= 0
			if same && gap < 0 {
				at = i
			}
		}
	}
	if len(d.glyphs) > 0 && oneLine(drawn) {
		row := d.glyphs[min(max(at-1, 0), len(d.glyphs)-1)].y
		if math.Abs(row-first.y) <= 0.6*first.size {
			for i := range drawn {
				drawn[i].y = row
			}
		}
	}
	d.glyphs = slices.Insert(d.glyphs, at, drawn...)
}

func oneLine(g []glyph) bool {
	for i := range g {
		if math.Abs(g[i].y-g[0].y) > 0.2*g[0].size {
			return false
		}
	}
	return true
}
