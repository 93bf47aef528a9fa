package documents

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/domain/ledger"
)

// look is how an element's text looks: what decides whether a reader sees it.
type look struct {
	hidden    ledger.LeftOutHow // by what all of the element is hidden, "" if it is not
	invisible bool              // visibility, which elements in it may take back
	clear     bool              // its colour is none
	struck    bool
	color     shade
	behind    shade
	size      float64 // of its letters, in pixels
}

// shade is a colour as far as it is known.
type shade struct {
	r, g, b float64
	known   bool
}

// pageLook is how text looks where a page says nothing.
func pageLook(external bool) look {
	return look{color: shade{known: !external}, behind: shade{r: 255, g: 255, b: 255, known: !external}, size: 16}
}

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
	case l.color.known && l.behind.known && l.color.near(l.behind):
		return ledger.SameColor
	}
	return ""
}

const (
	tinyPixels = 4   // letters that are smaller cannot be read
	farAway    = 500 // pixels beyond the edge of a page
	sameShade  = 12  // of 255 of each primary colour: what differs by less is not told apart
)

// looks finds how the elements of a page look.
type looks struct {
	rules    *styleRules
	opened   map[string]bool // ids of what a button or tab of the page opens: a reader can see it
	external bool            // there are style sheets that are not in the page
	scripts  bool
	size     int // bytes of the page's text
}

// newLooks reads the style sheets of a page, and what its buttons open.
func newLooks(root *html.Node) *looks {
	l := &looks{opened: map[string]bool{},
		rules: &styleRules{by: map[string][]*styleRule{}, siblings: map[*html.Node]int{}}}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
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
	switch {
	case n.DataAtom == atom.Style && n.FirstChild != nil && mediaOf(n):
		l.rules.sheet(n.FirstChild.Data)
	case n.DataAtom == atom.Link && strings.Contains(strings.ToLower(attributeOf(n, "rel")), "stylesheet"):
		l.external = true
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
	opened := l.opened[attributeOf(n, "id")]
	if out.hidden == "" && !opened {
		if out.hidden = hiddenBy(n, d, in.size); out.hidden != "" && l.isWhole(n) {
			out.hidden = ""
		}
	}
	if v, ok := d["visibility"]; ok {
		out.invisible = (v.value == "hidden" || v.value == "collapse") && !opened && !l.isWhole(n)
	}
	out.struck = in.struck || n.DataAtom == atom.Del || n.DataAtom == atom.S || n.DataAtom == atom.Strike ||
		strings.Contains(d["text-decoration"].value, "line-through") ||
		strings.Contains(d["text-decoration-line"].value, "line-through")
	out.size = sizeOf(d, in.size)
	out.colors(n, d, l)
	return out, nil
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

// hiddenBy returns by what an element and all in it is hidden, "" if by nothing.
func hiddenBy(n *html.Node, d declarations, em float64) ledger.LeftOutHow {
	v, isHidden := "", hasAttribute(n, "hidden")
	if isHidden {
		v = strings.ToLower(attributeOf(n, "hidden"))
	}
	display := d["display"].value
	switch {
	case display == "none":
		return ledger.HiddenStyle
	case isHidden && v != "until-found" && display == "":
		return ledger.HiddenStyle
	case (n.DataAtom == atom.Dialog && !hasAttribute(n, "open") || hasAttribute(n, "popover")) && display == "":
		return ledger.HiddenStyle
	case d["content-visibility"].value == "hidden":
		return ledger.HiddenStyle
	case isZero(d["opacity"].value) && !appears(n, d):
		return ledger.Transparent
	case isAway(d, em):
		return ledger.OffPage
	case isClipped(d, em):
		return ledger.HiddenStyle
	}
	return ""
}

func isZero(s string) bool {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	return err == nil && v <= 0.02
}

// appears reports whether an element is shown once a reader comes to it: pages let parts of them come in.
func appears(n *html.Node, d declarations) bool {
	for _, property := range []string{"transition", "animation", "animation-name"} {
		if v := d[property].value; v != "" && v != "none" {
			return true
		}
	}
	if v := d["transform"].value; v != "" && v != "none" {
		return true
	}
	return hasAttribute(n, "data-aos") || hasAttribute(n, "data-w-id")
}

// isAway reports whether an element stands beyond the edge of its page.
func isAway(d declarations, em float64) bool {
	far := func(property string) bool {
		v, ok := pixels(d[property].value, em)
		return ok && v <= -farAway
	}
	if p := d["position"].value; (p == "absolute" || p == "fixed" || p == "relative") &&
		(far("left") || far("right") || far("top") || far("bottom")) {
		return true
	}
	if far("text-indent") || far("margin-left") || far("margin-top") {
		return true
	}
	_, rest, ok := strings.Cut(d["transform"].value, "translate")
	if !ok {
		return false
	}
	_, rest, _ = strings.Cut(rest, "(")
	inner, _, _ := strings.Cut(rest, ")")
	for part := range strings.SplitSeq(inner, ",") {
		if v, ok := pixels(strings.TrimSpace(part), em); ok && v <= -farAway {
			return true
		}
	}
	return false
}

// isClipped reports whether nothing of an element is left.
func isClipped(d declarations, em float64) bool {
	if strings.Contains(d["transform"].value, "scale(0)") {
		return true
	}
	if p := d["position"].value; (p == "absolute" || p == "fixed") && strings.HasPrefix(d["clip"].value, "rect") &&
		smallRect(d["clip"].value, em) {
		return true
	}
	if v := strings.ReplaceAll(d["clip-path"].value, " ", ""); v == "inset(50%)" || v == "inset(100%)" ||
		v == "circle(0)" || v == "circle(0px)" {
		return true
	}
	cut := func(property string) bool {
		v := d[property].value
		return v == "hidden" || v == "clip"
	}
	if !cut("overflow") && !cut("overflow-x") && !cut("overflow-y") {
		return false
	}
	for _, property := range []string{"width", "height", "max-width", "max-height"} {
		if v, ok := pixels(d[property].value, em); ok && d[property].value != "" && v <= 1 {
			return true
		}
	}
	return false
}

// smallRect reports whether a rectangle has no room for a letter.
func smallRect(s string, em float64) bool {
	_, inner, _ := strings.Cut(s, "(")
	inner, _, _ = strings.Cut(inner, ")")
	var sides []float64
	for _, part := range strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' }) {
		v, ok := pixels(part, em)
		if !ok {
			return false
		}
		sides = append(sides, v)
	}
	return len(sides) == 4 && (math.Abs(sides[2]-sides[0]) <= 1 || math.Abs(sides[1]-sides[3]) <= 1)
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
	if p := d["position"].value; p == "absolute" || p == "fixed" {
		behind, said = shade{}, true // it may lie on a picture
	}
	if v := attributeOf(n, "bgcolor"); v != "" {
		behind, said = shadeOf(strings.ToLower(v)), true
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
	if v == "" && n.DataAtom == atom.Font {
		v, own = strings.ToLower(attributeOf(n, "color")), true
	}
	if v == "" && n.DataAtom == atom.Body {
		v = strings.ToLower(attributeOf(n, "text"))
	}
	switch {
	case v == "" || v == "inherit" || v == "currentcolor":
		return
	case v == "transparent":
		l.clear = d["background-clip"].value != "text" && d["-webkit-background-clip"].value != "text"
		return
	}
	l.clear, l.color = false, shadeOf(v)
	l.color.known = l.color.known && (own || !page.external && (said || !page.scripts))
}

func firstShade(v string) shade {
	if s := shadeOf(v); s.known {
		return s
	}
	for part := range strings.FieldsSeq(v) {
		if s := shadeOf(part); s.known {
			return s
		}
	}
	return shade{}
}

// namedShades are the colours with names that are white, nearly white, black or often behind a text.
var namedShades = map[string]string{"white": "#fff", "snow": "#fffafa", "ivory": "#fffff0", "ghostwhite": "#f8f8ff",
	"floralwhite": "#fffaf0", "whitesmoke": "#f5f5f5", "mintcream": "#f5fffa", "azure": "#f0ffff", "black": "#000",
	"red": "#f00", "blue": "#00f", "green": "#008000", "yellow": "#ff0", "gray": "#808080", "grey": "#808080",
	"silver": "#c0c0c0", "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "navy": "#000080", "maroon": "#800000"}

// shadeOf reads a colour; it is not known if it is calculated, or can be seen through.
func shadeOf(v string) shade {
	v = strings.TrimSpace(v)
	if hex, ok := namedShades[v]; ok {
		v = hex
	}
	if hex, ok := strings.CutPrefix(v, "#"); ok {
		if len(hex) == 3 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		n, err := strconv.ParseUint(hex, 16, 32)
		return shade{r: float64(n >> 16), g: float64(n >> 8 & 0xFF), b: float64(n & 0xFF),
			known: err == nil && len(hex) == 6}
	}
	name, inner, ok := strings.Cut(v, "(")
	if !ok || name != "rgb" && name != "rgba" {
		return shade{}
	}
	parts := strings.FieldsFunc(strings.TrimSuffix(inner, ")"), func(r rune) bool { return strings.ContainsRune(", /", r) })
	if len(parts) < 3 || len(parts) > 3 && parts[3] != "1" && parts[3] != "100%" {
		return shade{}
	}
	var out [3]float64
	for i := range out {
		n, err := strconv.ParseFloat(parts[i], 64)
		if err != nil {
			return shade{}
		}
		out[i] = n
	}
	return shade{r: out[0], g: out[1], b: out[2], known: true}
}

// near reports whether two colours cannot be told apart.
func (s shade) near(o shade) bool {
	return math.Abs(s.r-o.r) <= sameShade && math.Abs(s.g-o.g) <= sameShade && math.Abs(s.b-o.b) <= sameShade
}
