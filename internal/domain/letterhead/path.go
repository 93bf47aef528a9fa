package letterhead

import (
	"math"
	"strconv"
	"strings"
)

// outlines draw the elements that have a shape.
var outlines = map[string]func(a map[string]string) ([]Step, bool){
	"path": func(a map[string]string) ([]Step, bool) { return pathSteps(a["d"]) },
	"rect": func(a map[string]string) ([]Step, bool) {
		x, y, w, h := length(a["x"]), length(a["y"]), length(a["width"]), length(a["height"])
		if a["rx"] != "" || a["ry"] != "" {
			return nil, length(a["rx"]) == 0 && length(a["ry"]) == 0
		}
		return polygon([]float64{x, y, x + w, y, x + w, y + h, x, y + h}), true
	},
	"circle":   func(a map[string]string) ([]Step, bool) { return ellipse(a, length(a["r"]), length(a["r"])), true },
	"ellipse":  func(a map[string]string) ([]Step, bool) { return ellipse(a, length(a["rx"]), length(a["ry"])), true },
	"polygon":  func(a map[string]string) ([]Step, bool) { return polygon(numbers(a["points"])), true },
	"polyline": func(a map[string]string) ([]Step, bool) { return polygon(numbers(a["points"])), true },
}

// polygon returns the closed outline of points.
func polygon(v []float64) (out []Step) {
	for i := 0; i+1 < len(v); i += 2 {
		op := byte('l')
		if i == 0 {
			op = 'm'
		}
		out = append(out, Step{Op: op, At: [3][2]float64{{v[i], v[i+1]}}})
	}
	if len(out) > 0 {
		out = append(out, Step{Op: 'h'})
	}
	return out
}

// ellipse returns four curves.
func ellipse(a map[string]string, rx, ry float64) []Step {
	const k = 0.5522847498307936 // of a quarter circle
	x, y := length(a["cx"]), length(a["cy"])
	curve := func(x1, y1, x2, y2, x3, y3 float64) Step {
		return Step{Op: 'c', At: [3][2]float64{{x + x1*rx, y + y1*ry}, {x + x2*rx, y + y2*ry}, {x + x3*rx, y + y3*ry}}}
	}
	return []Step{{Op: 'm', At: [3][2]float64{{x + rx, y}}}, curve(1, k, k, 1, 0, 1), curve(-k, 1, -1, k, -1, 0),
		curve(-1, -k, -k, -1, 0, -1), curve(k, -1, 1, -k, 1, 0), {Op: 'h'}}
}

// length reads a number without a unit or in pixels; 0 for anything else.
func length(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "px"), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return v
}

// numbers reads the numbers of a list up to the first that is none.
func numbers(s string) (out []float64) {
	for scan := (scanner{s: s}); ; {
		v, ok := scan.number()
		if !ok {
			return out
		}
		out = append(out, v)
	}
}

// scanner reads numbers and commands of a path.
type scanner struct {
	s  string
	at int
}

func (c *scanner) space() {
	for c.at < len(c.s) && strings.IndexByte(" ,\t\r\n", c.s[c.at]) >= 0 {
		c.at++
	}
}

// number reads a number: "-1.5e3", ".5", and of "1.5.5" the first.
func (c *scanner) number() (float64, bool) {
	c.space()
	from, dot, exp := c.at, false, false
	for ; c.at < len(c.s); c.at++ {
		switch b := c.s[c.at]; {
		case b >= '0' && b <= '9':
			continue
		case (b == '-' || b == '+') && (c.at == from || c.s[c.at-1] == 'e' || c.s[c.at-1] == 'E'):
			continue
		case b == '.' && !dot && !exp:
			dot = true
			continue
		case (b == 'e' || b == 'E') && !exp && c.at > from:
			exp = true
			continue
		}
		break
	}
	v, err := strconv.ParseFloat(c.s[from:c.at], 64)
	return v, err == nil && math.Abs(v) < 1e9
}

// flag reads a flag of an arc, which needs no space after it.
func (c *scanner) flag() (bool, bool) {
	c.space()
	if c.at >= len(c.s) || c.s[c.at] != '0' && c.s[c.at] != '1' {
		return false, false
	}
	c.at++
	return c.s[c.at-1] == '1', true
}

// command reads a letter if one follows.
func (c *scanner) command() (byte, bool) {
	c.space()
	if c.at < len(c.s) && strings.IndexByte("MmLlHhVvCcSsQqTtAaZz", c.s[c.at]) >= 0 {
		c.at++
		return c.s[c.at-1], true
	}
	return 0, false
}

// arguments are how many numbers a command takes.
var arguments = map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 5, 'z': 0}

// drawing is the state of a path.
type drawing struct {
	out          []Step
	x, y         float64 // where it is
	fromX, fromY float64 // where the outline began
	ctrlX, ctrlY float64 // the last curve's control point
	last         byte    // the last command, in lower case
}

// pathSteps reads the data of a path.
func pathSteps(s string) ([]Step, bool) {
	c, d, op := scanner{s: s}, drawing{}, byte(0)
	for len(d.out) <= maxSteps {
		next, given := c.command()
		if c.space(); !given && c.at >= len(c.s) {
			return d.out, true
		}
		if given {
			op = next
		} else if op == 0 || op == 'z' || op == 'Z' {
			return nil, false
		}
		low := op | 0x20
		if d.last == 0 && low != 'm' {
			return nil, false
		}
		v := make([]float64, 0, 7)
		var large, sweep bool
		for i := range arguments[low] {
			if low == 'a' && i == 3 {
				var ok1, ok2 bool
				large, ok1 = c.flag()
				sweep, ok2 = c.flag()
				if !ok1 || !ok2 {
					return nil, false
				}
			}
			n, ok := c.number()
			if !ok {
				return nil, false
			}
			v = append(v, n)
		}
		d.step(low, op == low, v, large, sweep)
		if d.last = low; low == 'm' { // pairs that follow are lines
			op = op - 'm' + 'l'
		}
	}
	return nil, false
}

// step adds one command.
func (d *drawing) step(op byte, relative bool, v []float64, large, sweep bool) {
	dx, dy := 0.0, 0.0
	if relative {
		dx, dy = d.x, d.y
	}
	p := func(i int) (float64, float64) { return v[i] + dx, v[i+1] + dy }
	switch op {
	case 'm':
		d.x, d.y = p(0)
		d.fromX, d.fromY = d.x, d.y
		d.out = append(d.out, Step{Op: 'm', At: [3][2]float64{{d.x, d.y}}})
	case 'l':
		d.line(p(0))
	case 'h':
		d.line(v[0]+dx, d.y)
	case 'v':
		d.line(d.x, v[0]+dy)
	case 'c':
		x1, y1 := p(0)
		x2, y2 := p(2)
		x3, y3 := p(4)
		d.curve(x1, y1, x2, y2, x3, y3)
	case 's':
		x1, y1 := d.mirrored("cs")
		x2, y2 := p(0)
		x3, y3 := p(2)
		d.curve(x1, y1, x2, y2, x3, y3)
	case 'q':
		x1, y1 := p(0)
		x2, y2 := p(2)
		d.quadratic(x1, y1, x2, y2)
	case 't':
		x1, y1 := d.mirrored("qt")
		x2, y2 := p(0)
		d.quadratic(x1, y1, x2, y2)
	case 'a':
		x, y := p(3)
		d.arc(math.Abs(v[0]), math.Abs(v[1]), v[2]*math.Pi/180, large, sweep, x, y)
	case 'z':
		d.out = append(d.out, Step{Op: 'h'})
		d.x, d.y = d.fromX, d.fromY
	}
}

func (d *drawing) line(x, y float64) {
	d.x, d.y = x, y
	d.out = append(d.out, Step{Op: 'l', At: [3][2]float64{{x, y}}})
}

func (d *drawing) curve(x1, y1, x2, y2, x3, y3 float64) {
	d.out = append(d.out, Step{Op: 'c', At: [3][2]float64{{x1, y1}, {x2, y2}, {x3, y3}}})
	d.ctrlX, d.ctrlY, d.x, d.y = x2, y2, x3, y3
}

func (d *drawing) quadratic(x1, y1, x2, y2 float64) {
	x0, y0 := d.x, d.y
	d.curve(x0+(x1-x0)*2/3, y0+(y1-y0)*2/3, x2+(x1-x2)*2/3, y2+(y1-y2)*2/3, x2, y2)
	d.ctrlX, d.ctrlY = x1, y1
}

// mirrored is the control point of a smooth curve: the last one's, mirrored, if the last command was of its kind.
func (d *drawing) mirrored(kinds string) (float64, float64) {
	if strings.IndexByte(kinds, d.last) < 0 {
		return d.x, d.y
	}
	return 2*d.x - d.ctrlX, 2*d.y - d.ctrlY
}

// arc adds an arc of an ellipse as curves of at most a quarter each (SVG 1.1, appendix F.6).
func (d *drawing) arc(rx, ry, turn float64, large, sweep bool, x, y float64) {
	if rx == 0 || ry == 0 || d.x == x && d.y == y {
		d.line(x, y)
		return
	}
	sin, cos := math.Sincos(turn)
	hx, hy := (d.x-x)/2, (d.y-y)/2
	px, py := cos*hx+sin*hy, cos*hy-sin*hx
	if over := px*px/(rx*rx) + py*py/(ry*ry); over > 1 {
		rx, ry = rx*math.Sqrt(over), ry*math.Sqrt(over)
	}
	root := math.Sqrt(math.Max(0, (rx*rx*ry*ry-rx*rx*py*py-ry*ry*px*px)/(rx*rx*py*py+ry*ry*px*px)))
	if large == sweep {
		root = -root
	}
	cx, cy := root*rx*py/ry, -root*ry*px/rx
	from, to := math.Atan2((py-cy)/ry, (px-cx)/rx), math.Atan2((-py-cy)/ry, (-px-cx)/rx)
	if sweep && to < from {
		to += 2 * math.Pi
	} else if !sweep && to > from {
		to -= 2 * math.Pi
	}
	ox, oy := cos*cx-sin*cy+(d.x+x)/2, sin*cx+cos*cy+(d.y+y)/2
	n := int(math.Ceil(math.Abs(to-from)/(math.Pi/2) - 1e-9))
	part := (to - from) / float64(max(n, 1))
	k := 4.0 / 3 * math.Tan(part/4)
	at := func(s, c float64) (float64, float64) { return ox + cos*rx*c - sin*ry*s, oy + sin*rx*c + cos*ry*s }
	for i := range max(n, 1) {
		s1, c1 := math.Sincos(from + float64(i)*part)
		s2, c2 := math.Sincos(from + float64(i+1)*part)
		x1, y1 := at(s1+k*c1, c1-k*s1)
		x2, y2 := at(s2-k*c2, c2+k*s2)
		x3, y3 := at(s2, c2)
		d.curve(x1, y1, x2, y2, x3, y3)
	}
}
