package slides

import (
	"cmp"
	"encoding/xml"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain/ledger"
)

// slideTheme are the colours of a theme by their names.
type slideTheme map[string]slideColor

// theme reads a theme, once for all slides that use it.
func (s *slides) theme(name string) (slideTheme, error) {
	if t, ok := s.themes[name]; ok || name == "" {
		return t, nil
	}
	t, of := slideTheme{}, ""
	err := block.ReadPart(s.parts[name], s.left, func(tok xml.Token) error {
		e, ok := tok.(xml.StartElement)
		switch {
		case !ok:
		case len(e.Name.Local) == 3 || strings.HasPrefix(e.Name.Local, "accent"):
			of = e.Name.Local // dk1, lt1, dk2, lt2, accent1 …
		case of != "" && (e.Name.Local == "srgbClr" || e.Name.Local == "sysClr"):
			if _, ok := t[of]; !ok {
				t[of] = colorOf(e)
			}
			of = ""
		}
		return nil
	})
	s.themes[name] = t
	return t, err
}

// slideLook is how a slide looks: what is on it, and what its layout and master put behind that.
type slideLook struct {
	slides         *slides
	on             *slideSheet
	layout, master *slideSheet
	theme          slideTheme
}

// hides returns by what a whole shape is hidden, "" if it is seen.
func (l *slideLook) hides(x *shape) ledger.LeftOutHow {
	switch {
	case !l.on.shown, x.hidden:
		return ledger.HiddenFormat
	case l.outside(x.box) && !l.on.moving: // what moves may come in
		return ledger.OffPage
	}
	return ""
}

// outside reports whether a shape is wholly beside the slide.
func (l *slideLook) outside(b slideBox) bool {
	w, h := float64(l.slides.width), float64(l.slides.height)
	return b.known && l.master != nil && w > 0 && h > 0 && (b.x >= w || b.y >= h || b.x+b.width <= 0 || b.y+b.height <= 0)
}

// write adds a paragraph of a shape as it is seen.
func (l *slideLook) write(t *wordfile.SeenText, at int, p *slideParagraph) {
	x := l.on.shapes[at]
	how := l.hides(x)
	var behind slideColor
	looked := false
	for i := range p.runs {
		run := &p.runs[i]
		look := run.look
		look.Hidden = cmp.Or(how, look.Hidden)
		if look.Hidden == "" && run.color.clear {
			look.Hidden = ledger.Transparent
		}
		if look.Hidden == "" && run.color.known {
			if !looked {
				behind, looked = l.behind(at), true
			}
			if color := l.resolved(run.color); color.known && behind.known && sameColor(color.rgb, behind.rgb) {
				look.Hidden = ledger.SameColor
			}
		}
		t.Write(run.on(l.slides.number), look)
	}
}

// sameColor reports whether two colours cannot be told from each other.
func sameColor(a, b int) bool {
	for shift := 0; shift <= 16; shift += 8 {
		if d := a>>shift&0xFF - b>>shift&0xFF; d > 5 || d < -5 {
			return false
		}
	}
	return true
}

// resolved is a colour by its value; unknown if the theme does not say.
func (l *slideLook) resolved(c slideColor) slideColor {
	if !c.known || c.scheme == "" {
		return c
	}
	name := c.scheme
	for _, s := range []*slideSheet{l.on, l.layout, l.master} {
		if s != nil && s.colors[name] != "" {
			name = s.colors[name]
			break
		}
	}
	return l.theme[name]
}

// behind is the colour behind the text of a shape; unknown if that is a picture, several colours, or not sure.
func (l *slideLook) behind(at int) slideColor {
	x := l.on.shapes[at]
	fill, box := x.fill, x.box
	if !fill.stated {
		fill = x.styled
	}
	for _, base := range []*slideSheet{l.layout, l.master} {
		p := base.placeholder(x)
		if p == nil {
			continue
		}
		if !box.known {
			box = p.box
		}
		if !fill.stated {
			fill = p.fill
		}
	}
	if fill.stated && !fill.none {
		return l.resolved(fill.color)
	}
	for _, base := range []*slideSheet{l.master, l.layout} {
		if base == nil || covers(base.shapes, box, true) {
			return slideColor{}
		}
	}
	if covers(l.on.shapes[:at], box, false) {
		return slideColor{}
	}
	for _, s := range []*slideSheet{l.on, l.layout, l.master} {
		if s.ground.stated {
			return l.resolved(s.ground.color)
		}
	}
	return slideColor{}
}

// placeholder is the one that a shape fills; nil if none.
func (s *slideSheet) placeholder(of *shape) *shape {
	if s == nil || !of.placeholder {
		return nil
	}
	for _, x := range s.shapes {
		if x.placeholder && (x.kind == of.kind && x.index == of.index || of.index != "" && x.index == of.index ||
			of.isTitle() && x.isTitle()) {
			return x
		}
	}
	return nil
}

// covers reports whether one of the shapes may stand behind a box with a colour of its own.
func covers(shapes []*shape, box slideBox, bases bool) bool {
	for _, x := range shapes {
		if bases && x.placeholder || x.hidden {
			continue
		}
		filled := x.picture || x.table != nil || x.chart != "" || x.diagram != "" || x.fill.stated && !x.fill.none ||
			!x.fill.stated && x.styled.stated
		if filled && (!box.known || !x.box.known || x.box.meets(box)) {
			return true
		}
	}
	return false
}

func (b slideBox) meets(o slideBox) bool {
	return b.x < o.x+o.width && o.x < b.x+b.width && b.y < o.y+o.height && o.y < b.y+b.height
}

// bullet is what stands before a paragraph: by itself, its shape, the placeholder of the layout, or the master.
func (l *slideLook) bullet(x *shape, p *slideParagraph) slideBullet {
	if p.bullet.stated {
		return p.bullet
	}
	if b, ok := x.levels[p.level]; ok {
		return b
	}
	if !x.placeholder || l.master == nil || x.kind != "" && x.kind != "body" && x.kind != "obj" {
		return slideBullet{}
	}
	for _, base := range []*slideSheet{l.layout, l.master} {
		if of := base.placeholder(x); of != nil {
			if b, ok := of.levels[p.level]; ok {
				return b
			}
		}
	}
	return l.master.levels[p.level]
}

// slideNumbers counts the numbered paragraphs of a text.
type slideNumbers struct {
	counts  [slideLevels]int
	formats [slideLevels]string
}

// label is what stands before the next paragraph, "" for nothing.
func (n *slideNumbers) label(level int, b slideBullet) string {
	for i := level + 1; i < slideLevels; i++ {
		n.formats[i] = ""
	}
	if b.format == "" {
		if n.formats[level] = ""; b.sign {
			return "-"
		}
		return ""
	}
	if n.formats[level] != b.format {
		n.formats[level], n.counts[level] = b.format, b.start-1
	}
	n.counts[level]++
	return slideNumber(n.counts[level], b.format)
}

// slideFormats are the numbers of paragraphs by how their names begin.
var slideFormats = []struct{ begin, format string }{{"alphaLc", "lowerLetter"}, {"alphaUc", "upperLetter"},
	{"romanLc", "lowerRoman"}, {"romanUc", "upperRoman"}, {"arabic1", "arabicAlpha"}, {"arabic2", "arabicAbjad"}}

// slideNumber writes a number in a format of PowerPoint (ECMA-376, part 1, 20.1.10.61).
func slideNumber(n int, name string) string {
	format := "decimal"
	for _, f := range slideFormats {
		if strings.HasPrefix(name, f.begin) {
			format = f.format
		}
	}
	s := wordfile.WrittenNumber(n, format)
	switch {
	case strings.HasSuffix(name, "ParenBoth"):
		return "(" + s + ")"
	case strings.HasSuffix(name, "ParenR"):
		return s + ")"
	case strings.HasSuffix(name, "Minus"):
		return s + "-"
	case strings.HasSuffix(name, "Plain"):
		return s
	}
	return s + "."
}
