package documents

import (
	"encoding/xml"
	"strconv"
	"strings"

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
	if isOn(e) {
		return on
	}
	return off
}

// wordProps are the properties of a run that decide whether and where a reader sees it.
type wordProps struct {
	vanish, strike, doubleStrike toggle
	level                        string // superscript, subscript or baseline; "" if it does not say
	color                        string // in hexadecimal digits, "auto", "" if it does not say
	backed                       bool   // it says what is behind it
	size                         int    // in half points, 0 if it does not say
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
		p.level = attribute(e, "val")
	case "position":
		if n, err := strconv.Atoi(attribute(e, "val")); err == nil && p.level == "" && n != 0 {
			p.level = map[bool]string{true: "superscript", false: "subscript"}[n > 0]
		}
	case "color":
		p.color = strings.ToLower(attribute(e, "val"))
		if attribute(e, "themeColor") != "" {
			p.color = "auto" // of a theme, which says what is behind it too
		}
	case "shd", "highlight":
		p.backed = true
	case "sz":
		if n, err := strconv.Atoi(attribute(e, "val")); err == nil && n > 0 {
			p.size = n
		}
	case "rFonts":
		if font := attribute(e, "ascii"); font != "" {
			p.font = font
		}
	default:
		return false
	}
	return true
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
	p.backed = p.backed || base.backed
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

// tinySize is the largest size that nobody can read, in half points.
const tinySize = 4

// hidden returns by what a run is hidden, "" if it is seen. plain says that nothing but the page is behind it.
func (p *wordProps) hidden(plain bool) ledger.LeftOutHow {
	switch {
	case p.vanish == on:
		return ledger.HiddenFormat
	case p.size > 0 && p.size <= tinySize:
		return ledger.Tiny
	case plain && !p.backed && isWhite(p.color):
		return ledger.SameColor
	}
	return ""
}

// isWhite reports whether a colour cannot be told from white paper.
func isWhite(hex string) bool {
	n, err := strconv.ParseUint(hex, 16, 32)
	return err == nil && len(hex) == 6 && n>>16 >= 0xFA && n>>8&0xFF >= 0xFA && n&0xFF >= 0xFA
}

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
}

func (r *wordStyleReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		switch t.Name.Local {
		case "rPr":
			r.runs--
		case "style":
			r.id = ""
		}
	}
	return nil
}

func (r *wordStyleReader) start(e xml.StartElement) {
	if e.Name.Local == "style" {
		r.id = attribute(e, "styleId")
	}
	s := r.styles[r.id]
	if s == nil {
		s = &wordStyle{}
		r.styles[r.id] = s
	}
	switch e.Name.Local {
	case "rPr":
		r.runs++
	case "basedOn":
		s.basedOn = attribute(e, "val")
	case "name":
		s.name = attribute(e, "val")
		s.captions = strings.EqualFold(s.name, "caption")
	case "outlineLvl":
		if n, err := strconv.Atoi(attribute(e, "val")); err == nil && n >= 0 && n < 6 {
			s.outline = n + 1
		}
	case "numId":
		s.number.list = attribute(e, "val")
	case "ilvl":
		s.number.level = count(e)
	default:
		if r.runs > 0 {
			s.props.set(e)
		}
	}
}
