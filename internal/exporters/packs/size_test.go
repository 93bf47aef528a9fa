package packs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
)

// bigPack returns a signed pack of n sources in both languages, a third as many tool calls, and a ledger of n claims.
func bigPack(t testing.TB, n int) *Document {
	t.Helper()
	d, l := demoDecision(t, "hospital-fit"), exporttest.Board(n)
	excerpts := make([]string, 0, n)
	for i := range l.Entries {
		if e := &l.Entries[i]; e.Best != nil {
			excerpts = append(excerpts, e.Best.Snippet)
		}
		if l.Entries[i].Unjudged() {
			l.Entries[i].Verdict = ledger.NotFound
		}
	}
	for i := range n {
		s := d.Evidence[i%6]
		s.Source = fmt.Sprintf("%s %d", s.Source, i)
		s.Excerpt = excerpts[i%len(excerpts)] + " " + excerpts[(i*7+1)%len(excerpts)] + " " + excerpts[(i*3+
			2)%len(excerpts)]
		d.Evidence = append(d.Evidence, s)
	}
	for i := range n / 3 {
		c := d.ToolCalls[i%5]
		c.Inputs = json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))
		d.ToolCalls = append(d.ToolCalls, c)
	}
	return inState(t, pack.SignedOff, content(d, l), "Agreed.")
}

// TestPackSize limits the size of a pack's files to what was measured: 100 sources whose words are all different, 33
// tool calls, 100 claims. Rule PDF-10 limits a ledger's PDF of 100 claims; a pack has more than twice as much text.
func TestPackSize(t *testing.T) {
	d := bigPack(t, 100)
	var pdf, md bytes.Buffer
	require.NoError(t, PDF(&pdf, d))
	require.NoError(t, Markdown(&md, d))
	t.Logf("pack.json %d, pdf %d, md %d bytes", len(d.JSON), pdf.Len(), md.Len())
	require.Less(t, pdf.Len(), 470_000)
	require.Less(t, md.Len(), 900_000)
	var memo bytes.Buffer
	small := fixtures["tender"](t)
	require.NoError(t, PDF(&memo, small))
	require.Less(t, memo.Len(), 72_000)
}
