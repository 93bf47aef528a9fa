package redline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text/redline"
)

// compared is Compare of texts that are short enough for it.
func compared(older, newer string) []redline.Piece {
	out, _ := redline.Compare(older, newer)
	return out
}

func TestCompareKeepsCommonWords(t *testing.T) {
	got := compared("the old tower opens in March", "a tower opens again in May")
	require.Equal(t, []redline.Piece{
		{Op: redline.Removed, Text: "the old "}, {Op: redline.Added, Text: "a "}, {Op: redline.Kept, Text: "tower opens "},
		{Op: redline.Added, Text: "again "},
		{Op: redline.Kept, Text: "in "}, {Op: redline.Removed, Text: "March"}, {Op: redline.Added, Text: "May"},
	}, got)
}

// A word is not struck because a comma, a full stop or a line break came after it.
func TestCompareDoesNotStrikeUnchangedWords(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		changed      []string // removed and added, in order, without white space alone
	}{
		{"The bank may host. It reports", "The bank may host, and it reports", []string{". It", ", and it"}},
		{"one two\nthree", "one two\n\nthree", nil},
		{"The end", "The end.", []string{"."}},
		{"approved (A2) today", "approved A2 today", []string{"(", ")"}},
		{"**30 days** of leave", "30 days of leave", []string{"**", "**"}},
		{"2.5% of it", "2.7% of it", []string{"2.5", "2.7"}},
		{"تُحفظ البيانات، وتُعالج", "تُحفظ البيانات وتُعالج", []string{"،"}},
		{"tail", "tail\n", nil},
	} {
		var changed []string
		older, newer := "", ""
		for _, p := range compared(c.older, c.newer) {
			if p.Op != redline.Added {
				older += p.Text
			}
			if p.Op != redline.Removed {
				newer += p.Text
			}
			if s := strings.TrimSpace(p.Text); p.Op != redline.Kept && s != "" {
				changed = append(changed, s)
			}
		}
		require.Equal(t, c.older, older)
		require.Equal(t, c.newer, newer)
		require.ElementsMatch(t, c.changed, changed, c.newer)
	}
}

// FuzzCompare: the pieces add up to both texts.
func FuzzCompare(f *testing.F) {
	f.Add("one two three", "one 2 three")
	f.Add("مذكرة القرار الأولى", "مذكرة القرار")
	f.Add("", " ")
	f.Fuzz(func(t *testing.T, older, newer string) {
		was, is := "", ""
		for _, p := range compared(older, newer) {
			if p.Op != redline.Added {
				was += p.Text
			}
			if p.Op != redline.Removed {
				is += p.Text
			}
		}
		require.Equal(t, older, was)
		require.Equal(t, newer, is)
	})
}

// TestCompareLongTexts: a long text is compared between the lines that it kept; what differs throughout is replaced whole,
// and said to be. Both take bounded time.
func TestCompareLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 4000)
	_, coarse := redline.Compare("a "+long+"b", "c "+strings.Repeat("other ", 4000)+"d")
	require.True(t, coarse)
	pieces, coarse := redline.Compare(long+"a", long+"b")
	require.False(t, coarse, "what both begin with does not count")
	require.Len(t, pieces, 3)

	clauses := func(change func(i int, s string) string) string {
		var all strings.Builder
		for i := range 14_000 { // a megabyte
			all.WriteString(change(i, fmt.Sprintf("البند %d: تسدد الرسوم خلال %d يوما من تاريخ الإشعار.\n", i, 30+i%7)))
		}
		return all.String()
	}
	older := clauses(func(_ int, s string) string { return s })
	newer := clauses(func(i int, s string) string {
		switch i % 1000 {
		case 7:
			return strings.Replace(s, "يوما", "يوم عمل", 1)
		case 500:
			return ""
		}
		return s
	})
	require.Greater(t, len(older), 1<<20)
	pieces, coarse = redline.Compare(older, newer)
	require.False(t, coarse)
	var removed, added []string
	was, is := "", ""
	for _, p := range pieces {
		switch p.Op {
		case redline.Removed:
			removed = append(removed, p.Text)
			was += p.Text
		case redline.Added:
			added = append(added, p.Text)
			is += p.Text
		case redline.Kept:
			was, is = was+p.Text, is+p.Text
		}
	}
	require.Equal(t, older, was)
	require.Equal(t, newer, is)
	require.Len(t, removed, 28, "fourteen words and fourteen lines")
	require.Len(t, added, 14)
	require.Equal(t, "يوم عمل ", added[0])
}

// TestVisible: white space alone is no change, and joining what is left takes no time that grows with its square.
func TestVisible(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("a ", 300_000)
	pieces, _ := redline.Compare(words, strings.ReplaceAll(words, " ", "\n"))
	require.Len(t, pieces, 900_000, "each space is another")
	require.Equal(t, []redline.Piece{{Op: redline.Kept, Text: strings.ReplaceAll(words, " ", "\n")}}, redline.Visible(pieces))
}

// TestVisibleKeepsTheNewerText: what is left of each side is its text, and of changed white space the newer one.
func TestVisibleKeepsTheNewerText(t *testing.T) {
	kept := func(s string) redline.Piece { return redline.Piece{Op: redline.Kept, Text: s} }
	added := func(s string) redline.Piece { return redline.Piece{Op: redline.Added, Text: s} }
	removed := func(s string) redline.Piece { return redline.Piece{Op: redline.Removed, Text: s} }
	for _, x := range []struct{ in, want []redline.Piece }{
		{nil, nil},
		{[]redline.Piece{removed(" \n")}, nil},
		{[]redline.Piece{added(" \n")}, []redline.Piece{kept(" \n")}},
		{[]redline.Piece{kept("a"), removed(" "), added("\n"), kept("b")}, []redline.Piece{kept("a\nb")}},
		{[]redline.Piece{removed("a "), removed("b"), added("\t"), added("c")},
			[]redline.Piece{removed("a b"), kept("\t"), added("c")}},
		{[]redline.Piece{kept("x"), added(" y"), removed(" z ")}, []redline.Piece{kept("x"), added(" y"), removed(" z ")}},
	} {
		require.Equal(t, x.want, redline.Visible(x.in))
	}
}

// TestParagraphs: a piece is cut where a line ends, in whatever of the texts; empty lines, and white space at the
// beginning of one, are nothing; a carriage return is no text.
func TestParagraphs(t *testing.T) {
	kept := func(s string) redline.Piece { return redline.Piece{Op: redline.Kept, Text: s} }
	added := func(s string) redline.Piece { return redline.Piece{Op: redline.Added, Text: s} }
	removed := func(s string) redline.Piece { return redline.Piece{Op: redline.Removed, Text: s} }
	for _, x := range []struct {
		in   []redline.Piece
		want []redline.Paragraph
	}{
		{nil, nil},
		{[]redline.Piece{kept("\n \n")}, nil},
		{[]redline.Piece{kept("a\nb\n\n\nc")}, []redline.Paragraph{{kept("a")}, {kept("b")}, {kept("c")}}},
		{[]redline.Piece{kept("a "), removed("b\nc"), added("d")}, []redline.Paragraph{{kept("a "), removed("b")}, {removed("c"), added("d")}}},
		{[]redline.Piece{kept("a\r\n"), kept(" "), added("b ")}, []redline.Paragraph{{kept("a")}, {added("b ")}}},
		{[]redline.Piece{kept("a"), added(" "), kept("b\n")}, []redline.Paragraph{{kept("a"), added(" "), kept("b")}}},
	} {
		require.Equal(t, x.want, redline.Paragraphs(x.in), "%q", x.in)
	}
	p := redline.Paragraph{kept("a "), removed("b"), added("c")}
	require.Equal(t, "a bc", p.Text())
	require.True(t, p.Changed())
	require.False(t, p[:1].Changed())
}

func BenchmarkCompare(b *testing.B) {
	for name, size := range map[string]int{"alike": 1, "other": 2} {
		b.Run(name, func(b *testing.B) {
			older, newer := strings.Builder{}, strings.Builder{}
			for i := range 40_000 {
				fmt.Fprintf(&older, "Clause %d says this.\n", i)
				fmt.Fprintf(&newer, "Clause %d says this.\n", i*size+i%3)
			}
			b.ReportAllocs()
			for b.Loop() {
				redline.Compare(older.String(), newer.String())
			}
		})
	}
}

func TestFold(t *testing.T) {
	pieces, _ := redline.Compare("a\nb\nc\nd x\ne\nf\ng\nh", "a\nb\nc\nD x\ne\nf\ng\nh")
	require.Equal(t, []redline.Shown{{At: 0, LeftOut: 2}, {At: 2}, {At: 3}, {At: 4}, {At: 5, LeftOut: 3}},
		redline.Fold(redline.Paragraphs(redline.Visible(pieces))))
	require.Empty(t, redline.Fold(nil))
}

// TestSentenceAddedBehindAKeptOne: the mark that ends a kept sentence is kept, and the added sentence has its own.
func TestSentenceAddedBehindAKeptOne(t *testing.T) {
	got, _ := redline.Compare("Leave is 15 days, by consent of the director.", "Leave is 20 days, by consent of the director. It is paid.")
	require.Equal(t, []redline.Piece{{redline.Kept, "Leave is "}, {redline.Removed, "15 "}, {redline.Added, "20 "}, {redline.Kept, "days, by consent of the director."},
		{redline.Added, " It is paid."}}, got)
	got, _ = redline.Compare("الإجازة ١٥ يومًا بموافقة المدير.", "الإجازة ٢٠ يومًا بموافقة المدير. وهي مدفوعة.")
	require.Equal(t, redline.Piece{redline.Added, " وهي مدفوعة."}, got[len(got)-1])
}
