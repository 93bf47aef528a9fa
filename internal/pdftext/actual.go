package pdftext

import (
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// markedContent is a part of a page between marks.
type markedContent struct {
	off    bool   // its layer is switched off
	actual string // what the file says its glyphs mean, "" if nothing
	from   int    // its first glyph
}

// mostActual is the longest text that stands for the glyphs of marked content, in bytes.
const mostActual = 4_000

// actualText returns the text that a file gives for the glyphs of marked content (ISO 32000-1, 14.9.4).
func (d *drawing) actualText(op string, a []operand, resources types.Dict) string {
	if op != "BDC" || len(a) < 2 {
		return ""
	}
	var b []byte
	for i := 1; i+1 < len(a); i++ {
		if a[i].kind == name && string(a[i].text) == "ActualText" && a[i+1].kind == str {
			b = a[i+1].text
		}
	}
	if len(a) == 2 {
		v, _ := d.table.Dereference(d.dict(d.dict(resources["Properties"])[string(a[1].text)])["ActualText"])
		switch v := v.(type) {
		case types.StringLiteral:
			b, _ = types.Unescape(string(v))
		case types.HexLiteral:
			b, _ = v.Bytes()
		}
	}
	switch {
	case len(b) > mostActual:
		return ""
	case strings.HasPrefix(string(b), "\xfe\xff"):
		return decode16(b[2:])
	case strings.HasPrefix(string(b), "\xef\xbb\xbf"):
		return strings.ToValidUTF8(string(b[3:]), "")
	}
	var out []rune
	for _, c := range b {
		out = append(out, rune(c))
	}
	return string(out)
}

// replace puts the text of marked content in the place of glyphs that their fonts do not map. What a reader sees goes
// before what the file says of it: glyphs whose meaning is known keep it, unless it says that a hyphen is none of the
// word's.
func (d *drawing) replace(m *markedContent) {
	if m.actual == "" || m.from >= len(d.glyphs) {
		return
	}
	glyphs := d.glyphs[m.from:]
	var known strings.Builder
	unmapped := 0
	for i := range glyphs {
		if glyphs[i].text == "\ufffd" {
			unmapped++
			continue
		}
		known.WriteString(glyphs[i].text)
	}
	said := strings.Join(strings.Fields(known.String()), "")
	hyphen := m.actual == "\u00ad" && (said == "-" || said == "\u2010")
	if said != "" && !hyphen || said == "" && unmapped == 0 {
		return
	}
	first := &glyphs[0]
	for i := range glyphs {
		first.w = max(first.w, glyphs[i].x+glyphs[i].w-first.x)
	}
	first.text = m.actual
	d.glyphs = d.glyphs[:m.from+1]
}
