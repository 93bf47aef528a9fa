package views

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// A claim is not listed as changed beside figures that say that it did not.
func TestAChangeIsSeen(t *testing.T) {
	p := &RunPage{Chrome: Chrome{Lang: "en", words: catalogues["en"]}}
	row := func(v ledger.Verdict, from, to float64, gained ...ledger.Stance) ChangeRow {
		return p.changeRow(&RunInput{}, &ChangeInput{Change: ledger.Change{From: v, To: v, FromConfidence: from, ToConfidence: to, Gained: gained}})
	}
	for _, x := range []struct {
		row     ChangeRow
		was, is string
	}{
		{row(ledger.Supported, 0.81, 0.9), "81%", "90%"},
		{row(ledger.Supported, 0.812, 0.814), "81.2%", "81.4%"},
		{row(ledger.Supported, 0.8121, 0.8122), "81.21%", "81.22%"},
		{row(ledger.NotFound, 0.1, 0.3), "10.0%", "30.0%"},
		{row(ledger.Supported, 0.812, 0.814, ledger.Stance{}), "", "81%"},
	} {
		require.Equal(t, x.was, x.row.Was)
		require.Equal(t, x.is, x.row.To.Percent)
	}
}
