package ledger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/views/viewtest"
)

const fees = "Fees are listed below.\n\n| Service | Fee | Due |\n| --- | --- | --- |\n" +
	"| Onboarding | SAR 4,000 | 30 days |\n| Support \\| hosting | SAR 1,500 | 60 days |\n| Training | SAR 900 | 10 days |\n"

// A passage in a table is shown as its row, under the table's heads, with the cells marked that it is about; bars that
// are words stay words, and nothing of the table's Markdown is seen.
func TestPassageInATable(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ar"} {
		v := opened(t, lang, "The fee for support is SAR 1,500.", fees, nil)
		table := v.Diff.Source.Table
		require.NotNil(t, table)
		require.Equal(t, []string{"Service", "Fee", "Due"}, table.Heads)
		require.Len(t, table.Rows, 1)
		html := viewtest.Html(t, contrastSection(v))
		require.NotContains(t, html, "| SAR")
		require.NotContains(t, html, "---")
		require.Contains(t, html, `<th scope="col">Fee</th>`)
		require.Contains(t, html, " | hosting")
		require.Equal(t, 1, strings.Count(html, "<blockquote"))
		var quoted []string
		for i, c := range table.Rows[0] {
			if c.Quoted {
				quoted = append(quoted, table.Heads[i])
			}
		}
		require.Contains(t, quoted, "Fee")
		require.NotContains(t, quoted, "Due")
	}
}

// The rows of a part of a table whose heads are not loaded are rows too; a line with a bar that is no table stays a
// line.
func TestRowsWithoutHeads(t *testing.T) {
	t.Parallel()
	rows := "| Onboarding | SAR 4,000 |\n| Support | SAR 1,500 |"
	v := opened(t, "en", "The fee for support is SAR 1,500.", rows, nil)
	require.NotNil(t, v.Diff.Source.Table)
	require.Empty(t, v.Diff.Source.Table.Heads)
	require.Len(t, v.Diff.Source.Table.Rows, 1)

	v = opened(t, "en", taxi, "Travel by taxi is reimbursed | see the annex.", nil)
	require.Nil(t, v.Diff.Source.Table)
	require.Equal(t, ledger.OpenGrid{}, openBefore(nil, 3))
}
