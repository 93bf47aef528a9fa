package typeset

import "math"

// Colours and measures, from static/tokens.css (light). Measures are in points on A4.
const (
	pageWidth, pageHeight = 595.28, 841.89
	marginX               = 46.0
	bodyTop               = 60.0
	bodyBottom            = pageHeight - 54
	headLine              = 37.0
	footLine              = pageHeight - 32
	bodyWidth             = pageWidth - 2*marginX
	hairline              = 0.5

	ink        Color = 0x1c1b19
	inkSoft    Color = 0x5b5850
	line1      Color = 0xe0dcd1
	edge       Color = 0x87837a
	sunken     Color = 0xf3f1ea
	accent     Color = 0x2f3f8f
	accentSoft Color = 0xe9ecf8
)

// textStyle is how the text of a block is set.
type textStyle struct {
	size   float64
	color  Color
	bold   bool
	latin  float64 // leading as a multiple of the size
	arabic float64
}

var (
	bodyStyle     = textStyle{size: 9.2, color: ink, latin: 1.36, arabic: 1.5}
	softStyle     = textStyle{size: 8.1, color: inkSoft, latin: 1.32, arabic: 1.45}
	tableStyle    = textStyle{size: 8.1, color: ink, latin: 1.25, arabic: 1.37}
	tableHead     = textStyle{size: 7.6, color: inkSoft, bold: true, latin: 1.26, arabic: 1.38}
	quoteStyle    = textStyle{size: 9.6, color: ink, latin: 1.42, arabic: 1.62}
	kickerStyle   = textStyle{size: 8.5, color: accent, bold: true, latin: 1.4, arabic: 1.6}
	titleStyle    = textStyle{size: 20, color: ink, bold: true, latin: 1.2, arabic: 1.45}
	subtitleStyle = textStyle{size: 10.5, color: inkSoft, latin: 1.35, arabic: 1.55}
	watermarkText = textStyle{size: 44, color: 0xE4E7EB, bold: true, latin: 1.3, arabic: 1.5}
	runningStyle  = textStyle{size: 7.8, color: inkSoft, latin: 1.3, arabic: 1.5}
	noteStyle     = textStyle{size: 7.4, color: inkSoft, latin: 1.3, arabic: 1.45}
	badgeStyle    = textStyle{size: 7.8, color: ink, bold: true, latin: 1.3, arabic: 1.3}
	headingStyles = [3]textStyle{{
		size: 13, color: ink, bold: true, latin: 1.3, arabic: 1.5,
	}, {
		size: 11, color: ink, bold: true, latin: 1.3, arabic: 1.5,
	}, {size: 9.8, color: accent, bold: true, latin: 1.35, arabic: 1.55}}
	headingSpace = [3]float64{12, 10, 8}
)

// leading returns the distance of baselines in whole tenths of a point, which makes the page's content repetitive and
// thus compressible.
func (s textStyle) leading(rtl bool, scale float64) float64 {
	if rtl {
		return math.Round(s.size*s.arabic*scale*10) / 10
	}
	return math.Round(s.size*s.latin*scale*10) / 10
}

// badgeColors has the text and background colours of badges by kind.
var badgeColors = [...][2]Color{
	Good:   {0x1b6638, 0xe0f0e4},
	Unsure: {0x7a4b00, 0xfaecce},
	Bad:    {0xa1211c, 0xfbe6e3},
	Open:   {0x57544c, 0xebe8e0},
	Plain:  {accent, accentSoft},
}

// colors returns a badge's colours; an unknown kind is plain.
func (k Kind) colors() (text, ground Color) {
	if int(k) >= len(badgeColors) {
		k = Plain
	}
	return badgeColors[k][0], badgeColors[k][1]
}
