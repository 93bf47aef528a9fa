package exporters

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// concluded returns the sentences that a report begins with.
func concluded(lang *prose.Lang, s *ledger.Session) string {
	p := pdfWriter{Lang: lang, l: exporttest.Assess(s)}
	if p.conclusion(); len(p.blocks) == 0 {
		return ""
	}
	return prose.PlainText(p.blocks[0].(typeset.Paragraph).Spans)
}

// TestConclusion holds what a report says first: whether the answer can be relied on, and what nobody has reviewed.
func TestConclusion(t *testing.T) {
	t.Parallel()
	review := func(action ledger.Action, who string) ledger.Review {
		return ledger.Review{ID: "r" + who, Actor: who, Role: "reviewer", At: exporttest.When, Action: action, By: who,
			Verdict: ledger.Supported}
	}
	for _, x := range []struct {
		what, en string
		change   func(*ledger.Session)
	}{
		{"others without evidence", "No critical claim is contradicted or without evidence; among the others – without " +
			"evidence: 2 (2, 3). Critical claims that nobody has reviewed: 1 of 1.", func(*ledger.Session) {}},
		{"a critical one without evidence", "Do not rely on the answer as it stands. Critical claims – without " +
			"evidence: 1 (2). Critical claims that nobody has reviewed: 2 of 2.", func(s *ledger.Session) {
			s.Claims[1].Importance = ledger.Critical
		}},
		{"reviewed", "No critical claim is contradicted or without evidence; among the others – without evidence: 2 " +
			"(2, 3). People have reviewed all critical claims: 1.", func(s *ledger.Session) {
			s.Claims[0].Reviews = []ledger.Review{review(ledger.Confirm, "sara")}
		}},
		{"half reviewed: neither is said", "No critical claim is contradicted or without evidence; among the others – " +
			"without evidence: 2 (2, 3).", func(s *ledger.Session) {
			s.Second = ledger.SecondBlind
			s.Claims[0].Reviews = []ledger.Review{review(ledger.Confirm, "sara")}
		}},
		{"no fault", "The sources contradict no claim, and none is without evidence. Critical claims that nobody has " +
			"reviewed: 1 of 1.", func(s *ledger.Session) { s.Claims = s.Claims[:1] }},
		{"no claim", "", func(s *ledger.Session) { s.Claims = nil }},
	} {
		s := exporttest.Checked()
		x.change(s)
		require.Equal(t, x.en, concluded(&prose.Langs[0], s), x.what)
		require.Equal(t, x.en == "", concluded(&prose.Langs[1], s) == "", x.what)
	}
}

// TestBothSourcesOfAConflict holds that a claim whose sources conflict shows what each of them says, and where.
func TestBothSourcesOfAConflict(t *testing.T) {
	t.Parallel()
	s := exporttest.Checked()
	other := "Visitors need no badge inside the laboratory."
	s.Documents[1] = exporttest.Document(1, "doc_notice", "Notice.pdf", "07||"+other)
	m := exporttest.Match(1, 0, 0.9, ledger.None, other)
	m.Contradicts = true
	s.Claims[0].Matches = append(s.Claims[0].Matches, m)
	l := exporttest.Assess(s)
	require.NotNil(t, l.Entries[0].Rival())
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	exporttest.RequireWords(t, &prose.Langs[0], exporttest.Letters(en), prose.Langs[0].T("other_source"))
	exporttest.RequireWords(t, &prose.Langs[0], exporttest.Letters(en), other)
	for _, part := range []string{en, ar} {
		require.Contains(t, exporttest.Letters(part), exporttest.Letters("Notice.pdf"))
	}
}

// TestContentsNameTheOtherPart holds that the contents of the first part say on which page the other language begins.
func TestContentsNameTheOtherPart(t *testing.T) {
	t.Parallel()
	file := pdfFile(t, exporttest.Assess(exporttest.Checked()))
	pages := strings.Split(exporttest.Tool(t, "pdftotext", "-layout", file, "-"), "\f")
	first := slices.IndexFunc(pages, func(p string) bool { return strings.Contains(p, "صفحة") })
	require.Positive(t, first)
	listed := regexp.MustCompile(regexp.QuoteMeta(prose.Langs[0].T("part_next")) + `[ .]*(\d+)`).FindStringSubmatch(
		strings.Join(pages[:first], ""))
	require.Len(t, listed, 2, pages[0])
	require.Equal(t, strconv.Itoa(first+1), listed[1])
}
