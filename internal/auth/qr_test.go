package auth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"
	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain"
)

// The path draws exactly the matrix of the encoder, inside an empty margin of four modules.
func TestQRPath(t *testing.T) {
	for _, text := range []string{"1", auth.TOTPURI(rfc, "aisha@example.com"),
		auth.TOTPURI(rfc, strings.Repeat("عائشة", 40))} {
		d, side, err := auth.QRPath(text)
		require.NoError(t, err)
		code, err := qr.Encode(text, qr.M, qr.Auto)
		require.NoError(t, err)
		require.Equal(t, code.Bounds().Dx()+8, side)
		drawn := draw(t, d, side)
		for y := range side {
			for x := range side {
				inside := x >= 4 && y >= 4 && x < side-4 && y < side-4
				dark := false
				if inside {
					r, _, _, _ := code.At(x-4, y-4).RGBA()
					dark = r == 0
				}
				require.Equal(t, dark, drawn[y][x], "%d,%d of %.30q", x, y, text)
			}
		}
	}
}

// draw accepts only the commands that the path may have, as anything else would end up in a page's markup.
func draw(t *testing.T, d string, side int) [][]bool {
	t.Helper()
	picture := make([][]bool, side)
	for y := range picture {
		picture[y] = make([]bool, side)
	}
	for _, part := range strings.Split(strings.TrimSuffix(d, "z"), "z") {
		var x, y, run, back int
		_, err := fmt.Sscanf(part, "M%d %dh%dv1h-%d", &x, &y, &run, &back)
		require.NoError(t, err, part)
		require.Equal(t, fmt.Sprintf("M%d %dh%dv1h-%d", x, y, run, run), part)
		for i := range run {
			require.False(t, picture[y][x+i], "drawn once")
			picture[y][x+i] = true
		}
	}
	return picture
}

func TestQRPathTooLong(t *testing.T) {
	_, _, err := auth.QRPath(strings.Repeat("x", 5000))
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}
