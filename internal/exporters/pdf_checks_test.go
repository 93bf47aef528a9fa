package exporters

import (
	"strings"
	"testing"
)

// TestPDFChecks holds what the PDF says of a miscitation and of an invented quotation, in both languages, to a golden
// file, and finds all of it in the file's text.
func TestPDFChecks(t *testing.T) {
	l := assess(checked())
	en, ar := pdfPages(t, pdfFile(t, l))
	var said strings.Builder
	for i, section := range []string{en, ar} {
		p := pdfWriter{pdfLang: &pdfLangs[i], l: l}
		for j := range l.Entries {
			var words strings.Builder
			for _, span := range p.findings(&l.Entries[j], nil) {
				words.WriteString(span.Text)
			}
			said.WriteString("## " + p.code + " " + l.Entries[j].Claim.Key + "\n" + words.String() + "\n")
			requireWords(t, p.pdfLang, letters(section), words.String())
		}
	}
	golden(t, "checked.pdf.txt", []byte(said.String()))
}
