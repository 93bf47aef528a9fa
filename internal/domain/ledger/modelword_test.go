package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// A weak verdict says why it is no more, if a model says supported; no other verdict does, and no other judge's.
func TestCappedBy(t *testing.T) {
	for _, x := range []struct {
		note    string
		support ledger.Support
		machine ledger.Verdict
		want    ledger.Cap
	}{
		{"Model says: supported.", ledger.Partial, ledger.Weak, ledger.CapUnmeasured},
		{"Model says: supported (only of staff).", ledger.Partial, ledger.Weak, ledger.CapUnmeasured},
		{"Model says: supported.", ledger.Full, ledger.Weak, ledger.CapShare},
		{"Model says: supported.", ledger.Full, ledger.Supported, ""},
		{"Model says: weak.", ledger.Partial, ledger.Weak, ""},
		{"Model says: supported; beside it stands a sentence that speaks to the judge.", ledger.Partial, ledger.Weak,
			ledger.CapObjection},
		{"The words are alike.", ledger.Partial, ledger.Weak, ""},
	} {
		e := ledger.Entry{Machine: x.machine, Best: &ledger.Match{Note: x.note, Support: x.support}}
		require.Equal(t, x.want, e.CappedBy(), x.note)
	}
	require.Empty(t, (&ledger.Entry{Machine: ledger.Weak}).CappedBy())
}
