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
		{note: "Model says: supported.", support: ledger.Partial,
			machine: ledger.Weak, want: ledger.CapUnmeasured},
		{note: "Model says: supported (only of staff).", support: ledger.Partial,
			machine: ledger.Weak, want: ledger.CapUnmeasured},
		{note: "Model says: supported.", support: ledger.Full,
			machine: ledger.Weak, want: ledger.CapShare},
		{note: "Model says: supported.", support: ledger.Full,
			machine: ledger.Supported, want: ""},
		{note: "Model says: weak.", support: ledger.Partial,
			machine: ledger.Weak, want: ""},
		{note: "Model says: supported; beside it stands a sentence that speaks to the judge.", support: ledger.Partial,
			machine: ledger.Weak, want: ledger.CapObjection},
		{note: "The words are alike.", support: ledger.Partial,
			machine: ledger.Weak, want: ""},
	} {
		e := ledger.Entry{Machine: x.machine, Best: &ledger.Match{Note: x.note, Support: x.support}}
		require.Equal(t, x.want, e.CappedBy(), x.note)
	}
	require.Empty(t, (&ledger.Entry{Machine: ledger.Weak}).CappedBy())
}
