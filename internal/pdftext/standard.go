package pdftext

import (
	"strings"

	metrics "github.com/pdfcpu/pdfcpu/pkg/font"
	"golang.org/x/text/encoding/charmap"
)

// Files need not give the widths of the 14 standard fonts (ISO 32000-1, 9.6.2.2), which every reader has. They are
// Adobe's metrics, in pdfcpu.

// Flags of a font's descriptor.
const (
	fixedPitch = 1 << 0
	serif      = 1 << 1
)

// standardName returns the standard font that a font is or that it looks most like, by its name, and otherwise by the
// flags of its descriptor. is reports whether it is one by its name.
func standardName(base string, flags int) (name string, is bool) {
	if i := strings.IndexByte(base, '+'); i == 6 { // a part of a font
		base = base[7:]
	}
	low := strings.ToLower(strings.ReplaceAll(base, " ", ""))
	switch {
	case low == "symbol" || strings.HasPrefix(low, "symbol,") || low == "symbolmt":
		return "Symbol", true
	case low == "zapfdingbats":
		return "ZapfDingbats", true
	}
	family := "Helvetica"
	switch {
	case strings.HasPrefix(low, "helvetica"), strings.HasPrefix(low, "arial"):
		is = true
	case strings.HasPrefix(low, "courier"):
		family, is = "Courier", true
	case strings.HasPrefix(low, "times"):
		family, is = "Times", true
	case flags&fixedPitch != 0:
		family = "Courier"
	case flags&serif != 0:
		family = "Times"
	}
	slanted := "Oblique"
	if family == "Times" {
		slanted = "Italic"
	}
	style := ""
	if isBold(low) {
		style = "Bold"
	}
	if strings.Contains(low, "italic") || strings.Contains(low, "oblique") {
		style += slanted
	}
	switch {
	case style != "":
		family += "-" + style
	case family == "Times":
		family += "-Roman"
	}
	return family, is
}

// standardWidths gives f the widths of a standard font, by what its codes mean.
func (f *font) standardWidths(name string) {
	for c := range uint32(256) {
		code := int(c)
		if name != "Symbol" && name != "ZapfDingbats" {
			r := []rune(f.unicode[c])
			if len(r) == 0 {
				continue
			}
			b, ok := charmap.Windows1252.EncodeRune(r[0])
			if !ok {
				continue
			}
			code = int(b)
		}
		if w, err := metrics.CharWidth(name, rune(code)); err == nil {
			f.widths[c] = float64(w)
		}
	}
}

// symbols are what the codes of the font Symbol mean, from 0x20 and from 0xa0 on; U+FFFD is none.
var symbols = [2]string{
	" !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
	"€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}

// dingbats are what codes of ZapfDingbats mean that are not at their place from U+2700 on.
var dingbats = map[uint32]rune{0x25: '☎', 0x2a: '☛', 0x2b: '☞', 0x48: '★', 0x6c: '●', 0x6e: '■', 0x73: '▲', 0x74: '▼',
	0x75: '◆', 0x77: '◗', 0xa8: '♣', 0xa9: '♦', 0xaa: '♥', 0xab: '♠', 0xd5: '→', 0xd6: '↔', 0xd7: '↕'}

// ownMeaning gives f the meanings of the codes of a standard font that has an encoding of its own.
func (f *font) ownMeaning(name string) {
	switch name {
	case "Symbol":
		for i, from := range []uint32{0x20, 0xa0} {
			c := from
			for _, r := range symbols[i] {
				f.unicode[c] = string(r)
				c++
			}
		}
	case "ZapfDingbats":
		for c := uint32(0x21); c < 0xff; c++ {
			switch {
			case dingbats[c] != 0:
				f.unicode[c] = string(dingbats[c])
			case c < 0x7f:
				f.unicode[c] = string(rune(0x2700 + c - 0x20))
			case c >= 0xa1 && c <= 0xa7:
				f.unicode[c] = string(rune(0x2761 + c - 0xa1))
			case c >= 0xac && c <= 0xb5:
				f.unicode[c] = string(rune(0x2460 + c - 0xac))
			case c > 0xb5 && c != 0xf0:
				f.unicode[c] = string(rune(0x2776 + c - 0xb6))
			}
		}
	}
}
