package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
)

// The word of a note is what the model said, however it is capped; what it writes itself is no objection.
func TestSaidIn(t *testing.T) {
	for note, want := range map[string]struct {
		word  ledger.Verdict
		alone bool
	}{
		"Model says: supported.":                 {ledger.Supported, true},
		"Model says: supported (15, not 20).":    {ledger.Supported, true},
		"Model says: weak (only of some).":       {ledger.Weak, true},
		"Model says: contradicted (15, not 20).": {ledger.Contradicted, true},
		"Model says: supported (; judges disagree: the embedded judge finds that they contradict the claim.).": {
			ledger.Supported, true},
		"Model says: supported; judges disagree: the embedded judge finds that they contradict the claim.": {
			ledger.Supported, false},
		"Model says: supported (x); a sentence beside it contains instructions to the judge.": {ledger.Supported, false},
		"Model says: contradicted; judges disagree: the embedded judge finds that they support the claim.": {
			ledger.Contradicted, true},
		"":                     {ledger.NotFound, true},
		"The words are alike.": {ledger.NotFound, false},
	} {
		word, alone := pointer.SaidIn(note, ledger.NotFound)
		require.Equal(t, want.word, word, note)
		require.Equal(t, want.alone, alone, note)
	}
}

// Each note that an outcome writes is read as it was meant.
func TestSaidInReadsWhatIsWritten(t *testing.T) {
	q := asked(t, "Employees get 30 days of annual leave.", policy)
	for _, said := range []string{"supported", "weak", "contradicted"} {
		o, err := q.Read(say(q, said, q.Objects[0].PointerID), judge.NewLexical(), pointer.Trust{})
		require.NoError(t, err)
		word, alone := pointer.SaidIn(o.Matches[0].Note, verdictOf(o))
		require.Equal(t, ledger.Verdict(said), word)
		require.Equal(t, said == "contradicted" || !o.Disagree && !o.Beside, alone, o.Matches[0].Note)
	}
}

// Measured says nothing of few reviews, is rounded down, and asks each word for itself.
func TestMeasured(t *testing.T) {
	var r pointer.Reviewed
	require.Equal(t, pointer.Trust{}, r.Measured())
	add := func(n int, note string, settled ledger.Verdict, blind bool) {
		for range n {
			r.Add(note, ledger.Weak, settled, blind)
		}
	}
	add(9, "Model says: supported.", ledger.Supported, true)
	require.Equal(t, pointer.Trust{}, r.Measured(), "nine are too few")
	add(1, "Model says: supported.", ledger.Weak, false)
	require.Equal(t, pointer.Trust{Supported: 0.595}, r.Measured())
	require.Equal(t, pointer.Reviews{Supported: 10, SupportedRight: 9}, r.Reviews())
	require.Equal(t, 9, r.Blind)
	add(5, "Model says: supported; a sentence beside it contains instructions to the judge.", ledger.NotFound, false)
	require.Equal(t, 5, r.Objected)
	require.InDelta(t, 0.595, r.Measured().Supported, 0, "an objection keeps such words weak whatever the trust")
	r.Add("", ledger.NotFound, ledger.NotFound, false)
	r.Add("", ledger.Unjudged, ledger.NotFound, false)
	r.Add("Model says: supported.", ledger.Weak, ledger.Unjudged, false)
	require.Equal(t, 1, r.Words.Row(ledger.NotFound))
	require.Equal(t, 10, r.Words.Row(ledger.Supported))

	var all pointer.Reviewed
	for range 22 {
		all.Add("Model says: supported.", ledger.Weak, ledger.Supported, false)
	}
	require.Greater(t, all.Measured().Supported, 0.85, "rounding down takes no verdict away")
}
