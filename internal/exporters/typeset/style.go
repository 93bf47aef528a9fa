package typeset

import "math"

// Colours and measures, from static/tokens.css (light). Measures are in points on A4.
const (
	pageWidth, pageHeight = 595.28, 841.89
	marginX               = 54.0
	bodyTop               = 78.0
	bodyBottom            = pageHeight - 68
	headLine              = 46.0
	footLine              = pageHeight - 42
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
	bodyStyle     = textStyle{size: 10.4, color: ink, latin: 1.5, arabic: 1.75}
	softStyle     = textStyle{size: 9, color: inkSoft, latin: 1.45, arabic: 1.7}
	tableStyle    = textStyle{size: 9, color: ink, latin: 1.36, arabic: 1.6}
	tableHead     = textStyle{size: 8.4, color: inkSoft, bold: true, latin: 1.4, arabic: 1.6}
	quoteStyle    = textStyle{size: 10.4, color: ink, latin: 1.5, arabic: 1.75}
	kickerStyle   = textStyle{size: 8.5, color: accent, bold: true, latin: 1.4, arabic: 1.6}
	titleStyle    = textStyle{size: 24, color: ink, bold: true, latin: 1.2, arabic: 1.45}
	subtitleStyle = textStyle{size: 12, color: inkSoft, latin: 1.4, arabic: 1.65}
	watermarkText = textStyle{size: 44, color: 0xE4E7EB, bold: true, latin: 1.3, arabic: 1.5}
	runningStyle  = textStyle{size: 7.8, color: inkSoft, latin: 1.3, arabic: 1.5}
	badgeStyle    = textStyle{size: 8.2, color: ink, bold: true, latin: 1.3, arabic: 1.3}
	headingStyles = [3]textStyle{{
		size: 16, color: ink, bold: true, latin: 1.3, arabic: 1.5,
	}, {
		size: 12.5, color: ink, bold: true, latin: 1.3, arabic: 1.5,
	}, {size: 10.5, color: accent, bold: true, latin: 1.35, arabic: 1.55}}
	headingSpace = [3]float64{26, 20, 14}
)

// leading returns the distance of baselines in whole tenths of a point, which makes the page's content repetitive and
// thus compressible.
func (s textStyle) leading(rtl bool) float64 {
	if rtl {
		return math.Round(s.size*s.arabic*10) / 10
	}
	return math.Round(s.size*s.latin*10) / 10
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
