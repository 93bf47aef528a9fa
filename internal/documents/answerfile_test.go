package documents_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/documents"
	"sanad/internal/domain/text"
	"sanad/internal/importers"
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
		{"a.docx", documents.WordFile("word/document.xml", wordAnswer), []string{
			"The harbour takes 40 ships a day", "The channel is dredged every year",
			"Depth: 16 metres; Annex A|B page 3", "Berths: 12 new berths",
			"الميناء الشمالي: رصيفان جديدان"}},
		{"a.html", []byte(htmlAnswer), []string{
			"The harbour takes 40 ships a day", "Depth: 16 metres; Annex A", "Berths: 12 new berths",
			"Quay wall: Built in 2019 by the port", "Crane rails: Laid in 2021 by the port",
			"The lighthouse was lit in 1900", "It was rebuilt in 1950 by the navy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := importers.Text(context.Background(), importers.File{Name: c.name, Data: c.data}, importers.Options{})
			require.NoError(t, err)
			r, err := importers.FromForm(context.Background(), importers.Form{Answer: answer}, importers.Options{})
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

// TestAnswerFileClaimsWhatItSays holds that a Word file with an answer claims nothing in its header, its comments, and
// where it is struck out.
func TestAnswerFileClaimsWhatItSays(t *testing.T) {
	t.Parallel()
	const of = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	data := documents.WordPage(`<w:p>`+documents.WordRun("", "Guests pay ")+documents.WordRun("<w:strike/>", "30")+documents.WordRun("", " 40 euros.")+`</w:p>`,
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="h" Type="`+of+`header" Target="h.xml"/></Relationships>`,
		"word/h.xml", `<w:hdr><w:p>`+documents.WordRun("", "Draft of May 2031.")+`</w:p></w:hdr>`,
		"word/comments.xml", `<w:comments><w:comment><w:p>`+documents.WordRun("", "This is wrong.")+`</w:p></w:comment></w:comments>`)
	answer, err := importers.Text(context.Background(), importers.File{Name: "answer.docx", Data: []byte(data)}, importers.Options{})
	require.NoError(t, err)
	require.Equal(t, "Guests pay 40 euros.", answer)
}
