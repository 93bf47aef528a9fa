package exporters

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// replaced returns the English example after claims 1, 3 and 4 were reviewed, the document of 1 and 3 was replaced and
// the session was judged again: the newer version contradicts claim 1 and has nothing about claim 3. Claim 3 was
// reviewed again after that; claim 4's review stays valid.
func replaced(t *testing.T) *ledger.Ledger {
	t.Helper()
	s := exporttest.English()
	say := func(position int, action ledger.Action, verdict ledger.Verdict, reason string) {
		_, err := s.AddReview(position, ledger.ReviewInput{Action: action, Verdict: verdict, Reason: reason, By: "u1"},
			"r", "Amal Haddad", "reviewer", exporttest.When)
		require.NoError(t, err)
	}
	say(0, ledger.Comment, "", "Read twice.")
	say(0, ledger.Confirm, "", "")
	say(2, ledger.Confirm, "", "")
	say(3, ledger.Confirm, "", "")
	newer := exporttest.Document(0, "", "",
		"12|4>4.2|All permanent employees shall receive 20 days of paid annual leave per calendar year.")
	_, err := s.Replace(0, newer, "Replaced by the policy of 2026.", exporttest.When)
	require.NoError(t, err)
	judged := *s
	judged.Claims = append([]ledger.Claim(nil), s.Claims...)
	against := exporttest.Match(2, 0, 0.9, ledger.None, s.Documents[2].Chunks[0].Text)
	against.Contradicts = true
	judged.Claims[0].Matches, judged.Claims[2].Matches = []ledger.Match{against}, nil
	s.TakeRun(&judged, exporttest.When)
	say(2, ledger.Override, ledger.NotFound, "It is gone.")
	return exporttest.Assess(s)
}

// An export says which reviews must be repeated and which documents are out of use, like the ledger's page.
func TestMarkdownSaysWhatIsStale(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Markdown(&b, replaced(t)))
	md := b.String()
	const again = " – to be looked at again: what it rests on has changed\n"
	for _, want := range []string{
		"3 of 4 claims reviewed, 2 overridden. 2 settled, 1 to be looked at again: what they rest on has changed.\n",
		"- **Verdict:** ✓ Supported – set by a reviewer; the judge said ✗ Contradicted (Confidence: 90%)" + again,
		"- #1: 2026-01-03 14:30 UTC, Amal Haddad (reviewer) confirmed: ✓ Supported" + again,
		"commented – Read twice\\. – based on an earlier judgement\n",
		"- #3: 2026-01-03 14:30 UTC, Amal Haddad (reviewer) confirmed: ? Weak – based on an earlier judgement\n",
		"- HR\\_Policy\\.pdf; HR Policy; published 2025\\-06\\-01; withdrawn: Replaced by the policy of 2026\\.; root ",
		"; replaces HR\\_Policy\\.pdf – HR Policy \\(doc\\_hr001\\); root ",
	} {
		require.Contains(t, plainer(md), plainer(want))
	}
	require.Equal(t, 2, strings.Count(md, again), "claim 1 and its review alone")
	require.NotContains(t, plainer(md), "replaces doc_hr001")
}

// plainer returns Markdown without its escapes.
func plainer(s string) string { return strings.ReplaceAll(s, `\`, "") }

// Evidence may be in a document that was withdrawn after the session was judged.
func TestEvidenceInAWithdrawnDocument(t *testing.T) {
	s := exporttest.English()
	_, done := s.Withdraw(1, "It was a draft.", exporttest.When)
	require.True(t, done)
	l := exporttest.Assess(s)
	var b strings.Builder
	require.NoError(t, Markdown(&b, l))
	require.Contains(t, plainer(b.String()), "- **Source:** Leave_Guidelines.pdf, Section 3.2 – withdrawn\n")
	require.NotContains(t, b.String(), "looked at again", "nobody had reviewed it")
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	require.Equal(t, 2, strings.Count(exporttest.Letters(en), "Withdrawn"),
		"beside the evidence and in the list of documents")
	require.Contains(t, exporttest.Letters(en), exporttest.Letters("Withdrawn: It was a draft."))
	require.Equal(t, 1, strings.Count(exporttest.Letters(ar), "مسحوب"),
		"the second part has neither evidence nor documents again")
}

func TestPDFSaysWhatIsStale(t *testing.T) {
	l := replaced(t)
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	for _, want := range []string{
		"3 of 4 · verdicts changed: 1 · critical claims not reviewed: 0 of 2 · settled: 2 · to be re-reviewed, because what they rest on has changed: 1",
		"Overridden; was Contradicted, Similarity 90% in the imported file · to be re-reviewed",
		"To be re-reviewed: what it rests on has changed",
		"Withdrawn: Replaced by the policy of 2026.", "Replaces HR_Policy.pdf – HR Policy (doc_hr001)",
	} {
		require.Contains(t, exporttest.Letters(en), exporttest.Letters(want))
	}
	require.Equal(t, 1,
		strings.Count(exporttest.Letters(en), exporttest.Letters("To be re-reviewed: what it rests on has changed")),
		"what has a newer word beside it waits for nothing")
	require.Equal(t, 2, strings.Count(exporttest.Letters(en), exporttest.Letters("Based on an earlier judgement")))
	for _, id := range []string{"look_again_why", "said_before"} {
		require.Contains(t, exporttest.Letters(ar), exporttest.Letters(prose.Langs[1].T(id)))
	}
	require.Less(t, pressing(&l.Entries[0]), notPressing)
}
