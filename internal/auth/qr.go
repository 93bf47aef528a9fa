package auth

import (
	"fmt"
	"strings"

	"github.com/boombuler/barcode/qr"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// quiet is the empty margin in modules that ISO/IEC 18004 asks for.
const quiet = 4

// QRPath draws text as a QR code: the d of an SVG path, and the side of its square in units. The square includes the
// quiet zone. The page must provide a light background behind a dark path, even in its dark theme.
func QRPath(text string) (d string, side int, err error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", 0, &domain.Error{Kind: domain.Invalid, Op: "auth.QRPath",
			Message: words.Msg("refused_text_too_long"), Err: err}
	}
	n := code.Bounds().Dx()
	var b strings.Builder
	for y := range n {
		drawRow(&b, y, n, func(x int) bool { r, _, _, _ := code.At(x, y).RGBA(); return r == 0 })
	}
	return b.String(), n + 2*quiet, nil
}

// drawRow adds a rectangle for every run of dark modules in a row.
func drawRow(b *strings.Builder, y, n int, dark func(x int) bool) {
	for x := 0; x < n; x++ {
		start := x
		for x < n && dark(x) {
			x++
		}
		if run := x - start; run > 0 {
			fmt.Fprintf(b, "M%d %dh%dv1h-%dz", start+quiet, y+quiet, run, run)
		}
	}
}
