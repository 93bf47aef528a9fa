package wordfile

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// odtStyle is a style of an OpenDocument file.
type odtStyle struct {
	parent string
	shown  string // its name for people
	list   string // the list style of its paragraphs
	bare   bool   // it takes back that of its parent
	level  int    // heading level
	props  wordProps
}

// odtStyles are the styles of a file by their names.
type odtStyles struct {
	byName map[string]*odtStyle
	open   *odtStyle
}

// chain calls do with a style and those that it is based on, until it returns true.
func (l *odtStyles) chain(name string, do func(string, *odtStyle) bool) {
	for range mostBased {
		s := l.byName[name]
		if s == nil || do(name, s) {
			return
		}
		name = s.parent
	}
}

// props returns the properties of a style with those of the styles that it is based on.
func (l *odtStyles) props(name string) (p wordProps) {
	l.chain(name, func(_ string, s *odtStyle) bool {
		p = p.over(s.props)
		return false
	})
	return p
}

// level is the heading level of a style, 0 if it is none of headings.
func (l *odtStyles) level(name string) (level int) {
	l.chain(name, func(name string, s *odtStyle) bool {
		if level = s.level; level == 0 {
			level = max(headingName(s.shown), headingName(name))
		}
		return level > 0
	})
	return level
}

// unnumbered reports whether headings of a style have no number.
func (l *odtStyles) unnumbered(name string) (bare bool) {
	l.chain(name, func(_ string, s *odtStyle) bool {
		bare = s.bare
		return s.bare || s.list != ""
	})
	return bare
}

// caption reports whether a style is that of captions, or based on it.
func (l *odtStyles) caption(name string) (found bool) {
	l.chain(name, func(name string, s *odtStyle) bool {
		found = strings.EqualFold(name, "caption")
		return found
	})
	return found
}

// style takes an element of the namespace of styles.
func (r *odt) style(e xml.StartElement) {
	switch name := e.Name.Local; name {
	case "style":
		r.openStyle(e)
	case "text-properties", "paragraph-properties":
		if s := r.styles.open; s != nil {
			s.props.setODT(e, name == "text-properties")
		}
	case "page-layout-properties":
		switch block.Attribute(e, "background-color") {
		case "", "transparent", "#ffffff":
		default:
			r.backed = true
		}
	case "background-image":
		r.backed = r.backed || block.Attribute(e, "href") != ""
	case "header", "header-left", "header-first":
		r.openMargin(e, ledger.PageHeader)
	case "footer", "footer-left", "footer-first":
		r.openMargin(e, ledger.PageFooter)
	}
}

func (r *odt) openMargin(e xml.StartElement, kind ledger.PartKind) {
	if block.Attribute(e, "display") == "false" {
		r.now.skipped = true
		return
	}
	r.openPart(kind)
}

func (r *odt) openStyle(e xml.StartElement) {
	s := &odtStyle{parent: block.Attribute(e, "parent-style-name"), shown: block.Attribute(e, "display-name")}
	if n := Whole(block.Attribute(e, "default-outline-level")); n > 0 && n <= 6 {
		s.level = n
	}
	for _, a := range e.Attr {
		if a.Name.Local == "list-style-name" {
			s.list, s.bare = a.Value, a.Value == ""
		}
	}
	if len(r.styles.byName) < mostEntries {
		r.styles.byName[block.Attribute(e, "name")] = s
	}
	r.styles.open = s
	r.now.ends = func() { r.styles.open = nil }
}

// setODT takes the properties of an element of OpenDocument.
func (p *wordProps) setODT(e xml.StartElement, ofText bool) {
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "display":
			p.vanish = switched(a.Value == "none")
		case "text-line-through-style", "text-line-through-type":
			p.strike = switched(a.Value != "none")
		case "text-position":
			p.level = textPosition(a.Value)
		case "color":
			p.color = strings.TrimPrefix(strings.ToLower(a.Value), "#")
		case "use-window-font-color":
			if a.Value == "true" {
				p.color = "auto"
			}
		case "background-color":
			if a.Value != "transparent" {
				p.ground = strings.TrimPrefix(strings.ToLower(a.Value), "#")
			}
		case "font-size":
			if n, err := strconv.ParseFloat(strings.TrimSuffix(a.Value, "pt"), 64); err == nil && ofText && n > 0 {
				p.size = max(1, int(min(n, 1000)*2))
			}
		case "font-name":
			p.font = a.Value
		}
	}
}

func switched(isOn bool) toggle {
	if isOn {
		return on
	}
	return off
}

// textPosition is the level of text that is raised or lowered by a share of its size, or by the font's own.
func textPosition(s string) string {
	by, _, _ := strings.Cut(s, " ")
	switch n, err := strconv.ParseFloat(strings.TrimSuffix(by, "%"), 64); {
	case by == "super" || err == nil && n > 0:
		return "superscript"
	case by == "sub" || err == nil && n < 0:
		return "subscript"
	}
	return "baseline"
}

// Whole reads a number of an attribute, 0 if none.
func Whole(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
