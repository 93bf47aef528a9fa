package workbook

import (
	"encoding/xml"
	"strconv"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/numberformat"
)

// cellStyle is what the format of a cell says of its text.
type cellStyle struct {
	format *numberformat.Format
	bold   bool
	struck bool
	white  bool // in the colour of what is behind it
}

// mostCellStyles is the maximum number of formats of cells; Excel's limit.
const mostCellStyles = 65_490

// sheetStyleReader reads a spreadsheet's styles.
type sheetStyleReader struct {
	theme   []string
	in      string // the list of the part that is read
	codes   map[int]string
	fonts   []sheetFont
	fills   []string // colours of what is behind; "" if unknown
	cells   []cellFormat
	pattern string // of the open fill
}

type sheetFont struct {
	bold, struck bool
	color        string // "" if unknown or by default
}

type cellFormat struct{ number, font, fill int }

func newSheetStyleReader(theme []string) *sheetStyleReader {
	return &sheetStyleReader{theme: theme, codes: map[int]string{}}
}

// styleLists are the lists of the part that are read. Others have fonts and fills too, such as those of conditions.
var styleLists = map[string]bool{"numFmts": true, "fonts": true, "fills": true, "cellXfs": true}

func (r *sheetStyleReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		switch {
		case styleLists[t.Name.Local] && r.in == "":
			r.in = t.Name.Local
		case r.in == "dxfs" || t.Name.Local == "dxfs":
			r.in = "dxfs"
		default:
			r.start(t)
		}
	case xml.EndElement:
		if t.Name.Local == r.in {
			r.in = ""
		}
	}
	return nil
}

func (r *sheetStyleReader) start(e xml.StartElement) {
	number := func(name string) int {
		n, err := strconv.Atoi(block.Attribute(e, name))
		if err != nil {
			return 0
		}
		return n
	}
	switch r.in + "/" + e.Name.Local {
	case "numFmts/numFmt":
		if len(r.codes) < mostCellStyles {
			r.codes[number("numFmtId")] = block.Attribute(e, "formatCode")
		}
	case "fonts/font":
		if len(r.fonts) < mostCellStyles {
			r.fonts = append(r.fonts, sheetFont{})
		}
	case "fonts/b":
		r.font().bold = block.IsOn(e)
	case "fonts/strike":
		r.font().struck = block.IsOn(e)
	case "fonts/color":
		r.font().color = r.color(e)
	case "fills/fill":
		if r.pattern = ""; len(r.fills) < mostCellStyles {
			r.fills = append(r.fills, white)
		}
	case "fills/gradientFill":
		r.fill("")
	case "fills/patternFill":
		if r.pattern = block.Attribute(e, "patternType"); r.pattern != "" && r.pattern != "none" {
			r.fill("")
		}
	case "fills/fgColor":
		if r.pattern == "solid" {
			r.fill(r.color(e))
		}
	case "cellXfs/xf":
		if len(r.cells) < mostCellStyles {
			r.cells = append(r.cells, cellFormat{number("numFmtId"), number("fontId"), number("fillId")})
		}
	}
}

// font is the last one.
func (r *sheetStyleReader) font() *sheetFont {
	if len(r.fonts) == 0 {
		return &sheetFont{}
	}
	return &r.fonts[len(r.fonts)-1]
}

// fill sets the colour of the last one.
func (r *sheetStyleReader) fill(color string) {
	if n := len(r.fills); n > 0 {
		r.fills[n-1] = color
	}
}

const white = "FFFFFF"

// indexed are the first colours of the table of old files, which are there twice.
var indexed = []string{"000000", white, "FF0000", "00FF00", "0000FF", "FFFF00", "FF00FF", "00FFFF"}

// color returns a colour as RRGGBB; "" if it is not known.
func (r *sheetStyleReader) color(e xml.StartElement) string {
	if tint := block.Attribute(e, "tint"); tint != "" && strings.Trim(tint, "-0.") != "" {
		return ""
	}
	if rgb := strings.ToUpper(block.Attribute(e, "rgb")); len(rgb) >= 6 {
		return rgb[len(rgb)-6:]
	}
	if n, err := strconv.Atoi(block.Attribute(e, "theme")); err == nil && n >= 0 && n < len(r.theme) {
		return r.theme[n]
	}
	if n, err := strconv.Atoi(block.Attribute(e, "indexed")); err == nil && n >= 0 && n < 2*len(indexed) {
		return indexed[n%len(indexed)]
	}
	return ""
}

// cellStyles returns the style of each format of cells.
func (r *sheetStyleReader) cellStyles() []cellStyle {
	formats := map[int]*numberformat.Format{}
	out := make([]cellStyle, len(r.cells))
	for i, c := range r.cells {
		code, own := r.codes[c.number]
		if !own {
			code = numberformat.Builtin(c.number)
		}
		if formats[c.number] == nil {
			formats[c.number] = numberformat.Parse(code)
		}
		s := cellStyle{format: formats[c.number]}
		if c.font >= 0 && c.font < len(r.fonts) {
			f := &r.fonts[c.font]
			s.bold, s.struck = f.bold, f.struck
			s.white = f.color != "" && c.fill >= 0 && c.fill < len(r.fills) && f.color == r.fills[c.fill]
		}
		out[i] = s
	}
	return out
}

// themeReader reads the colours of a theme, in the order in which styles number them: the first two pairs change
// places.
type themeReader struct {
	colors []string
	in     bool
}

func (r *themeReader) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "clrScheme":
			r.in = true
		case "srgbClr":
			r.add(block.Attribute(t, "val"))
		case "sysClr":
			r.add(block.Attribute(t, "lastClr"))
		}
	case xml.EndElement:
		if t.Name.Local == "clrScheme" && r.in {
			r.in = false
			for i := 0; i+1 < min(len(r.colors), 4); i += 2 {
				r.colors[i], r.colors[i+1] = r.colors[i+1], r.colors[i]
			}
		}
	}
	return nil
}

func (r *themeReader) add(color string) {
	if r.in && len(r.colors) < 12 {
		r.colors = append(r.colors, strings.ToUpper(color))
	}
}
