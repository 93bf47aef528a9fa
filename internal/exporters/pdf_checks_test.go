package exporters

import (
	"strings"
	"testing"

	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// TestPDFChecks holds what the PDF says of a miscitation and of an invented quotation, in both languages, to a golden
// file, and finds all of it in the file's text.
func TestPDFChecks(t *testing.T) {
	l := exporttest.Assess(exporttest.Checked())
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	var said strings.Builder
	for i, section := range []string{en, ar} {
		p := pdfWriter{Lang: &prose.Langs[i], l: l}
		for j := range l.Entries {
			var words strings.Builder
			for _, span := range p.findings(&l.Entries[j], nil) {
				words.WriteString(span.Text)
			}
			said.WriteString("## " + p.Code + " " + l.Entries[j].Claim.Key + "\n" + words.String() + "\n")
			exporttest.RequireWords(t, p.Lang, exporttest.Letters(section), words.String())
		}
	}
	exporttest.Golden(t, "checked.pdf.txt", []byte(said.String()))
}
