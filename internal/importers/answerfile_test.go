package importers

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

const wordAnswer = `<w:document xmlns:w="w"><w:body>
<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Harbour report 2023</w:t></w:r></w:p>
<w:p><w:r><w:t>The harbour takes 40 ships a day.</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Dredging</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>The channel is dredged every year</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:t>Topic</w:t></w:p></w:tc><w:tc><w:p><w:t>Commitment</w:t></w:p></w:tc><w:tc><w:p><w:t>Source</w:t></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:t>Depth</w:t></w:p></w:tc><w:tc><w:p><w:t>16 metres</w:t></w:p></w:tc><w:tc><w:p><w:t>Annex A|B</w:t></w:p>
<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p><w:t>page 3</w:t></w:p></w:tc></w:tr></w:tbl></w:tc></w:tr>
<w:tr><w:tc><w:p><w:t>Berths</w:t></w:p></w:tc><w:tc><w:p><w:t>12 new berths</w:t></w:p></w:tc></w:tr></w:tbl>
<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>التوسعة</w:t></w:r></w:p>
<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p><w:t>العام</w:t></w:p></w:tc><w:tc><w:p><w:t>أرصفة 2024</w:t></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:t>الميناء الشمالي</w:t></w:p></w:tc><w:tc><w:p><w:t>رصيفان جديدان</w:t></w:p></w:tc></w:tr></w:tbl>
</w:body></w:document>`

const htmlAnswer = `<!DOCTYPE html><title>Not shown</title><h1>Harbour report 2023</h1><p>The harbour takes 40 ships a day.</p><h2>Dredging</h2>
<table><thead><tr><td>Topic<td>Commitment in 2024<td>Source</thead><tr><td>Depth<td>16 metres<td>Annex A</table>
<table><tr><th>Topic<th>Due 2025<tr><td>Berths<td>12 new berths</table>
<table><tr><td>Quay wall<td>Built in 2019 by the port<tr><td>Crane rails<td>Laid in 2021 by the port</table>
<table><tr><td>The lighthouse was lit in 1900.<tr><td>It was rebuilt in 1950 by the navy.</table>`

// TestAnswerFile checks that headings and column names of an uploaded answer are not claims, that each table row is
// one, and that every claim has its position in the stored answer.
func TestAnswerFile(t *testing.T) {
	for _, c := range []struct {
		name   string
		data   []byte
		claims []string
	}{
		{"a.docx", wordFile("word/document.xml", wordAnswer), []string{
			"The harbour takes 40 ships a day", "The channel is dredged every year",
			"Depth: 16 metres; Annex A|B page 3", "Berths: 12 new berths",
			"الميناء الشمالي: رصيفان جديدان"}},
		{"a.html", []byte(htmlAnswer), []string{
			"The harbour takes 40 ships a day", "Depth: 16 metres; Annex A", "Berths: 12 new berths",
			"Quay wall: Built in 2019 by the port", "Crane rails: Laid in 2021 by the port",
			"The lighthouse was lit in 1900", "It was rebuilt in 1950 by the navy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := Text(context.Background(), File{c.name, c.data}, Options{})
			require.NoError(t, err)
			r, err := FromForm(context.Background(), Form{Answer: answer}, Options{})
			require.NoError(t, err)
			var claims []string
			for _, x := range r.Session.Claims {
				claims = append(claims, x.Text)
				first, _, _ := strings.Cut(x.Text, ":")
				require.Contains(t, text.Slice(r.Session.Answer, *x.Span), first)
			}
			require.Equal(t, c.claims, claims, answer)
			require.Contains(t, answer, "# Harbour report 2023\n\n")
		})
	}
}

// FuzzAnswerFile checks that an answer can be split, whatever blocks and rows its file has.
func FuzzAnswerFile(f *testing.F) {
	f.Add("<h1>a</h1><table><tr><th>b|<th>c<tr><td>d<td>e \\| f</table>")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := readHTML(s)
		if err != nil {
			return
		}
		answer := asMarkdown(p.blocks)
		for _, c := range claims.Of(answer) {
			require.LessOrEqual(t, c.Span.End, text.Len(answer))
		}
	})
}

// TestTablesAsMarkdown checks that one-column tables do not become tables, and that text after a table is not
// added to it.
func TestTablesAsMarkdown(t *testing.T) {
	out := blockList{blocks: []ledger.Block{}}
	row := func(heads bool, cells ...string) fileRow {
		r := fileRow{heads: heads}
		for _, c := range cells {
			r.cells = append(r.cells, fileCell{text: c})
		}
		return r
	}
	out.putTable(&fileTable{rows: []fileRow{row(false, "one")}}, 0)
	out.putTable(&fileTable{rows: []fileRow{row(false, "a", "b"), row(false, "c", "d", "e"), row(true, "F", "2020")}}, 0)
	out.put("behind", 0, 0)
	out.putTable(&fileTable{rows: []fileRow{row(false, "alone", "here")}}, 0)
	require.Equal(t, "one\n\n| a | b | |\n|---|---|---|\n| c | d | e |\n\n| F | 2020 |\n|---|---|\n\nbehind\n\n| | |\n|---|---|\n| alone | here |",
		asMarkdown(out.blocks))
}

// TestEveryBadFileIsNamed checks that one error names everything wrong with the uploaded files.
func TestEveryBadFileIsNamed(t *testing.T) {
	_, err := FromForm(context.Background(), Form{Answer: goodAnswer, Files: []File{
		{"good.txt", []byte("The fee is 5 euros.")}, {"rates.csv", []byte("a,b")}, {"cut.pdf", []byte("%PDF-1.7")},
		{"blank.txt", []byte(" \n")},
	}}, Options{})
	tidy(t, err)
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "files[1]", e.Path)
	require.Equal(t, domain.Unsupported, e.Kind)
	for _, says := range []string{"3 files cannot be taken.", ".csv", "cut.pdf is broken", "blank.txt has no text"} {
		require.Contains(t, e.Text(), says)
	}
	require.NotContains(t, e.Text(), "good.txt")
}
