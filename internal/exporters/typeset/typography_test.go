package typeset

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// linesOf lays out spans in a width of font units and returns each line's characters from left to right.
func linesOf(t *testing.T, spans []Span, rtl bool, width int32) []string {
	t.Helper()
	set, err := newSetter()
	require.NoError(t, err)
	var out []string
	for _, src := range sources(spans, rtl, set.has) {
		for _, l := range set.set(&src, spans, width) {
			var line []rune
			for _, f := range l.frags {
				for _, code := range f.codes {
					line = append(line, set.slicers[f.weight].list[code-1].char)
				}
			}
			out = append(out, strings.TrimSpace(string(line)))
		}
	}
	return out
}

// TestLongNames checks that a name wider than the line breaks at its separators first and elsewhere only if it must,
// and that in Arabic its lines still read from left to right and from top to bottom.
func TestLongNames(t *testing.T) {
	name := "a_very_long_file_name_of_the_board_2024-final.pdf"
	for _, spans := range [][]Span{Text(name), {{Text: name, Code: true}}, {{Text: name, Isolate: true}},
		{{Text: name, Lang: "en"}}} {
		for _, rtl := range []bool{false, true} {
			lines := linesOf(t, spans, rtl, 9500)
			require.Equal(t, name, strings.Join(lines, ""))
			require.Greater(t, len(lines), 2)
			for _, l := range lines[:len(lines)-1] {
				require.Contains(t, "_-.", l[len(l)-1:], lines)
			}
		}
	}
	for _, s := range []string{strings.Repeat("9f86d081884c7d65", 8),
		"https://example.org/" + strings.Repeat("x", 60)} {
		require.Equal(t, s, strings.Join(linesOf(t, Text(s), true, 9500), ""), "a long word lost characters at a line break")
	}
	require.Equal(t, []string{"see state-of-", "the-art"}, linesOf(t, Text("see state-of-the-art"), false, 6500))
	require.NotContains(t, strings.Join(linesOf(t, Text("x 1234567890.1234567890.1234567890"), false, 7000), "|"),
		".|", "a line ends with a decimal point")
}

// TestBreaksBeforeIsolates checks that a line breaks before a stretch that the engine isolates as before
// any other word.
func TestBreaksBeforeIsolates(t *testing.T) {
	require.Equal(t, []string{"one two three", "four, a.b"},
		linesOf(t, []Span{{Text: "one two three "}, {Text: "four, a.b", Isolate: true}}, false, 7000))
	for _, l := range linesOf(t, Text("تقرير 2024-2026 وملف 2025-2027 وملف 2026-2028 وملف 2027-2029 وكتاب 2028-2030"),
		true, 6000) {
		require.Regexp(t, `^((\d{4}-\d{4})|[^\d-])*$`, l, "a range of numbers is split over lines")
	}
}

// TestLatinPhrases checks that words and numbers read from left to right keep their order within Arabic.
func TestLatinPhrases(t *testing.T) {
	for _, s := range []string{"tender 2026-90417", "ISO/IEC 27001:2022", "Plan B - 2026-01", "C++ 17.2-rc",
		"v2.1 beta-3"} {
		for _, text := range []string{"مناقصة " + s, "مناقصة " + s + " للعام الجديد"} {
			require.Contains(t, strings.Join(linesOf(t, Text(text), true, 90_000), "|"), s)
		}
	}
}

// TestDirections checks that a heading, title, cell or paragraph in the other language reads in its own direction.
func TestDirections(t *testing.T) {
	const english = "3. Staff get 15 days (2024): a & b."
	require.Equal(t, []string{english}, linesOf(t, Text(english), false, 90_000))
	require.NotEqual(t, []string{english}, linesOf(t, Text(english), true, 90_000), "without Lang, English in an Arabic section is out of order")
	require.Equal(t, []string{english}, linesOf(t, []Span{{Text: english, Lang: "en"}}, true, 90_000))
	mixed := linesOf(t, []Span{{Text: "IFRS 9 في الخليج", Lang: "ar"}}, false, 90_000)
	require.Equal(t, linesOf(t, Text("IFRS 9 في الخليج"), true, 90_000), mixed, "Lang decides, not the first letter")

	d := &Doc{Lang: "ar", Sections: []Section{{Lang: "ar", Head: [2]string{english, ""}, HeadLang: [2]string{"en", ""},
		Blocks: []Block{
			Cover{Title: english, TitleLang: "en", Facts: []KeyValue{{Key: "م", Value: Text(english), Lang: "en"}}},
			Heading{Level: 1, Text: english, Lang: "en"}, Paragraph{Spans: Text(english), Lang: "en"},
		}}}}
	f, err := lay(d)
	require.NoError(t, err)
	f.rtl = true
	ops := f.box(Text(english), headingStyles[0], bodyWidth, false).ops(nil, 0, 1, marginX, 0, f.side(), 0)
	last := ops[len(ops)-1]
	require.InDelta(t, marginX+bodyWidth, last.x+last.w, 0.1, "the text does not end at the section's margin")
	require.Contains(t, linesOf(t, Text("Title: خطة الفترة 2024-2026 فقط"), false, 90_000)[0], "2024-2026",
		"Arabic among English")
	page := pagesText(t, writeFile(t, d, nil), "")[0]
	require.Equal(t, 5, strings.Count(page, "Staff get 15 days (2024): a & b."), page)
}

// TestRowsStayTogether checks that two rows follow a heading on its page, and that a table's last row isn't left alone.
func TestRowsStayTogether(t *testing.T) {
	for filler := range 60 {
		for _, n := range []int{1, 2, 3, 7} {
			d := &Doc{Lang: "en", Sections: []Section{{Lang: "en"}}}
			s := &d.Sections[0]
			for range filler {
				s.Blocks = append(s.Blocks, Paragraph{Spans: Text("filler")})
			}
			rows, facts := make([]Row, n), make([]KeyValue, n)
			for i := range rows {
				rows[i] = Row{[]Cell{{Spans: Text("row")}}}
				facts[i] = KeyValue{Key: "k", Value: Text("v")}
			}
			s.Blocks = append(s.Blocks, Heading{Level: 2, Text: "t"},
				Table{Columns: []Column{{"A", 1, false}}, Rows: rows},
				Heading{Level: 2, Text: "kv"}, KeyValues{Items: facts})
			checkRows(t, d, n)
		}
	}
}

// TestLastItem checks that a list's last item has the end of the item before it on its page.
func TestLastItem(t *testing.T) {
	for filler := range 60 {
		for _, before := range []string{"short", strings.Repeat("an item of several lines ", 14)} {
			s := Section{Lang: "en"}
			for range filler {
				s.Blocks = append(s.Blocks, Paragraph{Spans: Text("filler")})
			}
			s.Blocks = append(s.Blocks, List{Items: [][]Span{Text("first"), Text(before), Text("last")}})
			f, err := lay(&Doc{Lang: "en", Sections: []Section{s}})
			require.NoError(t, err)
			var bodies []element
			for _, e := range f.tree.elements {
				if e.role == "LBody" {
					bodies = append(bodies, e)
				}
			}
			kids := bodies[1].kids
			require.Equal(t, kids[len(kids)-1].page, bodies[2].kids[0].page, "%d fillers", filler)
		}
	}
}

func checkRows(t *testing.T, d *Doc, n int) {
	t.Helper()
	f, err := lay(d)
	require.NoError(t, err)
	pageOf := func(elem int32) int32 {
		for {
			if k := f.tree.elements[elem].kids[0]; k.elem < 0 {
				return k.page
			} else {
				elem = k.elem
			}
		}
	}
	heading := int32(0)
	for i, e := range f.tree.elements {
		switch e.role {
		case "H2":
			heading = int32(i)
		case "Table":
			rows := e.kids[len(e.kids)-n:]
			require.Equal(t, pageOf(heading), pageOf(rows[min(1, n-1)].elem), "a page ends between a heading and its second row")
			require.Equal(t, pageOf(rows[max(n-2, 0)].elem), pageOf(rows[n-1].elem), "the last row is alone on its page")
		}
	}
}

// TestCodeIsMono checks that digests are set in the mono face, and characters it lacks in the text face.
func TestCodeIsMono(t *testing.T) {
	set, err := newSetter()
	require.NoError(t, err)
	spans := []Span{{Text: "9f86 ملف", Code: true}}
	require.Len(t, linesOf(t, spans, true, 90_000), 1)
	for _, src := range sources(spans, true, set.has) {
		for _, l := range set.set(&src, spans, 90_000) {
			for _, f := range l.frags {
				if f.weight == mono {
					require.Equal(t, int32(4*540), f.width)
				}
			}
		}
	}
	require.Len(t, set.slicers[mono].list, 4)
}
