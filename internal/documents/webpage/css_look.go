package webpage

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/documents/block"
	"sanad/internal/domain/ledger"
)

// look is how an element's text looks: what decides whether a reader sees it.
type look struct {
	hidden    ledger.LeftOutHow // by what all of the element is hidden, "" if it is not
	invisible bool              // visibility, which elements in it may take back
	clear     bool              // its colour is none
	deleted   bool              // it was deleted, which is old also without a line through it
	struck    bool              // a line goes through it
	level     rune              // block.RaisedSign or block.LoweredSign if styles move it off its line, 0 if not
	display   string
	apart     bool // it stands apart from what is beside it, though its name does not say so
	named     *customs
	color     shade
	behind    shade
	size      float64 // of its letters, in pixels
}

// pageLook is how text looks where a page says nothing.
func pageLook(external bool) look {
	return look{color: shade{Known: !external}, behind: shade{r: 255, g: 255, b: 255, Known: !external}, size: 16}
}

// isStruck reports whether the text of an element is old.
func (l *look) isStruck() bool { return l.deleted || l.struck }

// unseen returns by what the text of an element is hidden, "" if it is seen.
func (l *look) unseen() ledger.LeftOutHow {
	switch {
	case l.hidden != "":
		return l.hidden
	case l.invisible:
		return ledger.HiddenStyle
	case l.clear:
		return ledger.Transparent
	case l.size < tinyPixels:
		return ledger.Tiny
	case l.color.Known && l.behind.Known && l.color.Near(l.behind):
		return ledger.SameColor
	}
	return ""
}

// looks finds how the elements of a page look.
type looks struct {
	rules    *styleRules
	opened   map[string]bool // ids of what a button or tab of the page opens: a reader can see it
	external bool            // there are style sheets that are not in the page
	scripts  bool
	size     int  // bytes of the page's text
	plain    bool // nothing but text lies on its ground
}

// newLooks reads the style sheets of a page, and what its buttons open.
func newLooks(root *html.Node) *looks {
	l := &looks{opened: map[string]bool{},
		plain: true,
		rules: &styleRules{by: ruleIndex{}, showing: ruleIndex{}, siblings: map[*html.Node]int{}}}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			if n.DataAtom == atom.Noscript { // its styles don't hold
				return
			}
			l.note(n)
		}
		if n.Type == html.TextNode && n.Parent != nil && !unseen[n.Parent.DataAtom] {
			l.size += len(strings.TrimSpace(n.Data))
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return l
}

func (l *looks) note(n *html.Node) {
	l.scripts = l.scripts || n.DataAtom == atom.Script
	l.plain = l.plain && isPlain(n)
	switch {
	case n.DataAtom == atom.Style && n.FirstChild != nil && mediaOf(n):
		l.rules.sheet(n.FirstChild.Data)
	case n.DataAtom == atom.Link && strings.Contains(strings.ToLower(attributeOf(n, "rel")), "stylesheet"):
		l.external = true
	case hasAttribute(n, "onclick"):
		for _, id := range strings.FieldsFunc(attributeOf(n, "onclick"), isQuote) {
			l.opened[strings.TrimPrefix(id, "#")] = true
		}
	case opens(n):
		for _, key := range []string{"aria-controls", "data-target", "data-bs-target", "href"} {
			for id := range strings.FieldsSeq(attributeOf(n, key)) {
				if name, isAnchor := strings.CutPrefix(id, "#"); isAnchor || key == "aria-controls" {
					l.opened[name] = true
				}
			}
		}
	}
}

// isPlain reports whether an element puts nothing but text on the page.
func isPlain(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Img, atom.Picture, atom.Video, atom.Canvas, atom.Svg, atom.Iframe, atom.Object, atom.Embed, atom.Link,
		atom.Script:
		return false
	case atom.Style:
		return n.FirstChild == nil || !strings.Contains(n.FirstChild.Data, "background")
	}
	return !strings.Contains(attributeOf(n, "style"), "background") && !hasAttribute(n, "bgcolor")
}

func isQuote(r rune) bool { return r == '\'' || r == '"' }

func mediaOf(n *html.Node) bool {
	media := attributeOf(n, "media")
	return media == "" || atRuleHolds("@media", media)
}

// opens reports whether an element is one that a reader opens a part of the page with, and says what.
func opens(n *html.Node) bool {
	toggles := attributeOf(n, "data-toggle") + attributeOf(n, "data-bs-toggle")
	switch {
	case toggles == "collapse" || toggles == "tab" || toggles == "pill":
	case n.DataAtom != atom.Button && attributeOf(n, "role") != "button" && attributeOf(n, "role") != "tab":
		return false
	case !hasAttribute(n, "aria-controls"):
		return false
	}
	return textLeft(n, 0) < 0
}

// of returns how an element looks in one that looks as given.
func (l *looks) of(n *html.Node, in look) (look, error) {
	out := in
	d, err := l.rules.of(n)
	if err != nil {
		return out, err
	}
	out.named = in.named.with(d)
	out.named.fill(d)
	opened := l.opened[attributeOf(n, "id")]
	if out.hidden == "" && !opened {
		if out.hidden = hiddenBy(n, d, in.size); out.hidden != "" && (l.isWhole(n) || l.opens(n)) {
			out.hidden = ""
		}
	}
	if v, ok := d["visibility"]; ok {
		out.invisible = (v.value == "hidden" || v.value == "collapse") && !opened && !l.isWhole(n) && !l.opens(n)
	}
	out.strike(n, d)
	out.size = sizeOf(d, in.size)
	if v, err := strconv.ParseFloat(d["zoom"].value, 64); err == nil && v > 0 && v < 1 {
		out.size *= v
	}
	out.colors(n, d, l)
	out.level = levelOf(d, in.level)
	out.display = d["display"].value
	out.apart = isApart[out.display] || strings.HasSuffix(in.display, "flex") || strings.HasSuffix(in.display, "grid")
	return out, nil
}

// isApart are the displays of boxes that stand on lines, or in cells, of their own.
var isApart = map[string]bool{"block": true, "flex": true, "grid": true, "table": true, "list-item": true,
	"flow-root": true, "table-row": true, "table-cell": true}

// opens reports whether a reader can open an element that is hidden: by a state that the page's styles have for it, or
// by what stands before it.
func (l *looks) opens(n *html.Node) bool {
	return l.rules.shows(n, l.scripts) || l.scripts && follows(n)
}

// follows reports whether an element follows a button that opens what is behind it.
func follows(n *html.Node) bool {
	before := n.PrevSibling
	for before != nil && before.Type != html.ElementNode {
		before = before.PrevSibling
	}
	return before != nil && togglesNext(before)
}

// togglesNext reports whether an element is a button, or a heading, that opens what is behind it, by how it is called.
func togglesNext(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.Dt, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.A, atom.Div:
	default:
		return false
	}
	called := strings.ToLower(attributeOf(n, "class"))
	for _, word := range []string{"accordion", "collaps", "toggle", "expand", "question"} {
		if strings.Contains(called, word) {
			return true
		}
	}
	return hasAttribute(n, "aria-expanded")
}

// strike sets whether a line goes through an element's text. Boxes within a line have none of the line's.
func (l *look) strike(n *html.Node, d declarations) {
	l.deleted = l.deleted || n.DataAtom == atom.Del
	if display := d["display"].value; strings.HasPrefix(display, "inline-") {
		l.struck = false
	}
	line, said := d["text-decoration"].value, d["text-decoration"].value != ""
	if v := d["text-decoration-line"].value; v != "" {
		line, said = v, true
	}
	if said {
		l.struck = l.struck || strings.Contains(line, "line-through")
		return
	}
	l.struck = l.struck || n.DataAtom == atom.S || n.DataAtom == atom.Strike
}

// levelOf returns the sign of the level that styles move an element to: 0 on the line.
func levelOf(d declarations, in rune) rune {
	switch d["vertical-align"].value {
	case "super":
		return block.RaisedSign
	case "sub":
		return block.LoweredSign
	}
	size, ok := shareOf(d["font-size"].value)
	if d["position"].value != "relative" || !ok || size > mostRaised {
		return in
	}
	up := func(property string, sign float64) bool {
		v, ok := pixels(d[property].value, 16)
		return ok && sign*v > 0
	}
	switch {
	case up("top", -1) || up("bottom", 1):
		return block.RaisedSign
	case up("top", 1) || up("bottom", -1):
		return block.LoweredSign
	}
	return in
}

// mostRaised is how large the letters of raised text are, as a share of those beside it.
const mostRaised = 0.85

// shareOf reads a size that is a share of another.
func shareOf(v string) (float64, bool) {
	for _, unit := range []struct {
		name string
		size float64
	}{{"%", 0.01}, {"rem", 0}, {"em", 1}} {
		if number, ok := strings.CutSuffix(v, unit.name); ok {
			share, err := strconv.ParseFloat(number, 64)
			return share * unit.size, err == nil && unit.size > 0
		}
	}
	return mostRaised, v == "smaller"
}

// wholeShare is which part of a page's text makes an element the page.
const wholeShare = 0.8

// isWhole reports whether an element is the page: what is hidden as a whole is shown by the page's scripts, for a page
// that shows nothing has no reader.
func (l *looks) isWhole(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body:
		return true
	}
	return l.scripts && l.size > 0 && float64(l.size-textLeft(n, l.size)) >= wholeShare*float64(l.size)
}

// sizeOf returns the size of an element's letters.
func sizeOf(d declarations, em float64) float64 {
	value := d["font-size"].value
	if value == "" {
		for part := range strings.FieldsSeq(d["font"].value) { // the first length is the size
			part, _, _ = strings.Cut(part, "/")
			if _, ok := pixels(part, em); ok {
				value = part
				break
			}
		}
	}
	switch value {
	case "":
		return em
	case "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial":
		return 16
	}
	if share, ok := strings.CutSuffix(value, "%"); ok {
		if v, err := strconv.ParseFloat(share, 64); err == nil {
			return em * v / 100
		}
		return em
	}
	if v, ok := pixels(value, em); ok {
		return v
	}
	return max(em, 16) // it is calculated
}

// colors sets the colours of an element's letters and of what is behind them. Sheets that are not in the page may say
// otherwise than those that are, and scripts may put more behind a text: there, only a colour counts that the element
// itself is given; in a page with scripts alone also one that is given together with what is behind it.
func (l *look) colors(n *html.Node, d declarations, page *looks) {
	behind, said := l.behind, false
	if p := d["position"].value; (p == "absolute" || p == "fixed") && !page.plain {
		behind, said = shade{}, true // it may lie on a picture
	}
	if v := attributeOf(n, "bgcolor"); v != "" {
		behind, said = shadeOf(attributeColor(n, "bgcolor")), true
	}
	for _, property := range []string{"background", "background-color"} {
		switch v := d[property].value; {
		case v == "" || v == "none" || v == "transparent" || v == "inherit":
		case strings.Contains(v, "url(") || strings.Contains(v, "gradient"):
			behind, said = shade{}, true
		default:
			behind, said = firstShade(v), true
		}
	}
	if v := d["background-image"].value; v != "" && v != "none" {
		behind, said = shade{}, true
	}
	if said {
		l.behind = behind
	}
	v, own := d["color"].value, d["color"].own
	if fill := d["-webkit-text-fill-color"]; fill.value != "" {
		v, own = fill.value, fill.own
	}
	if v == "" && n.DataAtom == atom.Font {
		v, own = attributeColor(n, "color"), true
	}
	if v == "" && n.DataAtom == atom.Body {
		v = attributeColor(n, "text")
	}
	switch {
	case v == "" || v == "inherit" || v == "currentcolor":
		return
	case isClear(v):
		l.clear = d["background-clip"].value != "text" && d["-webkit-background-clip"].value != "text"
		return
	}
	l.clear, l.color = false, shadeOf(v)
	l.color.Known = l.color.Known && (own || !page.external && (said || !page.scripts))
}
