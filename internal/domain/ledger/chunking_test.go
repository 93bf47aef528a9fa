package ledger_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

const handbook = `HR Handbook
===========

This handbook applies to all staff.

# 4 Leave

## 4.1 Annual leave ##

All permanent employees shall receive 15 days of paid annual leave. Leave is granted by the manager.

- Apply two weeks before.
- Wait for approval.

| Type | Days |
|---|---|
| Annual | 15 |

` + "```\n# no heading\n\nx = 1\n```" + `

## 4.2 Carry-over

Up to 5 days may be carried over.
`

const contract = `Employment contract

Article 7 – Annual leave
The employee has 15 days of leave.

4.2 Carry-over

Up to 5 days may be carried over. See Section 3 of the law.
Section 3 applies to everyone.

1. First item of a list

2. Second item of a list

المادة (٧): الإجازات
يستحق الموظف ٢١ يوماً.

البند 3

2.5 million people live there.`

type heading struct {
	level int
	text  string
}

func headings(blocks []ledger.Block) (out []heading) {
	for _, b := range blocks {
		if b.Level > 0 {
			out = append(out, heading{b.Level, strings.TrimSpace(b.Text)})
		}
	}
	return out
}

func TestParseBlocksHeadings(t *testing.T) {
	require.Equal(t, []heading{
		{1, "HR Handbook\n==========="}, {1, "# 4 Leave"}, {2, "## 4.1 Annual leave ##"}, {2, "## 4.2 Carry-over"},
	}, headings(ledger.ParseBlocks(handbook, 0, 0)))
	require.Equal(t, []heading{
		{3, "Article 7 – Annual leave"}, {2, "4.2 Carry-over"}, {3, "المادة (٧): الإجازات"}, {3, "البند 3"},
	}, headings(ledger.ParseBlocks(contract, 0, 0)))
}

func TestStandaloneHeadings(t *testing.T) {
	cases := map[string]int{
		"3 Definitions\n\nA word.":                         1,
		"3. Definitions\n\nA word.":                        1,
		"4.2.1 Carry-over\nText.":                          3,
		"٤.٢ ترحيل الإجازات\nنص.":                          2,
		"CHAPTER II\n\nText.":                              1,
		"Section 3.2: Requests\nText.":                     2,
		"Appendix A\n\nText.":                              1,
		"الفصل الثالث\n\nنص.":                              1,
		"المادة السابعة: الإجازات\nنص.":                    3,
		"المادة العشرون: الطوارئ\nنص.":                     3,
		"المادة الثالثة والثلاثون: النفاذ\nنص.":            3,
		"مادة 12 - الأجور\nنص.":                            3,
		"9 March 2026\n\nDear Ms Ali,":                     0,
		"9 March\n\nDear Ms Ali,":                          0,
		"٩ ربيع الأول ١٤٤٧\n\nالسيدة علي،":                 0,
		"3. March\n\nText.":                                1,
		"3.2 March results\n\nText.":                       2,
		"15 days of leave\n\nText.":                        0,
		"15 Days of leave are granted.\n\nText.":           0,
		"Article 7 applies to everyone.\n\nText.":          0,
		"1. Apples\n\n2. Pears\n\nText.":                   0,
		"as it says in\nArticle 7":                         0,
		"المادة 7 تنطبق على الجميع.\nنص.":                  0,
		"3 Definitions" + strings.Repeat(" very long", 12): 0,
	}
	for doc, level := range cases {
		got := 0
		if h := headings(ledger.ParseBlocks(doc, 0, 0)); len(h) > 0 {
			got = h[0].level
		}
		require.Equal(t, level, got, doc)
	}
}

func TestParseBlocksBody(t *testing.T) {
	var got []string
	for _, b := range ledger.ParseBlocks("One\nline.\n\n- item one\n  goes on\n- item two\n\n|a|b|\n|-|-|\n|1|2|\nAfter.\n~~~\nx\n\ny\n~~~\nEnd.", 3, 10) {
		require.Equal(t, 3, b.Page)
		got = append(got, strings.TrimSpace(b.Text))
	}
	require.Equal(t, []string{"One\nline.", "- item one\n  goes on", "- item two", "|a|b|\n|-|-|\n|1|2|", "After.",
		"~~~\nx\n\ny\n~~~", "End."}, got)
}

func TestChunkBlocksPaths(t *testing.T) {
	chunks := ledger.ChunkBlocks(ledger.ParseBlocks(handbook, 12, 0), 0)
	require.Len(t, chunks, 3)
	require.Equal(t, []string{"HR Handbook"}, chunks[0].HeadingPath)
	require.Equal(t, []string{"4 Leave", "4.1 Annual leave"}, chunks[1].HeadingPath)
	require.Equal(t, []string{"4 Leave", "4.2 Carry-over"}, chunks[2].HeadingPath)
	require.True(t, strings.HasPrefix(chunks[1].Text, "# 4 Leave\n\n## 4.1 Annual leave ##\n\nAll permanent"),
		chunks[1].Text)
	for i, c := range chunks {
		require.Equal(t, 12, c.Page)
		require.Equal(t, i, c.Position)
		require.Equal(t, ledger.ChunkDigest(c.Text), c.Hash)
		require.Equal(t, ledger.TextDigest(c.Text), c.Root)
	}
	require.Equal(t, "c1", chunks[0].Key)
}

func TestChunkBlocksPages(t *testing.T) {
	one, two := "# Leave\n\nFirst page.", "Second page."
	blocks := append(ledger.ParseBlocks(one, 1, 0), ledger.ParseBlocks(two, 2, text.Len(one)+1)...)
	chunks := ledger.ChunkBlocks(blocks, 0)
	require.Len(t, chunks, 2)
	require.Equal(t, []int{1, 2}, []int{chunks[0].Page, chunks[1].Page})
	require.Equal(t, []string{"Leave"}, chunks[1].HeadingPath, "a heading applies to the next page too")
	requireTiled(t, one+"\n"+two, chunks, ledger.MaxChunk)
}

func TestChunkBlocksSentences(t *testing.T) {
	doc := strings.Repeat("One sentence here. ", 10) + "\n\n" + strings.Repeat("كلمة", 30) + " end."
	chunks := ledger.ChunkBlocks(ledger.ParseBlocks(doc, 0, 0), 50)
	requireTiled(t, doc, chunks, 50)
	for _, c := range chunks[:5] {
		require.Equal(t, "One sentence here. One sentence here.", c.Text)
	}
	require.Equal(t, 50, text.Len(chunks[5].Text), "a word over the limit is cut itself")
	long := "# Heading\n\n" + strings.Repeat("word ", 30)
	for _, c := range ledger.ChunkBlocks(ledger.ParseBlocks(long, 0, 0), 40) {
		require.NotContains(t, " "+c.Text+" ", " wor ", "cut between words")
	}
}

// TestChunkBlocksUnlocated shows that blocks without spans, as some importers return them, become chunks without spans.
func TestChunkBlocksUnlocated(t *testing.T) {
	chunks := ledger.ChunkBlocks([]ledger.Block{{Text: "Title", Level: 1}, {Text: "First."}, {Text: "Second."}}, 0)
	require.Len(t, chunks, 1)
	require.Equal(t, "Title\n\nFirst.\n\nSecond.", chunks[0].Text)
	require.Nil(t, chunks[0].Span)
	require.Empty(t, ledger.ChunkBlocks(nil, 0))
	require.Empty(t, ledger.ChunkBlocks([]ledger.Block{{Text: " \n"}}, 0))
}

// requireTiled checks the properties that the chunks of any document have.
func requireTiled(t *testing.T, doc string, chunks []ledger.Chunk, limit int) {
	t.Helper()
	var all strings.Builder
	end := 0
	for _, c := range chunks {
		require.LessOrEqual(t, text.Len(c.Text), limit)
		require.NotNil(t, c.Span)
		require.Equal(t, text.Slice(doc, *c.Span), c.Text)
		require.GreaterOrEqual(t, c.Span.Start, end)
		end = c.Span.End
		all.WriteString(c.Text)
	}
	require.Equal(t, squeezed(doc), squeezed(all.String()))
}

// squeezed is s without white space.
func squeezed(s string) string { return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), "") }

func TestChunkProperties(t *testing.T) {
	docs := []string{"", "\n\n", "x", handbook, contract, "\n\n  lead\n\n", "a\r\n\r\nb\r\n# c\r\n",
		strings.Repeat("ab ", 2000), "\xff\xfe bad \xc3 bytes. Next.", "e\u0301" + strings.Repeat("\u0301", 60)}
	for _, doc := range docs {
		for _, limit := range []int{1, 7, 40, 1200} {
			blocks := ledger.ParseBlocks(doc, 1, 0)
			var joined strings.Builder
			for _, b := range blocks {
				joined.WriteString(b.Text)
			}
			if strings.TrimSpace(doc) != "" {
				require.Equal(t, doc, joined.String(), "blocks tile the document")
			}
			requireTiled(t, doc, ledger.ChunkBlocks(blocks, limit), limit)
		}
	}
}

func FuzzChunk(f *testing.F) {
	f.Add(handbook, 40)
	f.Add(contract, 1200)
	f.Add("\xff# \n---\n|\n```\n", 3)
	f.Fuzz(func(t *testing.T, doc string, limit int) {
		limit = 1 + (limit&0x7fffffff)%1300
		requireTiled(t, doc, ledger.ChunkBlocks(ledger.ParseBlocks(doc, 0, 0), limit), limit)
	})
}
