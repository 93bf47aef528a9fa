package webpage

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sanad/internal/domain/ledger"
)

const (
	tinyPixels = 4   // letters that are smaller cannot be read
	farAway    = 500 // pixels beyond the edge of a page
	farShare   = 500 // the same in hundredths of an element's width
	// neverScrolled is how far behind the end of a page nobody looks, in pixels
	neverScrolled = 9000
	sameShade     = 12 // of 255 of each primary colour: what differs by less is not told apart
)

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
	case isAway(n, d, em):
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

// awayProperties move an element that stands apart from the text.
var awayProperties = []string{"left", "right", "top", "bottom", "inset", "inset-inline", "inset-block",
	"inset-inline-start", "inset-inline-end", "inset-block-start"}

// isAway reports whether an element stands beyond the edge of its page. What is just beyond it may come in.
func isAway(n *html.Node, d declarations, em float64) bool {
	moves := appears(n, d)
	far := func(property string) bool {
		for part := range strings.FieldsSeq(d[property].value) {
			if isFar(part, em, moves) {
				return true
			}
		}
		return false
	}
	if p := d["position"].value; (p == "absolute" || p == "fixed" || p == "relative") &&
		slices.ContainsFunc(awayProperties, far) {
		return true
	}
	if far("text-indent") || far("margin-left") || far("margin-top") || far("translate") {
		return true
	}
	_, rest, ok := strings.Cut(d["transform"].value, "translate")
	if !ok {
		return false
	}
	_, rest, _ = strings.Cut(rest, "(")
	inner, _, _ := strings.Cut(rest, ")")
	for part := range strings.SplitSeq(inner, ",") {
		if part = strings.TrimSpace(part); isFar(part, em, false) {
			return true
		}
	}
	return false
}

// isFar reports whether a length leads beyond the edge of a page; moves says that the element may come in.
func isFar(v string, em float64, moves bool) bool {
	if share, ok := strings.CutSuffix(v, "%"); ok {
		n, err := strconv.ParseFloat(share, 64)
		return err == nil && (n <= -farShare || n <= -100 && !moves)
	}
	n, ok := pixels(v, em)
	return ok && (n >= neverScrolled || n <= -farAway && !(moves && n > -4*farAway))
}

// isClipped reports whether nothing of an element is left.
func isClipped(d declarations, em float64) bool {
	if isScaledAway(d) {
		return true
	}
	if p := d["position"].value; (p == "absolute" || p == "fixed") && strings.HasPrefix(d["clip"].value, "rect") &&
		smallRect(d["clip"].value, em) {
		return true
	}
	if isShapeless(d["clip-path"].value, em) {
		return true
	}
	cut := func(property string) bool {
		v := d[property].value
		return v == "hidden" || v == "clip"
	}
	if !cut("overflow") && !cut("overflow-x") && !cut("overflow-y") {
		return false
	}
	if v, ok := strings.CutSuffix(d["text-indent"].value, "%"); ok {
		n, err := strconv.ParseFloat(v, 64)
		return err == nil && math.Abs(n) >= 100
	}
	for _, property := range []string{"width", "height", "max-width", "max-height"} {
		if v, ok := pixels(d[property].value, em); ok && d[property].value != "" && v <= 1 {
			return true
		}
	}
	return false
}

// isScaledAway reports whether an element is drawn without a size, or without its opacity.
func isScaledAway(d declarations) bool {
	none := func(s string) bool {
		first, _, _ := strings.Cut(strings.ReplaceAll(s, ",", " "), " ")
		return first != "" && isZero(first)
	}
	if none(d["scale"].value) {
		return true
	}
	for _, property := range []string{"transform", "filter"} {
		for call := range strings.SplitSeq(d[property].value, ")") {
			name, inner, _ := strings.Cut(strings.TrimSpace(call), "(")
			switch name {
			case "scale", "scalex", "scaley", "scale3d", "opacity":
				if none(inner) {
					return true
				}
			case "rotatex", "rotatey":
				if inner == "90deg" || inner == "-90deg" {
					return true
				}
			}
		}
	}
	return false
}

// isShapeless reports whether a clip path leaves nothing.
func isShapeless(v string, em float64) bool {
	shape, inner, ok := strings.Cut(v, "(")
	if !ok {
		return false
	}
	inner, _, _ = strings.Cut(inner, ")")
	switch shape {
	case "inset":
		first, _, _ := strings.Cut(strings.TrimSpace(inner), " ")
		n, err := strconv.ParseFloat(strings.TrimSuffix(first, "%"), 64)
		return err == nil && strings.HasSuffix(first, "%") && n >= 50
	case "circle", "ellipse":
		first, _, _ := strings.Cut(strings.TrimSpace(inner), " ")
		n, ok := pixels(strings.TrimSuffix(first, "%"), em)
		return ok && first != "" && n == 0
	case "polygon":
		corners := strings.Split(inner, ",")
		for i := range corners {
			if strings.TrimSpace(corners[i]) != strings.TrimSpace(corners[0]) {
				return false
			}
		}
		return true
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
