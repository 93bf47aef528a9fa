package wordfile

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// noSign stands in the fonts for a glyph that is no sign of text.
const noSign = '¤'

// signFonts are the fonts of signs, from 0x20 on: what each of their glyphs is in Unicode.
// Sources: Adobe's symbol.txt (Unicode Consortium, mappings of vendors) and the proposal L2/11-052 for Wingdings.
var signFonts = map[string][]rune{
	"symbol":      []rune(symbolSigns),
	"wingdings":   []rune(wingdingsSigns),
	"wingdings 2": []rune(wingdings2Signs),
	"webdings":    []rune(webdingsSigns),
}

const symbolSigns = " !∀#∃%&∋()∗+,−./0123456789:;<=>?" +
	"≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_" +
	"¤αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}∼¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…¤¤↵" +
	"ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓" +
	"◊〈®©™∑¤¤¤¤¤¤¤¤¤¤¤〉∫⌠¤⌡¤¤¤¤¤¤¤¤¤¤"

const wingdingsSigns = " ✏✂✁¤¤¤¤☎¤✉¤¤¤¤¤¤¤📄¤¤¤⌛⌨¤¤¤¤¤¤✇✍" +
	"¤✌¤👍👎☜☞☝☟¤☺😐☹¤☠⚐¤✈☼¤❄¤✞¤✠✡☪☯¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤&&●❍■□□❑❒⬧⧫◆❖⬥☒⍓⌘❀✿❝❞¤" +
	"⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿¤¤¤¤¤¤¤¤·•" +
	"▪○¤¤◉◎❍▪☐¤✦★✶✴✹¤¤⌖¤¤¤✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘" +
	"🕙🕚🕛¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤⌫⌦¤➢¤¤¤➲¤¤←" +
	"→↑↓↖↗↙↘¤➔¤¤¤¤¤¤⇦⇨⇧⇩⬄⇳¤¤¤¤¤¤✗✓☒☑¤"

const wingdings2Signs = " ¤¤¤¤¤¤¤¤¤☐¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤✗✓☒☑☒☒⮽⮿¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤·•●¤○¤¤¤¤⦿¤" +
	"▪▫■☐□¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤"

const webdingsSigns = " ¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤●¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤✓¤□¤¤¤■¤¤¤¤¤¤⚫¤¤¤✗¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤✎¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤" +
	"¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤¤"

// firstSign is the first character of a font of signs, and signArea where Word has them in Unicode's private area.
const (
	firstSign = 0x20
	signArea  = 0xF000
)

// symbol returns a glyph of a font as text; hex is its character.
func symbol(font, hex string) string {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || n > 0x10FFFF {
		return ""
	}
	return inFont(string(rune(n)), font)
}

// inFont returns text that is set in a font as it is seen: fonts of signs show others than the letters of their
// characters.
func inFont(s, font string) string {
	signs := signFonts[strings.ToLower(strings.TrimSpace(font))]
	if signs == nil && strings.IndexFunc(s, func(r rune) bool { return r >= signArea && r < signArea+0x100 }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		at := r
		if at >= signArea && at < signArea+0x100 {
			at -= signArea
		} else if signs == nil {
			return r
		}
		switch {
		case signs == nil: // nobody says which sign it is
			return utf8.RuneError
		case at < firstSign || int(at-firstSign) >= len(signs):
			return r
		}
		if sign := signs[at-firstSign]; sign != noSign {
			return sign
		}
		return utf8.RuneError
	}, s)
}
