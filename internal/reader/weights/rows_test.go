package weights_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// TestRowsThatAClaimNames holds that a claim about a table is judged by the row that it names, whether the rows stand
// in one passage or, as those of a spreadsheet, each in its own.
func TestRowsThatAClaimNames(t *testing.T) {
	const heads = "| Card | Annual fee (AED) | Validity (years) |\n|---|---|---|\n"
	rows := []string{"| Gold | 250 | 5 |\n", "| Silver | 150 | 3 |\n", "| Basic | 50 | 1 |\n"}
	whole, apart := []judge.Evidence{{Doc: "d", Text: heads}}, []judge.Evidence{}
	for _, row := range rows {
		whole[0].Text += row
		apart = append(apart, judge.Evidence{Doc: "d", Text: heads + row})
	}
	for _, c := range []struct {
		claim string
		want  ledger.Verdict
		row   string
	}{
		{claim: "The annual fee of the Gold card is AED 250.", want: ledger.Supported, row: "Gold"},
		{claim: "The annual fee of the Gold card is AED 150.", want: ledger.Contradicted, row: "Gold"},
		{claim: "The Silver card is valid for 3 years.", want: ledger.Supported, row: "Silver"},
		{claim: "The Basic card is valid for 5 years.", want: ledger.Contradicted, row: "Basic"},
		{claim: "The annual fee of the Black card is AED 900.", want: ledger.NotFound},
	} {
		for name, evidence := range map[string][]judge.Evidence{"whole": whole, "apart": apart} {
			out := judge.JudgeRow(judge.Row{ID: "r", Claim: c.claim, Lang: "en", Evidence: evidence}, shipped().Judge())
			require.NotNil(t, out.Verdict, c.claim)
			require.Equal(t, c.want, *out.Verdict, "%s %s", c.claim, name)
			if c.row != "" {
				require.Contains(t, out.Matches[0].Snippet, c.row, "%s %s", c.claim, name)
			}
		}
	}
}

// TestCellsOfARow: a row is judged by its cells and their heads. Its "no", a price of 0, and what a price is for count,
// and a figure is set beside one of its own kind.
func TestCellsOfARow(t *testing.T) {
	const heads = "| Service | Fee (SAR) | Unit | Valid from | Refundable | Ready in |\n|---|---|---|---|---|---|\n"
	var evidence []judge.Evidence
	for _, row := range []string{
		"| Attestation of a degree | 150 | per document | 1 March 2026 | no | 5 working days |",
		"| Transcript (express) | 90 | per copy | 1 March 2026 | no | 1 working day |",
		"| Late registration | 300 | per term | 1 April 2026 | no | at once |",
		"| Adding or dropping a course | 0 | per course | 1 March 2026 | no | at once |",
		"| Locker rent | 120 | per year | 1 September 2026 | yes | at once |",
	} {
		evidence = append(evidence, judge.Evidence{Doc: "d", Text: heads + row})
	}
	for _, c := range []struct {
		claim string
		want  ledger.Verdict
		pairs []string
	}{
		{"An express transcript costs SAR 90 per copy and is ready in one working day.", ledger.Supported,
			[]string{"equal SAR 90 | 90", "equal one working day | 1 working day"}},
		{"Adding or dropping a course is free of charge.", ledger.Supported, nil},
		{"The express transcript fee is refundable.", ledger.Contradicted, []string{"conflict is refundable | Refundable: no"}},
		{"The late registration fee applies from 1 June 2026.", ledger.Contradicted,
			[]string{"conflict from 1 June 2026 | 1 April 2026"}},
		{"The locker rent of SAR 120 is paid per term.", ledger.Weak, []string{"equal SAR 120 | 120"}},
	} {
		out := judge.JudgeRow(judge.Row{Claim: c.claim, Lang: "en", Evidence: evidence}, shipped().Judge())
		require.NotNil(t, out.Verdict, c.claim)
		require.Equal(t, c.want, *out.Verdict, "%s %s", c.claim, out.Notes)
		best := &out.Matches[0]
		passage := heads + best.Snippet
		require.Contains(t, evidence, judge.Evidence{Doc: "d", Text: passage}, c.claim)
		m := &ledger.Match{Contradicts: best.Contradicts, Conflicts: best.Conflicts, Quote: text.Placement{Kind: text.Exact,
			Span: text.Span{Start: text.Len(heads), End: text.Len(passage)}}}
		var pairs []string
		for _, x := range judge.NewContrast(c.claim, passage, m).Pairs {
			pairs = append(pairs, string(x.Kind)+" "+x.Claim+" | "+x.Source)
		}
		require.Equal(t, c.pairs, pairs, c.claim)
	}
}
