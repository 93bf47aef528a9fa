package slides

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/wordfile"
)

// slideFill is what a shape or slide is filled with.
type slideFill struct {
	stated bool // it says something
	none   bool
	color  slideColor // known if it is one colour
}

// slideColor is a colour, by its value or by a name of the theme.
type slideColor struct {
	known  bool
	rgb    int
	scheme string
	clear  bool // it is wholly transparent
}

// startColor takes an element of a fill or colour, and reports whether it is one.
func (r *sheetReader) startColor(e xml.StartElement) bool {
	switch e.Name.Local {
	case "solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "noFill":
		if f := r.fill(r.within(0)); f != nil {
			*f = slideFill{stated: true, none: e.Name.Local == "noFill"}
		}
	case "srgbClr", "schemeClr", "sysClr", "prstClr", "scrgbClr", "hslClr":
		r.color = r.colored(e)
		if r.color != nil {
			*r.color = colorOf(e)
		}
	case "alpha":
		if r.color != nil && strings.HasSuffix(r.within(0), "Clr") && wordfile.Whole(block.Attribute(e, "val")) == 0 {
			r.color.clear = true
		}
	case "lumMod", "lumOff", "tint", "shade", "satMod", "hueMod", "inv", "comp", "gray", "lum":
		if r.color != nil && strings.HasSuffix(r.within(0), "Clr") {
			r.color.known = false
		}
	default:
		return false
	}
	return true
}

// fill is that of the element of a name; nil if it is none of a shape or slide.
func (r *sheetReader) fill(of string) *slideFill {
	switch {
	case of == "spPr" && r.shape != nil:
		return &r.shape.fill
	case of == "bgPr":
		return &r.sheet.ground
	}
	return nil
}

// colored is the colour that the open element sets; nil if it is not looked at.
func (r *sheetReader) colored(e xml.StartElement) *slideColor {
	switch r.within(0) {
	case "solidFill":
		if f := r.fill(r.within(1)); f != nil {
			return &f.color
		}
		if r.within(1) == "rPr" && r.run != nil {
			return &r.run.color
		}
	case "fillRef":
		if r.shape != nil && r.shape.styled.stated {
			return &r.shape.styled.color
		}
	case "bgRef":
		return &r.sheet.ground.color
	}
	return nil
}

func colorOf(e xml.StartElement) slideColor {
	val := block.Attribute(e, "val")
	switch e.Name.Local {
	case "sysClr":
		val = block.Attribute(e, "lastClr")
	case "schemeClr":
		return slideColor{known: true, scheme: val}
	case "prstClr":
		val = map[string]string{"white": "FFFFFF", "black": "000000"}[val]
	case "scrgbClr", "hslClr":
		return slideColor{}
	}
	n, err := strconv.ParseUint(val, 16, 24)
	return slideColor{known: err == nil && len(val) == 6, rgb: int(n)}
}
