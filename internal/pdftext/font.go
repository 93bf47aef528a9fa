package pdftext

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// font holds the meanings and widths of a font's codes.
type font struct {
	wide    bool // codes of two bytes
	plain   bool // codes that are not in unicode are characters
	unicode map[uint32]string
	widths  map[uint32]float64 // in thousandths of the size
	missing float64            // width of codes that are not in widths
	scale   float64            // of widths; 1/1000 except for Type 3 fonts
	bold    bool
	drawn   bool // a Type 3 font, whose glyphs are drawings

	predefined bool              // its codes are not the numbers that widths have: see easternOf
	bytes      encoding.Encoding // of these codes; nil if they are Unicode, or no such codes
	highBits   bool              // which their bytes lack
}

// objects dereferences the objects of a file; malformed ones read as empty.
type objects struct {
	table *model.XRefTable
	steps *int // that the file may still take, see take
}

func (o objects) dict(x types.Object) types.Dict {
	v, err := o.table.Dereference(x)
	if err != nil {
		return nil
	}
	switch v := v.(type) {
	case types.Dict:
		return v
	case types.StreamDict:
		return v.Dict
	}
	return nil
}

func (o objects) array(x types.Object) types.Array {
	v, _ := o.table.Dereference(x)
	a, _ := v.(types.Array)
	return a
}

func (o objects) name(x types.Object) string {
	v, _ := o.table.Dereference(x)
	n, _ := v.(types.Name)
	return string(n)
}

func (o objects) number(x types.Object) (float64, bool) {
	v, _ := o.table.Dereference(x)
	switch v := v.(type) {
	case types.Integer:
		return float64(v), true
	case types.Float:
		return float64(v), true
	}
	return 0, false
}

// stream returns the decoded bytes of a stream, or nil if it cannot be read.
func (o objects) stream(x types.Object) []byte {
	sd, _, err := o.table.DereferenceStreamDict(x)
	if err != nil || sd == nil {
		return nil
	}
	if sd.Content == nil && sd.DecodeWithLimit(maxStream) != nil {
		return nil
	}
	return sd.Content
}

func (o objects) isStream(x types.Object) bool {
	v, _ := o.table.Dereference(x)
	_, is := v.(types.StreamDict)
	return is
}

// newFont reads a font.
func (o objects) newFont(d types.Dict) *font {
	f := &font{unicode: map[uint32]string{}, widths: map[uint32]float64{}, scale: 1.0 / 1000}
	f.bold = isBold(o.name(d["BaseFont"]))
	if o.name(d["Subtype"]) == "Type0" {
		o.composite(f, d)
	} else {
		o.simple(f, d)
	}
	if data := o.stream(d["ToUnicode"]); data != nil {
		m := readCMap(data, o.take)
		for c, s := range m.unicode {
			f.unicode[c] = s
		}
	}
	return f
}

func isBold(base string) bool {
	base = strings.ToLower(base)
	return strings.Contains(base, "bold") || strings.Contains(base, "black") || strings.Contains(base, "heavy")
}

// composite reads a font whose codes have two bytes.
func (o objects) composite(f *font, d types.Dict) {
	f.wide, f.missing = true, 1000
	name := o.name(d["Encoding"])
	f.plain = strings.Contains(name, "UCS2") || strings.Contains(name, "UTF16")
	f.bytes, f.highBits = easternOf(name)
	f.predefined = f.plain || f.bytes != nil
	kids := o.array(d["DescendantFonts"])
	if len(kids) > 0 {
		kid := o.dict(kids[0])
		if w, ok := o.number(kid["DW"]); ok {
			f.missing = w
		}
		if !f.predefined {
			o.cidWidths(f, o.array(kid["W"]))
		}
		if strings.HasPrefix(name, "Identity") && d["ToUnicode"] == nil {
			o.ownMap(f, kid)
		}
	}
}

// cidWidths reads "c [w1 w2 …]" and "first last w".
func (o objects) cidWidths(f *font, w types.Array) {
	for i := 0; i+1 < len(w) && o.take(entrySteps); {
		first, ok := o.number(w[i])
		if !ok || first < 0 {
			i++
			continue
		}
		if each := o.array(w[i+1]); each != nil {
			if !o.take(len(each) * entrySteps) {
				return
			}
			for k, x := range each {
				if v, ok := o.number(x); ok {
					f.widths[uint32(first)+uint32(k)] = v
				}
			}
			i += 2
			continue
		}
		last, _ := o.number(w[i+1])
		if i+2 < len(w) {
			if v, ok := o.number(w[i+2]); ok {
				for c := first; c <= last && c-first < 1<<16 && o.take(entrySteps); c++ {
					f.widths[uint32(c)] = v
				}
			}
		}
		i += 3
	}
}

// simple reads a font whose codes are bytes.
func (o objects) simple(f *font, d types.Dict) {
	f.drawn = o.name(d["Subtype"]) == "Type3"
	if m := o.array(d["FontMatrix"]); f.drawn && len(m) == 6 {
		if v, ok := o.number(m[0]); ok && v != 0 {
			f.scale = v
		}
	}
	descriptor := o.dict(d["FontDescriptor"])
	flags, _ := o.number(descriptor["Flags"])
	base := o.name(d["BaseFont"])
	name, standard := standardName(base, int(flags))
	o.encoding(f, d["Encoding"], f.drawn, name)
	widths := o.array(d["Widths"])
	if !o.take(len(widths) * entrySteps) {
		return
	}
	f.missing, _ = o.number(descriptor["MissingWidth"])
	if f.missing == 0 {
		f.missing = 0.5 / f.scale
	}
	if !f.drawn && (standard || len(widths) == 0) {
		f.standardWidths(name)
	}
	first, _ := o.number(d["FirstChar"])
	for i, x := range widths {
		if v, ok := o.number(x); ok {
			f.widths[uint32(max(first, 0))+uint32(i)] = v
		}
	}
}

// encoding sets the meaning of a simple font's bytes, which a ToUnicode map overrides later. drawn means a Type 3 font,
// whose bytes have no meaning except by their names; standard is the standard font that it is or looks like.
func (o objects) encoding(f *font, x types.Object, drawn bool, standard string) {
	base := o.name(x)
	d := o.dict(x)
	if d != nil {
		base = o.name(d["BaseEncoding"])
	}
	table := charmap.Windows1252 // also for the standard encoding, which differs only in quotes and ligatures
	if base == "MacRomanEncoding" {
		table = charmap.Macintosh
	}
	for c := 0x20; c < 0x100 && !drawn; c++ {
		if r := table.DecodeByte(byte(c)); r != '\ufffd' && r >= 0x20 {
			f.unicode[uint32(c)] = string(r)
		}
	}
	if base == "" {
		f.ownMeaning(standard)
	}
	at := uint32(0)
	differences := o.array(d["Differences"])
	if !o.take(len(differences) * entrySteps) {
		return
	}
	for _, v := range differences {
		if n, ok := o.number(v); ok {
			at = uint32(max(n, 0))
			continue
		}
		if s := fromName(o.name(v)); s != "" {
			f.unicode[at] = s
		} else {
			delete(f.unicode, at)
		}
		at++
	}
}

// shown is one code of a string that is shown.
type shown struct {
	text  string // "" if the font does not map it
	width float64
	space bool // the single byte 32, to which word spacing applies
}

// text returns what a code means, "" if that is unknown.
func (f *font) text(c uint32) string {
	s := f.unicode[c]
	if s == "" && f.plain && c >= 0x20 && c < 0xfffe && (c < 0xd800 || c > 0xf8ff) {
		return string(rune(c))
	}
	return s
}

// codes splits a string into its codes.
func (f *font) codes(s []byte, each func(shown)) {
	least := 1
	if f.wide && f.bytes == nil {
		least = 2
	}
	for len(s) >= least {
		n := least
		if f.predefined {
			n = f.easternLength(s)
		}
		c := code(s[:n])
		w, ok := f.widths[c]
		if !ok {
			w = f.missing
		}
		x := shown{text: f.text(c), width: w * f.scale, space: n == 1 && c == 32}
		if f.predefined {
			f.eastern(&x, s[:n])
		}
		each(x)
		s = s[n:]
	}
}

// eastern completes a code of a map that every reader knows. Latin letters are half as wide as others.
func (f *font) eastern(x *shown, b []byte) {
	switch {
	case x.text != "":
	case f.bytes != nil:
		x.text = f.easternText(b)
	case len(b) == 4:
		x.text = decode16(b)
	}
	if r, n := utf8.DecodeRuneInString(x.text); n == len(x.text) && n > 0 && (r < 0x100 || r >= 0xff61 && r <= 0xff9f) {
		x.width /= 2
	}
}

// A TrueType font inside a file may have the map from characters to glyphs that programs print with. Where the file
// does not say what the glyphs of its text mean, that map read backwards does.

// ownMap reads the map of a font whose codes are its glyphs.
func (o objects) ownMap(f *font, kid types.Dict) {
	if to := o.name(kid["CIDToGIDMap"]); kid["CIDToGIDMap"] != nil && to != "Identity" {
		return
	}
	if data := o.stream(o.dict(kid["FontDescriptor"])["FontFile2"]); data != nil {
		readGlyphs(data, func(r rune, glyph uint32) bool {
			if !o.take(entrySteps) || len(f.unicode) >= maxMapped {
				return false
			}
			if r >= 0x20 && (r < 0xe000 || r > 0xf8ff) && glyph > 0 && f.unicode[glyph] == "" { // the first is the usual one
				f.unicode[glyph] = string(r)
			}
			return true
		})
	}
}

// sfnt is a part of a font. What lies beyond it reads as zero.
type sfnt []byte

func (s sfnt) at(i int) sfnt {
	if i < 0 || i > len(s) {
		return nil
	}
	return s[i:]
}

func (s sfnt) u16(i int) int {
	if b := s.at(i); len(b) > 1 {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (s sfnt) u32(i int) int {
	if b := s.at(i); len(b) > 3 {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// mostMaps is how many maps of a font are read. A file may name one map many times, and real fonts have a few.
const mostMaps = 16

// readGlyphs calls each for the characters of a font's Unicode maps (OpenType, cmap: formats 4 and 12), until it
// returns false. A character that the font lacks has glyph 0: it is passed on too, so that each can bound the steps.
func readGlyphs(data []byte, each func(r rune, glyph uint32) bool) {
	font := sfnt(data)
	var table sfnt
	for i := range font.u16(4) {
		if at := 12 + 16*i; len(font.at(at)) >= 16 && string(font[at:at+4]) == "cmap" {
			table = font.at(font.u32(at + 8))
		}
	}
	for i := range min(table.u16(2), mostMaps) {
		entry := 4 + 8*i
		platform, kind := table.u16(entry), table.u16(entry+2)
		if platform != 0 && (platform != 3 || kind != 1 && kind != 10) {
			continue
		}
		switch sub := table.at(table.u32(entry + 4)); sub.u16(0) {
		case 4:
			if !sub.segments(each) {
				return
			}
		case 12:
			if !sub.groups(each) {
				return
			}
		}
	}
}

// segments reads a map of format 4.
func (s sfnt) segments(each func(rune, uint32) bool) bool {
	n := s.u16(6) / 2
	for i := range n {
		end, start := s.u16(14+2*i), s.u16(16+2*n+2*i)
		delta, offset := s.u16(16+4*n+2*i), s.u16(16+6*n+2*i)
		for c := start; c <= end && c < 0xffff; c++ {
			glyph := c
			if offset != 0 {
				glyph = s.u16(16 + 6*n + 2*i + offset + 2*(c-start))
			}
			if offset == 0 || glyph != 0 {
				glyph = (glyph + delta) & 0xffff
			}
			if !each(rune(c), uint32(glyph)) {
				return false
			}
		}
	}
	return true
}

// groups reads a map of format 12.
func (s sfnt) groups(each func(rune, uint32) bool) bool {
	for i := range min(s.u32(12), len(s)/12) {
		start, end, glyph := s.u32(16+12*i), s.u32(20+12*i), s.u32(24+12*i)
		for c := start; c <= end && c <= 0x10ffff; c++ {
			if !each(rune(c), uint32(glyph+c-start)) {
				return false
			}
		}
	}
	return true
}

// easternLength is how many bytes the first code of a string has.
func (f *font) easternLength(s []byte) int {
	c := s[0]
	n := 1
	switch {
	case f.bytes == nil:
		if n = 2; f.plain && c >= 0xd8 && c < 0xdc && len(s) > 3 && s[2] >= 0xdc && s[2] < 0xe0 { // UTF-16
			n = 4
		}
	case f.highBits || c >= 0x81 && (f.bytes != japanese.ShiftJIS || c < 0xa0 || c > 0xdf) && c != 0xff:
		n = 2
	}
	if f.bytes == japanese.EUCJP && c == 0x8f && !f.highBits {
		n = 3
	}
	if f.bytes == simplifiedchinese.GB18030 && n == 2 && len(s) > 3 && s[1] >= '0' && s[1] <= '9' {
		n = 4
	}
	return min(n, len(s))
}

// easternText returns what the bytes of a code mean, "" if nothing.
func (f *font) easternText(b []byte) string {
	if f.highBits {
		b = []byte{b[0] | 0x80, b[len(b)-1] | 0x80}
	}
	out, err := f.bytes.NewDecoder().Bytes(b)
	if err != nil || strings.ContainsRune(string(out), utf8.RuneError) {
		return ""
	}
	return string(out)
}
