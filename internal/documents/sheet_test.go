package documents

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents/block"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/isolated"
)

// testBook is a spreadsheet for tests: the XML of its parts, as programs write them.
type testBook struct {
	sheets  []testSheet
	strings string // elements si
	styles  string // what is in styleSheet
	book    string // before the list of sheets
	parts   map[string]string
}

// testSheet is a sheet; before and after stand around its rows.
type testSheet struct{ name, state, before, rows, after, rels string }

const (
	mainSpace = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	relsOpen  = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	relType   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
)

func (b *testBook) file(t testing.TB) []byte {
	t.Helper()
	parts := map[string]string{
		"_rels/.rels":          relsOpen + `<Relationship Id="r" Type="` + relType + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/sharedStrings.xml": `<sst ` + mainSpace + `>` + b.strings + `</sst>`,
		"xl/styles.xml":        `<styleSheet ` + mainSpace + `>` + b.styles + `</styleSheet>`,
	}
	list, rels := "", `<Relationship Id="s" Type="`+relType+`sharedStrings" Target="sharedStrings.xml"/>`+
		`<Relationship Id="t" Type="`+relType+`styles" Target="/xl/styles.xml"/>`
	for i, s := range b.sheets {
		list += fmt.Sprintf(`<sheet name="%s" sheetId="%d" state="%s" r:id="r%d"/>`, s.name, i+1, s.state, i)
		rels += fmt.Sprintf(`<Relationship Id="r%d" Type="%sworksheet" Target="worksheets/s%d.xml"/>`, i, relType, i)
		parts[fmt.Sprintf("xl/worksheets/s%d.xml", i)] = `<worksheet ` + mainSpace + `>` + s.before + `<sheetData>` + s.rows +
			`</sheetData>` + s.after + `</worksheet>`
		parts[fmt.Sprintf("xl/worksheets/_rels/s%d.xml.rels", i)] = relsOpen + s.rels + `</Relationships>`
	}
	parts["xl/workbook.xml"] = `<workbook ` + mainSpace + `>` + b.book + `<sheets>` + list + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = relsOpen + rels + `</Relationships>`
	for name, s := range b.parts {
		parts[name] = s
	}
	return zipOfParts(t, parts)
}

func zipOfParts(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, s := range parts {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(s))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

// rowsOf writes rows from the number first on: cells are texts, but numbers after "=" and whole elements.
func rowsOf(first int, rows ...[]string) string {
	var b strings.Builder
	for i, cells := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, first+i)
		for k, c := range cells {
			at := fmt.Sprintf("%c%d", 'A'+k, first+i)
			switch n, isNumber := strings.CutPrefix(c, "="); {
			case c == "":
			case strings.HasPrefix(c, "<"):
				b.WriteString(strings.Replace(c, "<c", `<c r="`+at+`"`, 1))
			case isNumber:
				fmt.Fprintf(&b, `<c r="%s"><v>%s</v></c>`, at, n)
			default:
				fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, at, c)
			}
		}
		b.WriteString(`</row>`)
	}
	return b.String()
}

// said returns the blocks of a file as lines: the row's number, # for a heading, the text.
func said(blocks []ledger.Block) (out []string) {
	for _, b := range blocks {
		out = append(out, fmt.Sprintf("%d %s%s", b.Page, strings.Repeat("#", b.Level), b.Text))
	}
	return out
}

func parseBook(t *testing.T, b *testBook) *Parsed {
	t.Helper()
	p, err := Parse(filetype.XLSX.MediaType, b.file(t))
	require.NoError(t, err)
	return p
}

func sheetOf(rows string) *testBook {
	return &testBook{sheets: []testSheet{{name: "Fees", rows: rows}}}
}

func TestSheetRows(t *testing.T) {
	for name, tt := range map[string]struct {
		sheet testSheet
		want  []string
	}{
		"each row has its number, below the heads": {
			testSheet{rows: rowsOf(1, []string{"Card", "Fee"}, []string{"Gold", "=25"}, []string{"Silver", "=20"})},
			[]string{"2 #Fees", "2 | Card | Fee |\n|---|---|\n| Gold | 25 |", "3 | Card | Fee |\n|---|---|\n| Silver | 20 |"},
		},
		"a table that does not begin at A1, below a title": {
			testSheet{rows: rowsOf(4, []string{"", "Fees of 2024"}, []string{"", "Card", "Fee"}, []string{"", "Gold", "=25"})},
			[]string{"4 #Fees", "4 ##Fees of 2024", "6 | Card | Fee |\n|---|---|\n| Gold | 25 |"},
		},
		"a title above an empty row": {
			testSheet{rows: rowsOf(1, []string{"Fees of 2024"}) + rowsOf(3, []string{"Card", "Fee"}, []string{"Gold", "=25"}) +
				rowsOf(6, []string{"City", "Branches"}, []string{"Doha", "=3"})},
			[]string{"1 #Fees", "1 ##Fees of 2024", "4 | Card | Fee |\n|---|---|\n| Gold | 25 |", "7 #Fees",
				"7 | City | Branches |\n|---|---|\n| Doha | 3 |"},
		},
		"tables parted by an empty row": {
			testSheet{rows: rowsOf(1, []string{"Card", "Fee"}, []string{"Gold", "=25"}) +
				rowsOf(4, []string{"City", "Branches"}, []string{"Doha", "=3"})},
			[]string{"2 #Fees", "2 | Card | Fee |\n|---|---|\n| Gold | 25 |", "5 | City | Branches |\n|---|---|\n| Doha | 3 |"},
		},
		"rows without heads go on with the table above an empty row": {
			testSheet{rows: rowsOf(1, []string{"Card", "Fee"}, []string{"Gold", "=25"}) + rowsOf(4, []string{"Silver", "=20"})},
			[]string{"2 #Fees", "2 | Card | Fee |\n|---|---|\n| Gold | 25 |", "4 | Card | Fee |\n|---|---|\n| Silver | 20 |"},
		},
		"tables side by side": {
			testSheet{rows: rowsOf(1, []string{"Card", "Fee", "", "City", "Branches"}, []string{"Gold", "=25", "", "Doha", "=3"})},
			[]string{"2 #Fees", "2 | Card | Fee |\n|---|---|\n| Gold | 25 |", "2 | City | Branches |\n|---|---|\n| Doha | 3 |"},
		},
		"heads of two lines, of which one is merged": {
			testSheet{rows: rowsOf(1, []string{"Card", "Fee"}, []string{"", "=2023", "=2024"}, []string{"Gold", "=25", "=30"}),
				after: `<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="A1:A2"/></mergeCells>`},
			[]string{"3 #Fees", "3 | Card | Fee: 2023 | Fee: 2024 |\n|---|---|---|\n| Gold | 25 | 30 |"},
		},
		"a merged cell counts for each of its rows": {
			testSheet{rows: rowsOf(1, []string{"Region", "City", "Staff"}, []string{"North", "Doha", "=3"}, []string{"", "Lusail", "=4"}),
				after: `<mergeCells><mergeCell ref="A2:A3"/></mergeCells>`},
			[]string{"2 #Fees", "2 | Region | City | Staff |\n|---|---|---|\n| North | Doha | 3 |", "3 | Region | City | Staff |\n|---|---|---|\n| North | Lusail | 4 |"},
		},
		"the row of a group is a heading": {
			testSheet{rows: rowsOf(1, []string{"Item", "Q1", "Q2"}, []string{"Income"}, []string{"Rent", "=1", "=2"})},
			[]string{"2 #Fees", "2 ###Income", "3 | Item | Q1 | Q2 |\n|---|---|---|\n| Rent | 1 | 2 |"},
		},
		"fields of a form have no heads": {
			testSheet{rows: rowsOf(1, []string{"Vendor", "Acme"}, []string{"Total", "=500"}, []string{"City", "Doha"})},
			[]string{"1 #Fees", "1 | | |\n|---|---|\n| Vendor | Acme |", "2 | Total | 500 |", "3 | City | Doha |"},
		},
		"a list that the file names has heads": {
			testSheet{rows: rowsOf(1, []string{"7 a", "8 b"}, []string{"x", "y"}), after: `<autoFilter ref="A1:B2"/>`},
			[]string{"2 #Fees", "2 | 7 a | 8 b |\n|---|---|\n| x | y |"},
		},
		"one column is paragraphs": {
			testSheet{rows: rowsOf(1, []string{"First."}, []string{"Second."})},
			[]string{"1 #Fees", "1 First.", "2 Second."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.sheet.name = "Fees"
			got := said(parseBook(t, &testBook{sheets: []testSheet{tt.sheet}}).Blocks)
			require.Equal(t, tt.want, got)
		})
	}
}

// A row is a passage of its own, and knows its sheet.
func TestSheetRowsArePassages(t *testing.T) {
	p := parseBook(t, sheetOf(rowsOf(1, []string{"Card", "Fee"}, []string{"Gold", "=25"}, []string{"Silver", "=20"})))
	chunks := ledger.ChunkBlocks(p.Blocks, 0)
	require.Len(t, chunks, 2)
	require.Equal(t, "| Card | Fee |\n|---|---|\n| Silver | 20 |", chunks[1].Text)
	require.Equal(t, "Fees", chunks[1].Sheet())
	require.Equal(t, 3, chunks[1].Page)
	d := Document{Blocks: p.Blocks}
	require.Equal(t, "# Fees\n\n| Card | Fee |\n|---|---|\n| Gold | 25 |\n\n| Card | Fee |\n|---|---|\n| Silver | 20 |", d.AsMarkdown())
}

// A row that is too long for a passage becomes several, each with heads.
func TestWideRow(t *testing.T) {
	heads, cells := []string{"Key"}, []string{"K1"}
	for i := range 20 {
		heads, cells = append(heads, "Head "+strings.Repeat("h", i)), append(cells, strings.Repeat("v", 60))
	}
	heads, cells = append(heads, "Note"), append(cells, strings.Repeat("long words ", 100))
	p := parseBook(t, sheetOf(rowsOf(1, heads, cells)))
	for _, c := range ledger.ChunkBlocks(p.Blocks, 0) {
		require.Equal(t, 2, c.Page)
		for _, g := range ledger.Grids(c.Text, ledger.OpenGrid{}) {
			require.Equal(t, "Key", g.Heads()[0])
			require.Equal(t, "K1", g.Rows[0].Cells[0].Text)
		}
	}
	require.Contains(t, p.Blocks[len(p.Blocks)-1].Text, "Note: long words")
}

const testStyles = `<numFmts><numFmt numFmtId="164" formatCode="&quot;AED&quot; #,##0"/><numFmt numFmtId="165" formatCode=";;;"/></numFmts>
<fonts><font/><font><strike/></font><font><color rgb="FFFFFFFF"/></font><font><b/></font></fonts>
<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="0" fontId="1"/><xf numFmtId="0" fontId="2"/><xf numFmtId="165"/></cellXfs>
<dxfs><dxf><font><strike/></font></dxf></dxfs>`

func TestSheetCells(t *testing.T) {
	cell := func(c string) (string, []ledger.LeftOut) {
		p := parseBook(t, &testBook{styles: testStyles, strings: `<si><t>shared</t><rPh sb="0" eb="1"><t>spoken</t></rPh></si>` +
			`<si><r><t>from </t></r><r><rPr><strike/></rPr><t>30</t></r><r><t xml:space="preserve"> 45 days</t></r></si>` +
			`<si><r><t>area in m</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r></si>`,
			sheets: []testSheet{{name: "S", rows: rowsOf(1, []string{c})}}})
		out := ""
		for _, b := range p.Blocks[min(1, len(p.Blocks)):] {
			out += b.Text
		}
		return out, p.Left
	}
	for in, want := range map[string]string{
		`<c s="1"><v>0.1234</v></c>`:                           "12% (12.34%)",
		`<c s="1"><v>0.5</v></c>`:                              "50%",
		`<c s="2"><v>-1200</v></c>`:                            "-AED 1,200",
		`<c s="3"><v>45355</v></c>`:                            "2024-03-04",
		`<c t="d"><v>2024-03-04T00:00:00</v></c>`:              "2024-03-04",
		`<c t="s"><v>0</v></c>`:                                "shared",
		`<c t="s"><v>9</v></c>`:                                "",
		`<c t="s"><v>2</v></c>`:                                "area in m²",
		`<c t="b"><v>1</v></c>`:                                "TRUE",
		`<c t="e"><v>#REF!</v></c>`:                            "#REF!",
		`<c t="str"><f>A2&amp;"x"</f><v>made</v></c>`:          "made",
		`<c t="inlineStr"><is><t>a_x000D_b&#10;c</t></is></c>`: "a b c",
		`<c><v>0.30000000000000004</v></c>`:                    "0.3",
	} {
		got, _ := cell(in)
		require.Equal(t, want, got, in)
	}
	for in, want := range map[string]ledger.LeftOut{
		`<c s="4"><v>7</v></c>`: {Kind: ledger.Struck, How: ledger.StruckOut, Text: "~~7~~", Page: 1},
		`<c s="5"><v>7</v></c>`: {Kind: ledger.Hidden, How: ledger.SameColor, Text: "7", Page: 1},
		`<c s="6"><v>7</v></c>`: {Kind: ledger.Hidden, How: ledger.HiddenFormat, Text: "7", Page: 1},
		`<c t="s"><v>1</v></c>`: {Kind: ledger.Struck, How: ledger.StruckOut, Text: "from ~~30~~ 45 days", Page: 1},
	} {
		got, left := cell(in)
		require.NotContains(t, got, "7", in)
		require.NotContains(t, got, "30", in)
		require.Len(t, left, 1, in)
		left[0].At = 0
		require.Equal(t, want, left[0], in)
	}
}

// What a reader of the file does not see is left out; the rest of its row is there.
func TestHiddenPartsOfASheet(t *testing.T) {
	rows := rowsOf(1, []string{"Card", "Fee", "Cost"}, []string{"Gold", "=25", "=9"}) +
		`<row r="3" hidden="1"><c r="A3" t="inlineStr"><is><t>Secret</t></is></c></row>` + rowsOf(4, []string{"Silver", "=20", "=8"})
	p := parseBook(t, &testBook{sheets: []testSheet{{name: "A", before: `<cols><col min="3" max="3" hidden="1"/></cols>`, rows: rows},
		{name: "B", state: "veryHidden", rows: rowsOf(1, []string{"Never shown"}),
			rels: `<Relationship Id="c" Type="` + relType + `comments" Target="../comments1.xml"/>`}},
		parts: map[string]string{"xl/comments1.xml": `<comments ` + mainSpace +
			`><commentList><comment ref="B2"><text><r><t>Ask Sara</t></r></text></comment></commentList></comments>`}})
	require.Equal(t, []string{"2 #A", "2 | Card | Fee |\n|---|---|\n| Gold | 25 |", "4 | Card | Fee |\n|---|---|\n| Silver | 20 |"}, said(p.Blocks))
	all := ""
	for _, x := range p.Left {
		require.Equal(t, ledger.Hidden, x.Kind)
		all += x.Text + "\n"
	}
	for _, words := range []string{"Cost", "9", "Secret", "Never shown", "Ask Sara"} {
		require.Contains(t, all, words)
	}
}

// TestCellsWithoutRoom: columns that the sheet gives no width, and a remark on one of their cells; white words
// elsewhere than where conditions change colours.
func TestCellsWithoutRoom(t *testing.T) {
	p := parseBook(t, &testBook{styles: testStyles, sheets: []testSheet{{name: "A",
		before: `<sheetFormatPr defaultColWidth="0"/><cols><col min="1" max="2" width="9"/></cols>`,
		rows:   rowsOf(1, []string{"Card", "Fee", "Cost"}, []string{"Gold", "=25", "=9"}),
		rels:   `<Relationship Id="c" Type="` + relType + `comments" Target="../comments1.xml"/>`}},
		parts: map[string]string{"xl/comments1.xml": `<comments ` + mainSpace +
			`><commentList><comment ref="C2"><text><r><t>Ask Sara</t></r></text></comment></commentList></comments>`}})
	require.Equal(t, []string{"2 #A", "2 | Card | Fee |\n|---|---|\n| Gold | 25 |"}, said(p.Blocks))
	left := func(p *Parsed) (out []string) {
		for _, x := range p.Left {
			out = append(out, x.Text)
		}
		return out
	}
	require.Equal(t, []string{"Ask Sara", "Cost", "9"}, left(p))

	white := `<c s="1" t="inlineStr"><is><t>Free</t></is></c>`
	p = parseBook(t, &testBook{sheets: []testSheet{{name: "A", rows: rowsOf(1, []string{"Card", white}, []string{"Gold", white}),
		after: `<conditionalFormatting sqref="B1 D4:E5"/>`}},
		styles: `<fonts><font/><font><color rgb="FFFFFFFF"/></font></fonts>` +
			`<fills><fill><patternFill patternType="none"/></fill></fills><cellXfs><xf/><xf fontId="1"/></cellXfs>`})
	require.Equal(t, []string{"Free"}, left(p))
	require.Equal(t, 2, p.Left[0].Page)
}

// Remarks, text boxes and formulas; nothing outside of the file is looked at.
func TestPartsBesideASheet(t *testing.T) {
	p := parseBook(t, &testBook{book: `<workbookPr date1904="1"/>`, styles: testStyles, sheets: []testSheet{{name: "A",
		rows: rowsOf(1, []string{"Day", "Sum"}, []string{`<c s="3"><v>43893</v></c>`, `<c><f>[1]Other!A1</f><v>12</v></c>`}, []string{"", `<c><f>A1</f></c>`}),
		rels: `<Relationship Id="c" Type="` + relType + `comments" Target="../comments1.xml"/>` +
			`<Relationship Id="d" Type="` + relType + `drawing" Target="../drawings/drawing1.xml"/>` +
			`<Relationship Id="h" Type="` + relType + `hyperlink" Target="http://192.0.2.1/" TargetMode="External"/>`}},
		parts: map[string]string{"xl/vbaProject.bin": "x",
			"xl/comments1.xml": `<comments ` + mainSpace + `><commentList><comment ref="B2"><text><r><t>Ask Sara</t></r></text></comment></commentList></comments>`,
			"xl/drawings/drawing1.xml": `<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:row>6</xdr:row></xdr:from>` +
				`<xdr:to><xdr:row>9</xdr:row></xdr:to><xdr:sp><xdr:txBody><a:p><a:r><a:t>Draft only</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`}})
	require.Equal(t, []string{"2 #A", "2 | Day | Sum |\n|---|---|\n| 2024-03-04 | 12 |", "7 Draft only", "0 A!B2: Ask Sara"}, said(p.Blocks))
	require.Equal(t, ledger.FileComment, p.Blocks[3].Kind)
	var warned []string
	for _, w := range p.Warnings {
		warned = append(warned, w.String())
	}
	require.Len(t, warned, 2)
	require.Contains(t, warned[0], "2 formulas")
	require.Contains(t, warned[1], "1 formula has no stored value")
}

// TestChartsOfASheet: a chart stands at its row, with its title, the titles of its axes and its values, and so does a
// sheet that is a chart. What is hidden, or drawn on a hidden sheet, is listed.
func TestChartsOfASheet(t *testing.T) {
	const space = `xmlns:xdr="x" xmlns:a="a" xmlns:c="c" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	anchor := func(row int, s string) string {
		return fmt.Sprintf(`<xdr:twoCellAnchor><xdr:from><xdr:row>%d</xdr:row></xdr:from>%s</xdr:twoCellAnchor>`, row, s)
	}
	frame := func(hidden string) string {
		return `<xdr:graphicFrame><xdr:cNvPr id="1"` + hidden + `/><c:chart r:id="c"/></xdr:graphicFrame>`
	}
	box := func(hidden, words string) string {
		return `<xdr:sp><xdr:cNvPr id="2"` + hidden + `/><xdr:txBody><a:p><a:r><a:t>` + words + `</a:t></a:r></a:p></xdr:txBody></xdr:sp>`
	}
	title := func(s string) string {
		return `<c:title><c:tx><c:rich><a:p><a:r><a:t>` + s + `</a:t></a:r></a:p></c:rich></c:tx></c:title>`
	}
	points := func(list ...string) (out string) {
		for i, s := range list {
			out += fmt.Sprintf(`<c:pt idx="%d"><c:v>%s</c:v></c:pt>`, i, s)
		}
		return out
	}
	chart := `<c:chartSpace ` + space + `><c:chart>` + title("Visitors") + `<c:plotArea><c:ser><c:tx>` + points("Dover") + `</c:tx><c:cat>` +
		points("2024", "2025") + `</c:cat><c:val><c:formatCode>#,##0</c:formatCode>` + points("31000", "29000") + `</c:val></c:ser>` +
		`<c:valAx>` + title("thousands") + `</c:valAx></c:plotArea></c:chart></c:chartSpace>`
	rels := func(n int) string {
		return fmt.Sprintf(`<Relationship Id="d" Type="%sdrawing" Target="../drawings/drawing%d.xml"/>`, relType, n)
	}
	parts := map[string]string{"xl/charts/chart1.xml": chart}
	for n, s := range []string{anchor(3, frame("")) + anchor(5, box("", "Draft only")+box(` hidden="1"`, "Not so")) + anchor(7, frame(` hidden="1"`)),
		anchor(1, box("", "On a hidden sheet")+frame(""))} {
		parts[fmt.Sprintf("xl/drawings/drawing%d.xml", n)] = `<xdr:wsDr ` + space + `>` + s + `</xdr:wsDr>`
		parts[fmt.Sprintf("xl/drawings/_rels/drawing%d.xml.rels", n)] = relsOpen + `<Relationship Id="c" Type="` + relType +
			`chart" Target="../charts/chart1.xml"/></Relationships>`
	}
	p := parseBook(t, &testBook{sheets: []testSheet{{name: "A", rels: rels(0), rows: rowsOf(1, []string{"Only words"})},
		{name: "B", state: "hidden", rels: rels(1)}}, parts: parts})
	const table = "| | Dover |\n|---|---|\n| 2024 | 31,000 |\n| 2025 | 29,000 |"
	require.Equal(t, []string{"1 #A", "1 Only words", "4 Visitors (thousands)", "4 " + table, "6 Draft only"}, said(p.Blocks))
	var left []string
	for _, x := range p.Left {
		require.Equal(t, ledger.Hidden, x.Kind)
		left = append(left, fmt.Sprint(x.Page, " ", x.Text))
	}
	require.Equal(t, []string{"6 Not so", "8 Visitors (thousands) Dover 2024 · 31,000 2025 · 29,000",
		"2 On a hidden sheet Visitors (thousands) Dover 2024 · 31,000 2025 · 29,000"}, left)
}

func TestSheetFaults(t *testing.T) {
	whole := sheetOf(rowsOf(1, []string{"Card", "Fee"}, []string{"Gold", "=25"})).file(t)
	word := zipOfParts(t, map[string]string{"word/document.xml": "<w/>"})
	office := func(stream string) []byte {
		return append([]byte("\xD0\xCF\x11\xE0"+strings.Repeat("\x00", 100)), inUTF16(stream)...)
	}
	big := strings.Repeat("0", 1<<20)
	for name, tt := range map[string]struct {
		file string
		data []byte
		says string
	}{
		"truncated":          {"a.xlsx", whole[:len(whole)/2], "damaged or incomplete Excel workbook"},
		"no text":            {"a.xlsx", []byte("Words."), "not that of a .xlsx file"},
		"a Word file inside": {"a.xlsx", word, "The content of a.xlsx is a Word document, but its name ends with .xlsx; rename it to end with .docx"},
		"named as Word":      {"a.docx", whole, "The content of a.docx is an Excel workbook"},
		"a password":         {"a.xlsx", office("EncryptedPackage"), "is encrypted and needs a password"},
		"an old workbook":    {"a.xls", office("Workbook"), "save it as .xlsx"},
		"binary":             {"a", zipOfParts(t, map[string]string{"xl/workbook.bin": "x"}), "not an Excel workbook that can be read"},
		"many sheets":        {"a.xlsx", (&testBook{book: `<sheets>` + strings.Repeat(`<sheet name="a"/>`, 1001) + `</sheets>`}).file(t), "more than 1,000 sheets"},
		"many rows":          {"a.xlsx", sheetOf(`<row r="2000000"><c><v>1</v></c></row>`).file(t), "more than 1,048,576 rows"},
		"many columns":       {"a.xlsx", sheetOf(`<row>` + strings.Repeat("<c><v>1</v></c>", 16_385) + `</row>`).file(t), "more than 16,384 columns"},
		"deep":               {"a.xlsx", sheetOf(strings.Repeat("<x>", 300)).file(t), "are nested more than 256 levels deep"},
		"unpacks to much": {"a.xlsx", (&testBook{sheets: []testSheet{{name: "a"}},
			strings: strings.Repeat("<si><t>"+big+"</t></si>", 70)}).file(t), "unpacks to more than 64 MiB"},
		"one text many times": {"a.xlsx", (&testBook{strings: "<si><t>" + big + "</t></si>", sheets: []testSheet{{name: "a",
			rows: strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 40)}}}).file(t), "longer than 32 MiB"},
		"merged without end": {"a.xlsx", (&testBook{sheets: []testSheet{{name: "a", rows: rowsOf(1, []string{"x", "y"}),
			after: strings.Repeat(`<mergeCell ref="A1:XFD1048576"/>`, 100_001)}}}).file(t), "more than 100,000 merged or named cell ranges"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(t.Context(), "files[0]", tt.file, tt.data, Options{Bytes: 10 << 20})
			require.ErrorContains(t, err, tt.says)
			require.Contains(t, []domain.Kind{domain.Invalid, domain.TooLarge, domain.Unsupported}, domain.KindOf(err))
		})
	}
	_, err := Parse(filetype.XLSX.MediaType, word)
	require.ErrorIs(t, err, block.ErrOtherKind)
	_, err = Parse(filetype.XLSX.MediaType, whole[:40])
	require.ErrorIs(t, err, isolated.ErrBroken)
}

// FuzzSheet: the parts of a spreadsheet may hold anything.
func FuzzSheet(f *testing.F) {
	f.Add(rowsOf(1, []string{"Card", "Fee"}, []string{"Gold", "=25"}), `<mergeCell ref="A1:B1"/>`, testStyles, `<si><r><rPr><strike/></rPr><t>a</t></r></si>`)
	f.Add(`<row r="9"><c r="XFD9" t="s" s="1"><v>0</v></c></row>`, `<autoFilter ref="A1:C9"/>`, "", "")
	f.Fuzz(func(t *testing.T, rows, after, styles, texts string) {
		p, err := Parse(filetype.XLSX.MediaType, (&testBook{styles: styles, strings: texts,
			sheets: []testSheet{{name: "a", rows: rows, after: after}}}).file(t))
		if err != nil {
			return
		}
		for _, b := range p.Blocks {
			require.False(t, strings.ContainsFunc(b.Text, block.IsSign))
		}
		ledger.ChunkBlocks(p.Blocks, 0)
	})
}
