package letterhead

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The subset of SVG that is drawn: filled paths and basic shapes in groups, with plain colours and transforms. Whatever
// would look otherwise than its author meant is refused: strokes, gradients, text, pictures, references and scripts.

// Bounds of an SVG.
const (
	maxDepth = 32
	maxSteps = 20000
)

// isSVG reports whether data begins as XML does.
func isSVG(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(data, []byte("<"))
}

const svgSpace = "http://www.w3.org/2000/svg"

// svgStyle is what elements inherit.
type svgStyle struct {
	fill    int // 0xRRGGBB, -1 for none
	evenOdd bool
	m       matrix
}

// svgReader reads one file.
type svgReader struct {
	out    *Picture
	styles []svgStyle
	x, y   float64 // origin of the view box
	steps  int
}

func readSVG(data []byte) (*Picture, error) {
	r := &svgReader{out: &Picture{}, styles: []svgStyle{{m: matrix{1, 0, 0, 1, 0, 0}}}}
	d, roots := xml.NewDecoder(bytes.NewReader(data)), 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, refuse("refused_logo_xml")
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(r.styles) == 1 {
				if roots++; roots > 1 {
					return nil, refuse("refused_logo_roots")
				}
			}
			skip, err := r.begin(&t)
			if err != nil {
				return nil, err
			}
			if skip {
				if err := passOver(d, &t); err != nil {
					return nil, err
				}
			}
		case xml.EndElement:
			r.styles = r.styles[:len(r.styles)-1]
		case xml.ProcInst:
			if t.Target == "xml-stylesheet" {
				return nil, refuse("refused_logo_style")
			}
		case xml.Directive:
			if bytes.Contains(t, []byte("ENTITY")) {
				return nil, refuse("refused_logo_part", "Name", "ENTITY")
			}
		}
	}
	if len(r.out.Shapes) == 0 || r.out.Width <= 0 {
		return nil, refuse("refused_logo_empty")
	}
	return r.out, nil
}

// passOver reads to the end of an element that is not drawn. A style or a script in it is refused, as a browser heeds it.
func passOver(d *xml.Decoder, e *xml.StartElement) error {
	for depth, token := 1, xml.Token(*e); ; {
		if s, ok := token.(xml.StartElement); ok && (s.Name.Local == "style" || s.Name.Local == "script") {
			return refuse("refused_logo_part", "Name", s.Name.Local)
		}
		next, err := d.Token()
		if err != nil {
			return refuse("refused_logo_xml")
		}
		switch next.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			if depth--; depth == 0 {
				return nil
			}
		}
		token = next
	}
}

// begin reads an element; skip says that neither it nor what is in it is drawn.
func (r *svgReader) begin(e *xml.StartElement) (skip bool, err error) {
	name := e.Name.Local
	if e.Name.Space != "" && e.Name.Space != svgSpace || name == "title" || name == "desc" || name == "metadata" ||
		name == "defs" {
		return true, nil
	}
	if len(r.styles) > maxDepth {
		return false, refuse("refused_logo_large")
	}
	if (name == "svg") != (len(r.styles) == 1) {
		return false, refuse("refused_logo_part", "Name", name)
	}
	outline := outlines[name]
	if outline == nil && name != "svg" && name != "g" {
		return false, refuse("refused_logo_part", "Name", name)
	}
	a := attributes(e)
	s, err := r.styles[len(r.styles)-1].with(a)
	if err != nil {
		return false, err
	}
	r.styles = append(r.styles, s)
	if name == "svg" {
		return false, r.size(a)
	}
	if name == "g" {
		return false, nil
	}
	steps, ok := outline(a)
	if r.steps += len(steps); r.steps > maxSteps {
		return false, refuse("refused_logo_large")
	}
	if !ok {
		return false, refuse("refused_logo_part", "Name", name)
	}
	if s.fill < 0 || len(steps) == 0 {
		return false, nil
	}
	shape := Shape{Fill: uint32(s.fill), EvenOdd: s.evenOdd, Steps: steps}
	for i := range shape.Steps {
		for j, at := range shape.Steps[i].At {
			x, y := s.m.apply(at[0], at[1])
			if math.IsNaN(x+y) || math.Abs(x)+math.Abs(y) > 1e6 {
				return false, refuse("refused_logo_part", "Name", name)
			}
			shape.Steps[i].At[j] = [2]float64{x - r.x, y - r.y}
		}
	}
	r.out.Shapes = append(r.out.Shapes, shape)
	return false, nil
}

// size reads the view box, or width and height.
func (r *svgReader) size(a map[string]string) error {
	box := numbers(a["viewBox"])
	if len(box) == 4 {
		r.x, r.y, r.out.Width, r.out.Height = box[0], box[1], box[2], box[3]
	} else {
		r.out.Width, r.out.Height = length(a["width"]), length(a["height"])
	}
	if !(r.out.Width > 0 && r.out.Height > 0 && r.out.Width < 1e5 && r.out.Height < 1e5) {
		return refuse("refused_logo_box")
	}
	return nil
}

// attributes returns an element's attributes, those of its style among them.
func attributes(e *xml.StartElement) map[string]string {
	out := map[string]string{}
	for _, a := range e.Attr {
		if a.Name.Space == "" {
			out[a.Name.Local] = strings.TrimSpace(a.Value)
		} else if a.Name.Local == "href" {
			out["href"] = a.Value
		}
	}
	for part := range strings.SplitSeq(out["style"], ";") {
		if name, value, ok := strings.Cut(part, ":"); ok {
			out[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	return out
}

// refusedParts are attributes that change how a shape looks in ways that are not drawn, with the values that do not.
var refusedParts = map[string][]string{"opacity": {"1"}, "fill-opacity": {"1"}, "stroke": {"none", "transparent"},
	"clip-path": {"none"}, "mask": {"none"}, "filter": {"none"}, "class": {}, "href": {}, "display": {"inline", "block"},
	"visibility": {"visible"}, "mix-blend-mode": {"normal"}}

// with returns the style of an element within another.
func (s svgStyle) with(a map[string]string) (svgStyle, error) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		value := a[name]
		if strings.HasPrefix(name, "on") {
			return s, refuse("refused_logo_part", "Name", name)
		}
		if harmless, is := refusedParts[name]; is && value != "" && !slices.Contains(harmless, value) {
			return s, refuse("refused_logo_part", "Name", name)
		}
	}
	if fill := a["fill"]; fill != "" && fill != "inherit" {
		c, ok := colour(fill)
		if !ok {
			return s, refuse("refused_logo_colour", "Name", fill)
		}
		s.fill = c
	}
	if rule := a["fill-rule"]; rule != "" && rule != "inherit" {
		s.evenOdd = rule == "evenodd"
	}
	m, ok := transform(a["transform"])
	if !ok {
		return s, refuse("refused_logo_part", "Name", "transform")
	}
	s.m = s.m.times(m)
	return s, nil
}

// colour reads a colour as 0xRRGGBB, -1 for none.
func colour(s string) (int, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch named, ok := namedColours[s]; {
	case ok:
		return named, true
	case strings.HasPrefix(s, "rgb(") && strings.HasSuffix(s, ")"):
		v := numbers(s[4 : len(s)-1])
		if len(v) != 3 || strings.Contains(s, "%") {
			return 0, false
		}
		out := 0
		for _, x := range v {
			if x < 0 || x > 255 {
				return 0, false
			}
			out = out<<8 | int(x)
		}
		return out, true
	case strings.HasPrefix(s, "#") && len(s) == 4:
		s = "#" + strings.Repeat(s[1:2], 2) + strings.Repeat(s[2:3], 2) + strings.Repeat(s[3:4], 2)
	}
	if !strings.HasPrefix(s, "#") || len(s) != 7 {
		return 0, false
	}
	v, err := strconv.ParseUint(s[1:], 16, 32)
	return int(v), err == nil
}

var namedColours = map[string]int{"none": -1, "transparent": -1, "black": 0, "currentcolor": 0, "white": 0xffffff,
	"red": 0xff0000, "green": 0x008000, "blue": 0x0000ff, "navy": 0x000080, "gray": 0x808080, "grey": 0x808080,
	"gold": 0xffd700, "silver": 0xc0c0c0, "maroon": 0x800000, "teal": 0x008080, "orange": 0xffa500, "yellow": 0xffff00,
	"purple": 0x800080}

// matrix maps (x, y) to (ax+cy+e, bx+dy+f).
type matrix [6]float64

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// times returns the mapping that applies n and then m.
func (m matrix) times(n matrix) matrix {
	e, f := m.apply(n[4], n[5])
	return matrix{m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3], e, f}
}

// transform reads a list of transforms.
func transform(s string) (matrix, bool) {
	m := matrix{1, 0, 0, 1, 0, 0}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimLeft(s, " ,\t\r\n") {
		name, rest, ok := strings.Cut(s, "(")
		inside, after, closed := strings.Cut(rest, ")")
		if !ok || !closed {
			return m, false
		}
		n, ok := one(strings.TrimSpace(name), numbers(inside))
		if !ok {
			return m, false
		}
		m, s = m.times(n), after
	}
	return m, true
}

// one returns a single transform.
func one(name string, v []float64) (matrix, bool) {
	at := func(i int, otherwise float64) float64 {
		if i < len(v) {
			return v[i]
		}
		return otherwise
	}
	switch {
	case name == "matrix" && len(v) == 6:
		return matrix(v), true
	case name == "translate" && len(v) > 0:
		return matrix{1, 0, 0, 1, v[0], at(1, 0)}, true
	case name == "scale" && len(v) > 0:
		return matrix{v[0], 0, 0, at(1, v[0]), 0, 0}, true
	case name == "rotate" && len(v) > 0:
		sin, cos := math.Sincos(v[0] * math.Pi / 180)
		x, y := at(1, 0), at(2, 0)
		return matrix{1, 0, 0, 1, x, y}.times(matrix{cos, sin, -sin, cos, 0, 0}).times(matrix{1, 0, 0, 1, -x, -y}), true
	}
	return matrix{}, false
}
