package typeset

import (
	"bufio"
	"compress/gzip"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/bidi"
)

// TestBidiCharacterTest runs all cases of the Unicode BidiCharacterTest: levels (X1 to I2) and visual order (L2).
func TestBidiCharacterTest(t *testing.T) {
	f, err := os.Open("testdata/BidiCharacterTest.txt.gz")
	require.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	cases, failures := 0, 0
	for in := bufio.NewScanner(z); in.Scan(); {
		line := in.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		cases++
		if got, want := bidiCase(line); got != want {
			if failures++; failures < 10 {
				t.Errorf("%s\n got %s", line, got)
			}
		}
	}
	require.Equal(t, 91707, cases) // the file of Unicode 15.0
	require.Zero(t, failures)
}

// bidiCase runs one line of the file; got and want are in the notation of the file.
func bidiCase(line string) (got, want string) {
	fields := strings.Split(line, ";")
	var text []rune
	for _, h := range strings.Fields(fields[0]) {
		r, _ := strconv.ParseInt(h, 16, 32)
		text = append(text, rune(r))
	}
	base := int8(fields[1][0] - '0')
	if base == 2 {
		base = newParagraph(text, 0).firstStrong(0, len(text))
	}
	levels := bidiLevels(text, base)
	resetLineEnd(text, levels, base)
	var at, shown []string
	var kept []int
	var keptLevels []int8
	for i, l := range levels {
		if l == removed {
			shown = append(shown, "x")
			continue
		}
		shown = append(shown, strconv.Itoa(int(l)))
		kept, keptLevels = append(kept, i), append(keptLevels, l)
	}
	for _, i := range visualOrder(keptLevels) {
		at = append(at, strconv.Itoa(kept[i]))
	}
	got = strconv.Itoa(int(base)) + ";" + strings.Join(shown, " ") + ";" + strings.Join(at, " ")
	return got, strings.Join(fields[2:], ";")
}

// resetLineEnd resets separators, and the white space and isolate controls before them and at the end of the line, to
// the paragraph's level (L1).
func resetLineEnd(text []rune, levels []int8, base int8) {
	end := true
	for i := len(text) - 1; i >= 0; i-- {
		switch class(text[i]) {
		case bidi.B, bidi.S:
			end = true
		case bidi.WS, bidi.FSI, bidi.LRI, bidi.RLI, bidi.PDI:
		case bidi.BN, bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF:
			continue
		default:
			end = false
		}
		if end && levels[i] != removed {
			levels[i] = base
		}
	}
}
