package typeset

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"github.com/stretchr/testify/require"
)

// TestShapingVectors compares shaping with the output of hb-shape: no differences in either weight.
func TestShapingVectors(t *testing.T) {
	f, err := os.Open("testdata/shaping_plex.json.gz")
	require.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var vectors struct {
		Words []struct {
			Font, Text string
			Glyphs     [][5]int
		}
	}
	require.NoError(t, json.NewDecoder(z).Decode(&vectors))
	s, err := newShaper()
	require.NoError(t, err)
	different := 0
	for _, w := range vectors.Words {
		text := []rune(w.Text)
		r := run{
			end: len(text), level: 1, script: language.Arabic,
			weight: weight(slices.Index(fontFiles[:], w.Font+".ttf")),
		}
		s.shape(text, r)
		if !slices.Equal(glyphs(s.buffer), w.Glyphs) {
			different++
			t.Logf("%s %s\n got %v\nwant %v", w.Font, w.Text, glyphs(s.buffer), w.Glyphs)
		}
	}
	require.Len(t, vectors.Words, 866)
	require.Zero(t, different)
}

func glyphs(b *harfbuzz.Buffer) [][5]int {
	var out [][5]int
	for i, g := range b.Info {
		p := b.Pos[i]
		out = append(out, [5]int{int(g.Glyph), g.Cluster, int(p.XAdvance), int(p.XOffset), int(p.YOffset)})
	}
	return out
}
