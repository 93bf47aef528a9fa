package exporters

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// TestPDFCarriesTheAnswer checks that the document has the whole answer once, in either language, with a list of references that a Markdown
// reader could take for link definitions, and say which version of the answer it is.
func TestPDFCarriesTheAnswer(t *testing.T) {
	s := exporttest.English()
	s.AnswerVersion = 3
	s.Answer = "# On leave\n\nStaff get fifteen days [1].\n\n" +
		strings.Repeat("A long answer is shown whole. ", 120) + "These are its last words.\n\n" +
		"1. first item\n2. second item\n\n«يستحق الموظف إجازة سنوية»\n\n- بند أول\n- بند آخر\n\n[1]: HR_Policy.pdf, page 12"
	en, second := exporttest.Pages(t, pdfFile(t, exporttest.Assess(s)))
	require.NotContains(t, exporttest.Letters(second), exporttest.Letters("These are its last words"),
		"the answer is printed once")
	ar := arabicPages(t, exporttest.Assess(s))
	for _, part := range []string{en, ar} {
		for _, want := range []string{"On leave", "Staff get fifteen days [1]", "These are its last words", "second item",
			"HR_Policy.pdf, page 12"} {
			require.Contains(t, exporttest.Letters(part), exporttest.Letters(want))
		}
		for word := range strings.FieldsSeq("يستحق الموظف إجازة سنوية بند آخر") {
			require.Contains(t, exporttest.Letters(part), exporttest.Letters(word))
		}
	}
	require.Contains(t, en, "Version 3 of the answer")
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters("من الإجابة"))
}

// A session without an answer, such as one of claims alone, has no empty heading.
func TestPDFWithoutAnswer(t *testing.T) {
	s := exporttest.English()
	s.Answer = " \n"
	p := pdfWriter{Lang: &prose.Langs[0], l: exporttest.Assess(s)}
	p.answer()
	require.Empty(t, p.blocks)
}
