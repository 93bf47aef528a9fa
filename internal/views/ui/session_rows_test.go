package ui

import (
	"bytes"
	"context"
	"sanad/internal/domain/ledger"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each reviewer's name stands by itself, in the reader's language where it is given in both; who only reviewed last is
// not shown as the reviewer.
func TestReviewersOfASession(t *testing.T) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	row := func(r ledger.SessionRow) string {
		var b bytes.Buffer
		require.NoError(t, sessionRow(&c, c.SessionLines([]ledger.SessionRow{r})[0], true).Render(context.Background(),
			&b))
		return b.String()
	}
	two := row(ledger.SessionRow{Seats: ledger.Seats{{ID: "a", Name: "يوسف البلوشي"},
		{ID: "b", Name: "Sara Al Dosari · سارة الدوسري"}}, Reviewer: "Noura"})
	require.Contains(t, two, `<div><bdi title="يوسف البلوشي">يوسف البلوشي</bdi></div>`+
		`<div><bdi title="Sara Al Dosari · سارة الدوسري">سارة الدوسري</bdi></div>`)
	require.NotContains(t, two, "Noura")
	require.Contains(t, row(ledger.SessionRow{Reviewer: "Noura"}),
		"<span class=\"soft\" title=\"آخر مراجعة: \u2068Noura\u2069\">لا أحد<span class=\"vh\">(آخر مراجعة: \u2068Noura\u2069)</span></span>", "nobody is assigned; who reviewed last is read out too")
	require.Contains(t, row(ledger.SessionRow{}), `<span class="soft">لا أحد</span> </td>`)
}
