package wordfile

import (
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain/ledger"
)

// toggle is a property that may be set, switched off, or left to a style.
type toggle int8

const (
	unset toggle = iota
	on
	off
)

func toggled(e xml.StartElement) toggle {
	if block.IsOn(e) {
		return on
	}
	return off
}

// wordProps are the properties of a run that decide whether and where a reader sees it.
type wordProps struct {
	vanish, strike, doubleStrike toggle
	level                        string // superscript, subscript or baseline; "" if it does not say
	color                        string // in hexadecimal digits, "auto", "" if it does not say
	ground                       string // what is behind it: in hexadecimal digits, mixed, "" if it does not say
	filling                      bool   // what follows is about the fill of its letters
	clear                        bool   // that is none
	size, complexSize            int    // in half points, 0 if it does not say
	complex                      toggle // it has the size for Arabic and the like
	narrow                       bool   // its letters are squeezed until nobody can read them
	font                         string
}

// set takes an element of rPr, and reports whether it is one.
func (p *wordProps) set(e xml.StartElement) bool {
	switch e.Name.Local {
	case "vanish":
		p.vanish = toggled(e)
	case "strike":
		p.strike = toggled(e)
	case "dstrike":
		p.doubleStrike = toggled(e)
	case "vertAlign":
		p.level = block.Attribute(e, "val")
	case "position":
		if n, err := strconv.Atoi(block.Attribute(e, "val")); err == nil && p.level == "" &&
			(n >= leastMoved || n <= -leastMoved) {
			p.level = map[bool]string{true: "superscript", false: "subscript"}[n > 0]
		}
	case "color":
		p.color = strings.ToLower(block.Attribute(e, "val"))
	case "shd":
		p.ground = shading(e)
	case "highlight":
		p.ground = strings.ToLower(block.Attribute(e, "val"))
		if hex := highlights[p.ground]; hex != "" {
			p.ground = hex
		} else if p.ground == "none" {
			p.ground = ""
		}
	case "rtl", "cs":
		p.complex = toggled(e)
	case "szCs":
		if n, err := strconv.Atoi(block.Attribute(e, "val")); err == nil && n > 0 {
			p.complexSize = n
		}
	case "w":
		n, err := strconv.Atoi(strings.TrimSuffix(block.Attribute(e, "val"), "%"))
		p.narrow = err == nil && n > 0 && n <= mostSqueezed
	case "sz":
		if n, err := strconv.Atoi(block.Attribute(e, "val")); err == nil && n > 0 {
			p.size = n
		}
	case "rFonts":
		if font := block.Attribute(e, "ascii"); font != "" {
			p.font = font
		}
	default:
		return p.setFill(e)
	}
	return true
}

// setFill takes an element of what fills the letters, and reports whether it is one.
func (p *wordProps) setFill(e xml.StartElement) bool {
	switch e.Name.Local {
	case "textOutline", "scene3d", "props3d", "textFill":
		p.filling = e.Name.Local == "textFill"
	case "noFill":
		p.clear = p.clear || p.filling
	case "gradFill":
		if p.filling {
			p.color = mixed
		}
	case "srgbClr", "schemeClr":
		if p.filling {
			p.color = strings.ToLower(block.Attribute(e, "val"))
		}
	case "alpha": // how much is seen through it
		if n, err := strconv.Atoi(block.Attribute(e, "val")); p.filling && err == nil && n >= 97_000 {
			p.clear = true
		}
	default:
		return false
	}
	return true
}

// mixed is a colour that cannot be told from the file.
const mixed = "mixed"

const (
	leastMoved   = 4  // half points off the line that make text raised or lowered
	mostSqueezed = 10 // hundredths of a letter's width that nobody can read
)

// highlights are the colours of Word's marker.
var highlights = map[string]string{"black": "000000", "blue": "0000ff", "cyan": "00ffff", "darkblue": "00008b",
	"darkcyan": "008b8b", "darkgray": "a9a9a9", "darkgreen": "006400", "darkmagenta": "800080", "darkred": "8b0000",
	"darkyellow": "808000", "green": "00ff00", "lightgray": "d3d3d3", "magenta": "ff00ff", "red": "ff0000",
	"white": "ffffff", "yellow": "ffff00"}

// shading returns the colour of an element shd, "" if it has none.
func shading(e xml.StartElement) string {
	fill := strings.ToLower(block.Attribute(e, "fill"))
	switch block.Attribute(e, "val") {
	case "solid":
		fill = strings.ToLower(block.Attribute(e, "color"))
	case "", "clear", "nil":
	default:
		return mixed
	}
	if fill == "auto" {
		return ""
	}
	return fill
}

// over returns p with what it does not say taken from what it is based on.
func (p wordProps) over(base wordProps) wordProps {
	take := func(a *toggle, b toggle) {
		if *a == unset {
			*a = b
		}
	}
	take(&p.vanish, base.vanish)
	take(&p.strike, base.strike)
	take(&p.doubleStrike, base.doubleStrike)
	if p.level == "" {
		p.level = base.level
	}
	if p.color == "" {
		p.color = base.color
	}
	if p.size == 0 {
		p.size = base.size
	}
	if p.font == "" {
		p.font = base.font
	}
	if p.ground == "" {
		p.ground = base.ground
	}
	if p.complexSize == 0 {
		p.complexSize = base.complexSize
	}
	take(&p.complex, base.complex)
	p.clear, p.narrow = p.clear || base.clear, p.narrow || base.narrow
	return p
}

// seenAs returns the properties of a run with the styles of itself and its paragraph. Where both styles switch a toggle
// on, they switch it off again (ECMA-376, part 1, 17.7.3).
func (p wordProps) seenAs(character, paragraph wordProps) wordProps {
	both := func(a, b toggle) toggle {
		if a == on && b == on {
			return off
		}
		return unset
	}
	styled := character
	styled.vanish = max(both(character.vanish, paragraph.vanish), styled.vanish)
	styled.strike = max(both(character.strike, paragraph.strike), styled.strike)
	return p.over(styled.over(paragraph))
}

// TinySize is the largest size that nobody can read, in half points.
const TinySize = 4

// hidden returns by what a run is hidden, "" if it is seen. behind is the colour behind it where it does not say one
// itself.
func (p *wordProps) hidden(behind string) ledger.LeftOutHow {
	size := p.size
	if p.complex == on {
		size = p.complexSize
	}
	color := p.color
	if color == "bg1" || color == "background1" {
		color = whitePaper
	}
	ink, ground := webpage.HexShade(color), webpage.HexShade(cmp.Or(p.ground, behind))
	switch {
	case p.vanish == on:
		return ledger.HiddenFormat
	case p.clear:
		return ledger.Transparent
	case size > 0 && size <= TinySize || p.narrow:
		return ledger.Tiny
	case ink.Known && ground.Known && ink.Near(ground):
		return ledger.SameColor
	}
	return ""
}

// whitePaper is the colour of a page that does not say one.
const whitePaper = "ffffff"

// wordNumber is the list that a paragraph is in, and its level there.
type wordNumber struct {
	list  string // "" for none, "0" where it takes back a style's
	level int
}

// wordStyle is a style.
type wordStyle struct {
	basedOn  string
	name     string
	outline  int // heading level, 0 if it does not say
	props    wordProps
	number   wordNumber
	captions bool
	ground   string // of its paragraphs, as wordProps.ground
	shaded   bool   // of a table: some of its cells have a ground
	normal   bool   // it is that of paragraphs which name none
}

// wordStyleTable are the styles of a file by id; "" has what holds for all.
type wordStyleTable map[string]*wordStyle

// mostBased is how many styles may be based on each other.
const mostBased = 32

// chain calls do with a style and those that it is based on, until it returns true.
func (l wordStyleTable) chain(id string, do func(*wordStyle) bool) {
	for range mostBased {
		s := l[id]
		if s == nil || id == "" || do(s) {
			return
		}
		id = s.basedOn
	}
}

// props returns the properties of a style with those of the styles that it is based on.
func (l wordStyleTable) props(id string) (p wordProps) {
	l.chain(id, func(s *wordStyle) bool {
		p = p.over(s.props)
		return false
	})
	return p
}

// ground returns the colour behind the paragraphs of a style, "" if it does not say one.
func (l wordStyleTable) ground(id string) (ground string) {
	l.chain(id, func(s *wordStyle) bool {
		ground = s.ground
		return ground != ""
	})
	return ground
}

// isShaded reports whether cells of a table of this style may have a ground.
func (l wordStyleTable) isShaded(id string) (yes bool) {
	if id != "" && l[id] == nil {
		return true // one of Word's own
	}
	l.chain(id, func(s *wordStyle) bool {
		yes = s.shaded
		return yes
	})
	return yes
}

// normal returns the style of paragraphs that name none, "" if none.
func (l wordStyleTable) normal() string {
	for id, s := range l {
		if s.normal {
			return id
		}
	}
	return ""
}

// heading returns the level of a style that is one of headings, 0 for any other.
func (l wordStyleTable) heading(id string) (level int) {
	l.chain(id, func(s *wordStyle) bool {
		if level = s.outline; level == 0 {
			level = headingName(s.name)
		}
		return level > 0
	})
	if level == 0 {
		level = headingName(id)
	}
	return level
}

// number returns the list of a style.
func (l wordStyleTable) number(id string) (n wordNumber) {
	l.chain(id, func(s *wordStyle) bool {
		n = s.number
		return n.list != ""
	})
	return n
}

// caption reports whether a style is that of captions.
func (l wordStyleTable) caption(id string) bool {
	s := l[id]
	return s != nil && s.captions || strings.EqualFold(id, "caption")
}

// headingName returns the level of a style called "Title" or "Heading 1" to "Heading 6", 0 for any other name.
func headingName(name string) int {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "title" {
		return 1
	}
	rest, ok := strings.CutPrefix(name, "heading")
	if n, err := strconv.Atoi(strings.TrimSpace(rest)); ok && err == nil && n >= 1 && n <= 6 {
		return n
	}
	return 0
}

// wordStyleReader reads the part of styles.
type wordStyleReader struct {
	styles wordStyleTable
	id     string
	runs   int // open rPr
	parts  int // open tblStylePr, which hold for some cells only
}

func (r *wordStyleReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		switch t.Name.Local {
		case "rPr":
			r.runs--
		case "tblStylePr":
			r.parts--
		case "style":
			r.id = ""
		}
	}
	return nil
}

func (r *wordStyleReader) start(e xml.StartElement) {
	if e.Name.Local == "style" {
		r.id = block.Attribute(e, "styleId")
	}
	s := r.styles[r.id]
	if s == nil {
		s = &wordStyle{}
		r.styles[r.id] = s
	}
	switch e.Name.Local {
	case "style":
		s.normal = block.Attribute(e, "type") == "paragraph" && block.IsSet(e, "default")
	case "tblStylePr":
		r.parts++
	case "rPr":
		r.runs++
	case "shd":
		switch ground := shading(e); {
		case ground == "":
		case r.runs > 0 && r.parts == 0:
			s.props.ground = ground
		case r.runs == 0:
			s.ground, s.shaded = ground, true
		}
	case "basedOn":
		s.basedOn = block.Attribute(e, "val")
	case "name":
		s.name = block.Attribute(e, "val")
		s.captions = strings.EqualFold(s.name, "caption")
	case "outlineLvl":
		if n, err := strconv.Atoi(block.Attribute(e, "val")); err == nil && n >= 0 && n < 6 {
			s.outline = n + 1
		}
	case "numId":
		s.number.list = block.Attribute(e, "val")
	case "ilvl":
		s.number.level = count(e)
	default:
		if r.runs > 0 && r.parts == 0 {
			s.props.set(e)
		}
	}
}
