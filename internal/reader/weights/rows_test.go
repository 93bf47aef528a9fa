package weights_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
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
