package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// The confidence of a claim that a model judged says that reviews measured it only where the run took that very share
// over from them.
func TestConfidenceByReviews(t *testing.T) {
	measured := map[string]string{"trust_supported": "0.89", "trust_supported_source": "measured",
		"trust_contradicted": "1", "trust_contradicted_source": "measured"}
	typed := map[string]string{"trust_supported": "0.89", "trust_supported_source": "typed"}
	for _, x := range []struct {
		name       string
		judge      string
		parameters map[string]string
		note       string
		similarity float64
		against    bool
		want       bool
	}{
		{name: "measured", judge: "openai", parameters: measured, note: "Model says: supported.", similarity: 0.89, want: true},
		{name: "at most 0.99", judge: "openai", parameters: measured, note: "Model says: contradicted.", similarity: 0.99, against: true,
			want: true},
		{name: "typed", judge: "openai", parameters: typed, note: "Model says: supported.", similarity: 0.89},
		{name: "of an earlier run", judge: "openai", parameters: measured, note: "Model says: supported.", similarity: 0.7},
		{name: "another word", judge: "openai", parameters: measured, note: "Model says: weak.", similarity: 0.89},
		{name: "no model", judge: "openai", parameters: measured, note: "The words are alike.", similarity: 0.89},
		{name: "given", judge: "given", parameters: measured, note: "Model says: supported.", similarity: 0.89},
		{name: "no run", judge: "openai", note: "Model says: supported.", similarity: 0.89},
	} {
		m := ledger.Match{Support: ledger.Full, Similarity: x.similarity, Note: x.note}
		if x.against {
			m.Support, m.Contradicts = ledger.None, true
		}
		s := &ledger.Session{RuleSet: ledger.CurrentRuleSet(), Run: ledger.Run{Judge: x.judge, Parameters: x.parameters},
			Claims: []ledger.Claim{{Text: "Leave is 15 days.", Judge: x.judge, Matches: []ledger.Match{m}}}}
		e := ledger.Assess(s, 24).Entries[0]
		require.Equal(t, x.want, e.Measured, x.name)
	}
}

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
		{note: "Model says: supported; a sentence beside it contains instructions to the judge.", support: ledger.Partial,
			machine: ledger.Weak, want: ledger.CapObjection},
		{note: "The words are alike.", support: ledger.Partial,
			machine: ledger.Weak, want: ""},
	} {
		e := ledger.Entry{Machine: x.machine, Best: &ledger.Match{Note: x.note, Support: x.support}}
		require.Equal(t, x.want, e.CappedBy(), x.note)
	}
	require.Empty(t, (&ledger.Entry{Machine: ledger.Weak}).CappedBy())
}
