package typeset

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/stretchr/testify/require"
)

// drawnText returns the characters that a line's codes stand for, sorted: layout may reorder characters, but never lose
// or duplicate one.
func drawnText(set *setter, lines []line) []rune {
	var out []rune
	for _, l := range lines {
		for _, f := range l.frags {
			for _, code := range f.codes {
				out = append(out, set.slicers[f.weight].list[code-1].char)
			}
		}
	}
	return visible(out)
}

// visible returns a text's characters that have a code, without spaces, sorted.
func visible(text []rune) []rune {
	out := slices.DeleteFunc(slices.Clone(text), func(r rune) bool { return r == ' ' || isFormat(r) })
	slices.Sort(out)
	return out
}

func checkLayout(t *testing.T, s string, rtl bool, width int32) {
	t.Helper()
	set, err := newSetter()
	require.NoError(t, err)
	spans := []Span{{Text: s}, {Text: s, Bold: true}, {Text: s, Code: true}}
	for _, src := range sources(spans, rtl, set.has) {
		lines := set.set(&src, spans, width)
		require.NotEmpty(t, lines)
		require.Equal(t, string(visible(src.text)), string(drawnText(set, lines)))
		for _, l := range lines {
			sum := int32(0)
			for _, f := range l.frags {
				sum += f.width
			}
			require.Equal(t, sum, l.width+l.lead, "a line is as wide as its fragments")
		}
	}
	for w := range weights {
		if font := derive(&set.faces[w], set.slicers[w].list); font != nil {
			checkFont(t, font, len(set.slicers[w].list))
		}
	}
}

func TestLayoutKeepsText(t *testing.T) {
	texts := append(readParagraphs(t, "arabic.txt"), sized(nasties)...)
	for _, s := range texts {
		for _, width := range []int32{1, 3000, 40_000} {
			checkLayout(t, s, true, width)
			checkLayout(t, s, false, width)
		}
	}
}

// TestLinesFit checks that no line of ordinary text is wider than its measure.
func TestLinesFit(t *testing.T) {
	set, err := newSetter()
	require.NoError(t, err)
	for _, s := range append(readParagraphs(t, "arabic.txt"), readParagraphs(t, "english.txt")...) {
		for _, width := range []int32{12_000, 45_000} {
			for _, src := range sources(Text(s), strings.ContainsFunc(s, isRTL), set.has) {
				for _, l := range set.set(&src, Text(s), width) {
					require.LessOrEqual(t, l.width, width, s)
				}
			}
		}
	}
}

func FuzzLayout(f *testing.F) {
	for i, s := range nasties {
		f.Add(s, i%2 == 0, 2000*i)
	}
	f.Fuzz(func(t *testing.T, s string, rtl bool, width int) {
		if len(s) <= 2000 {
			checkLayout(t, s, rtl, int32(min(max(width, 1), 1_000_000)))
		}
	})
}

// TestStructure checks that a reader of the tags gets whole words, and Arabic in reading order.
func TestStructure(t *testing.T) {
	paragraphs := readParagraphs(t, "english.txt")
	said := runTool(t, "pdfinfo", "-struct-text", writeFile(t, onPages(paragraphs, "en"), nil))
	for _, p := range paragraphs {
		require.Contains(t, said, p, "words at line ends are glued together")
	}
	arabic := readParagraphs(t, "arabic.txt")
	f, err := lay(onPages(arabic, "ar"))
	require.NoError(t, err)
	var actual []string
	for _, e := range f.tree.elements {
		if e.actual != "" {
			actual = append(actual, e.actual)
		}
	}
	require.Equal(t, arabic, actual)
}

// TestTableRowHigherThanPage checks that a cell of any length is split over pages, that the head is repeated and that
// nothing is lost.
func TestTableRowHigherThanPage(t *testing.T) {
	long := strings.Repeat("word ", 4000)
	d := &Doc{Lang: "en", Sections: []Section{{Lang: "en", Blocks: []Block{Table{
		Columns: []Column{{"A", 1, false}, {"Headword", 3, false}},
		Rows: []Row{{[]Cell{{Spans: Text("x")}, {Spans: Text("y")}}},
			{[]Cell{{Spans: Text("short")}, {Spans: Text(long)}}}},
	}}}}}
	pages := pagesText(t, writeFile(t, d, nil), "")
	words := 0
	for _, p := range pages[:len(pages)-1] {
		require.Contains(t, p, "Headword")
		words += strings.Count(p+" ", "word ")
	}
	require.Equal(t, 4000+len(pages)-1, words, "with a head on each page") // "Headword " counts too
}

// checkFont reads a derived font with another library: each slice has its glyph.
func checkFont(t *testing.T, data []byte, slices int) {
	t.Helper()
	loader, err := opentype.NewLoader(bytes.NewReader(data))
	require.NoError(t, err)
	table := func(tag string) []byte {
		raw, err := loader.RawTable(opentype.MustNewTag(tag))
		require.NoError(t, err, tag)
		return raw
	}
	head, _, err := tables.ParseHead(table("head"))
	require.NoError(t, err)
	maxp, _, err := tables.ParseMaxp(table("maxp"))
	require.NoError(t, err)
	require.Greater(t, int(maxp.NumGlyphs), slices)
	loca, err := tables.ParseLoca(table("loca"), int(maxp.NumGlyphs), head.IndexToLocFormat == 1)
	require.NoError(t, err)
	glyphs, err := tables.ParseGlyf(table("glyf"), loca)
	require.NoError(t, err)
	require.Len(t, glyphs, int(maxp.NumGlyphs))
}

// TestManySlices checks that no two slices of a large document share a code.
func TestManySlices(t *testing.T) {
	set, err := newSetter()
	require.NoError(t, err)
	z, seen := set.slicers[regular], map[rune]bool{}
	for i := range 9000 {
		code := z.code('a', int32(i), []drawn{{20, int16(i % 7), 0}})
		require.False(t, seen[code] || code < 1 || code > lastCode, "%04X", code)
		seen[code] = true
	}
	checkFont(t, derive(&set.faces[regular], z.list), len(z.list))
}
