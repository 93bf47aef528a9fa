package documents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/documents/webpage"
	"sanad/internal/documents/wordfile"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// wordTables writes a table in Word's markup: cells apart by "|", rows by "/"; "^" is merged with the cell above, "3*x"
// covers three columns, "!" before a row marks it as heads.
func wordTables(table string) string {
	var b strings.Builder
	b.WriteString("<w:tbl>")
	for row := range strings.SplitSeq(table, "/") {
		b.WriteString("<w:tr>")
		if rest, ok := strings.CutPrefix(row, "!"); ok {
			b.WriteString("<w:trPr><w:tblHeader/></w:trPr>")
			row = rest
		}
		for cell := range strings.SplitSeq(row, "|") {
			b.WriteString("<w:tc><w:tcPr>")
			if n, rest, ok := strings.Cut(cell, "*"); ok {
				fmt.Fprintf(&b, `<w:gridSpan w:val="%s"/>`, n)
				cell = rest
			}
			switch {
			case cell == "^":
				b.WriteString("<w:vMerge/></w:tcPr><w:p/></w:tc>")
				continue
			case strings.HasPrefix(cell, "v:"):
				b.WriteString(`<w:vMerge w:val="restart"/>`)
				cell = cell[2:]
			}
			b.WriteString("</w:tcPr><w:p><w:r><w:t>" + cell + "</w:t></w:r></w:p></w:tc>")
		}
		b.WriteString("</w:tr>")
	}
	return b.String() + "</w:tbl>"
}

func wordText(t *testing.T, body string) []string {
	t.Helper()
	var out block.Page
	require.NoError(t, wordfile.ReadWord(wordFile("word/document.xml", "<w:document><w:body>"+body+"</w:body></w:document>"), &out))
	return textsOf(out.Blocks)
}

func htmlText(t *testing.T, body string) []string {
	t.Helper()
	p, err := webpage.Parse(body)
	require.NoError(t, err)
	return textsOf(p.Blocks)
}

func textsOf(blocks []ledger.Block) []string {
	var out []string
	for _, b := range blocks {
		out = append(out, b.Text)
	}
	return out
}

// TestWordTables: rows stay rows, merged cells stand in each cell that they cover, heads of two rows become one.
func TestWordTables(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"heads that the file marks": {wordTables("!Card|Fee 2024/Gold|25"),
			[]string{"| Card | Fee 2024 |\n|---|---|\n| Gold | 25 |"}},
		"heads with figures": {wordTables("Card|Fee 2024|Fee 2025/Gold|25|30/Silver|15|–"),
			[]string{"| Card | Fee 2024 | Fee 2025 |\n|---|---|---|\n| Gold | 25 | 30 |\n| Silver | 15 | – |"}},
		"years as heads": {wordTables("Card|2024|2025/Gold|25|30"),
			[]string{"| Card | 2024 | 2025 |\n|---|---|---|\n| Gold | 25 | 30 |"}},
		"no heads": {wordTables("Gold|25 dinars/Silver|15 dinars"),
			[]string{"| | |\n|---|---|\n| Gold | 25 dinars |\n| Silver | 15 dinars |"}},
		"merged": {wordTables("v:Card|2*Fee|v:Days/^|2024|2025|^/v:Gold|25|30|5/^|26|31|6"), []string{
			"| Card | Fee: 2024 | Fee: 2025 | Days |\n|---|---|---|---|\n| Gold | 25 | 30 | 5 |\n| Gold | 26 | 31 | 6 |"}},
		"a title in the table": {wordTables("2*Fees of cards/Card|Fee/2*Personal/Gold|25"), []string{"Fees of cards",
			"| Card | Fee |\n|---|---|\n| Personal | |\n| Gold | 25 |"}},
		"a caption": {`<w:p><w:pPr><w:pStyle w:val="Caption"/></w:pPr><w:t>Fees of cards</w:t></w:p>` +
			wordTables("Card|Fee/Gold|25"), []string{"Fees of cards", "| Card | Fee |\n|---|---|\n| Gold | 25 |"}},
		"a table in a cell": {strings.Replace(wordTables("Card|Fee/Gold|25"), "25</w:t></w:r></w:p>",
			"25</w:t></w:r></w:p>"+wordTables("new;20"), 1),
			[]string{"| Card | Fee |\n|---|---|\n| Gold | 25 new;20 |"}},
		"layout": {"<w:tbl><w:tr><w:tc><w:p><w:t>A letter.</w:t></w:p>" + wordTables("Card|Fee/Gold|25") +
			"<w:p><w:t>The end.</w:t></w:p></w:tc></w:tr></w:tbl>",
			[]string{"A letter.", "| Card | Fee |\n|---|---|\n| Gold | 25 |", "The end."}},
		"a bar in a cell": {wordTables("Card|Code/Gold|A&#124;B"), []string{"| Card | Code |\n|---|---|\n| Gold | A\\|B |"}},
		"Arabic":          {wordTables("البطاقة|الرسوم|المدة/ذهبية|٢٥|سنة"), []string{"| البطاقة | الرسوم | المدة |\n|---|---|---|\n| ذهبية | ٢٥ | سنة |"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, wordText(t, c.body)) })
	}
}

// TestHTMLTables is the same for HTML.
func TestHTMLTables(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"spans": {`<table><caption>Fees of <b>cards</b></caption><thead><tr><th rowspan=2>Card<th colspan=2>Fee<tr><th>2024<th>2025</thead>
			<tr><td rowspan=2>Gold<td>25<td>30<tr><td colspan=2>free</table>`, []string{"Fees of cards",
			"| Card | Fee: 2024 | Fee: 2025 |\n|---|---|---|\n| Gold | 25 | 30 |\n| Gold | free | free |"}},
		"heads of rows": {`<table><tr><td><th>2024<th>2025<tr><th>Gold<td>25<td>30</table>`,
			[]string{"| | 2024 | 2025 |\n|---|---|---|\n| Gold | 25 | 30 |"}},
		"a rowspan to the end": {`<table><tr><th>Card<th>Fee<tr><td rowspan=0>Gold<td>25<tr><td>30</table>`,
			[]string{"| Card | Fee |\n|---|---|\n| Gold | 25 |\n| Gold | 30 |"}},
		"a caption above": {`<p>Table 3: fees<table><tr><th>Card<th>Fee<tr><td>Gold<td>25</table>`,
			[]string{"Table 3: fees", "| Card | Fee |\n|---|---|\n| Gold | 25 |"}},
		"layout": {`<table><tr><td><h2>Menu</h2><p>Home</p><td><table><tr><th>Card<th>Fee<tr><td>Gold<td>25</table></table>`,
			[]string{"Menu", "Home", "| Card | Fee |\n|---|---|\n| Gold | 25 |"}},
		"a table in a cell": {`<table><tr><th>Card<th>Fee<tr><td>Gold<td><table><tr><td>new<td>25</table></table>`,
			[]string{"| Card | Fee |\n|---|---|\n| Gold | new 25 |"}},
		"right to left": {`<table dir=rtl><tr><th>البطاقة<th>الرسوم<tr><td>ذهبية<td>25</table>`,
			[]string{"| البطاقة | الرسوم |\n|---|---|\n| ذهبية | 25 |"}},
		"hidden": {`<table><tr hidden><td>a<td>b<tr><th>Card<th>Fee<tr><td>Gold<td>25</table>`,
			[]string{"| Card | Fee |\n|---|---|\n| Gold | 25 |"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, htmlText(t, c.body)) })
	}
}

// TestMergedCellsAreBounded: cells that cover many others do not make a small file large.
func TestMergedCellsAreBounded(t *testing.T) {
	words := strings.Repeat("x", block.RepeatedCell)
	row := "<tr>" + strings.Repeat("<td colspan=1000 rowspan=65534>"+words, 20)
	_, err := webpage.Parse("<table>" + strings.Repeat(row, 200) + "</table>")
	require.ErrorContains(t, err, "its merged cells repeat more than 1,000,000 characters")
	_, err = webpage.Parse("<table><tr><td colspan=99 rowspan=0>" + strings.Repeat("<tr><td>", 20_000) + "</table>")
	require.ErrorContains(t, err, "its tables have more than 1,000,000 cells")
}

// TestTableChunks: the chunks of a long table are whole rows, each of them the document's own words, and the heads of
// the rows are found in the chunks before.
func TestTableChunks(t *testing.T) {
	var b strings.Builder
	b.WriteString("<h1>Fees</h1><table><caption>Fees of cards</caption><tr><th>Card<th>Fee in dinars<th>Remarks")
	for i := range 120 {
		fmt.Fprintf(&b, "<tr><td>Card %d<td>%d<td>issued at counter %d of the main hall", i, 100+i, i)
	}
	chunks := mustRead(t, "a.html", []byte(b.String()+"</table>")).Chunks
	require.Greater(t, len(chunks), 3)
	require.True(t, strings.HasPrefix(chunks[0].Text, "Fees\n\nFees of cards\n| Card | Fee in dinars | Remarks |\n|---|---|---|\n| Card 0 |"))
	var open ledger.OpenGrid
	rows := 0
	for i, c := range chunks {
		require.Equal(t, text.Len(c.Text), c.Span.Len())
		grids := ledger.Grids(c.Text, open)
		require.Len(t, grids, 1)
		require.Equal(t, i > 0, grids[0].Continued)
		require.Equal(t, []string{"Card", "Fee in dinars", "Remarks"}, grids[0].Heads())
		for _, row := range grids[0].Rows {
			require.Len(t, row.Cells, 3)
			require.Equal(t, fmt.Sprint("Card ", rows), text.Slice(c.Text, row.Cells[0].Span))
			rows++
		}
		open = open.After(c.Text)
	}
	require.Equal(t, 120, rows)
}

// TestSameBytes: the same file gives the same text.
func TestSameBytes(t *testing.T) {
	data := wordFile("word/document.xml", "<w:document><w:body>"+wordTables("v:Card|2*Fee/^|2024|2025/Gold|25|30")+
		"</w:body></w:document>")
	var first string
	for range 5 {
		m, err := Parse(filetype.DOCX.MediaType, data)
		require.NoError(t, err)
		got := fmt.Sprint(m.Blocks)
		if first == "" {
			first = got
		}
		require.Equal(t, first, got)
	}
}
