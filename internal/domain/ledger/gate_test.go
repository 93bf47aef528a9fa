package ledger_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

func TestGateNamesWhatItCanFailOn(t *testing.T) {
	g := ledger.Gate{FailOn: []ledger.Fault{"contradicted", "rumour"}}
	err := g.Check()
	require.ErrorContains(t, err, `"rumour"`)
	for _, f := range ledger.Faults {
		require.ErrorContains(t, err, string(f))
		require.NoError(t, (&ledger.Gate{FailOn: []ledger.Fault{f}}).Check())
	}
	require.Subset(t, ledger.Faults, ledger.DefaultFaults)
	for _, coverage := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		require.Error(t, (&ledger.Gate{MinCoverage: coverage}).Check())
	}
}

// Each fault is found by its own sign, and by no other.
func TestGateFindsEachFault(t *testing.T) {
	entries := map[ledger.Fault]ledger.Entry{}
	for _, v := range ledger.Verdicts[1:] {
		entries[ledger.Fault(v)] = ledger.Entry{Claim: &ledger.Claim{}, Verdict: v}
	}
	for _, r := range ledger.RiskTypes {
		entries[ledger.Fault(r)] = ledger.Entry{
			Claim: &ledger.Claim{}, Verdict: ledger.Supported, Flags: []ledger.RiskType{r},
		}
	}
	for _, s := range ledger.CitationStatuses[1:] {
		c := &ledger.Claim{Checks: ledger.Checks{Citations: []ledger.CitationCheck{{Status: s}}}}
		entries[ledger.Fault(s)] = ledger.Entry{Claim: c, Verdict: ledger.Supported}
	}
	require.Len(t, entries, len(ledger.Faults))
	all := ledger.Gate{FailOn: ledger.Faults}
	for f, e := range entries {
		require.Equal(t, []ledger.Fault{f}, all.Claim(&e))
		require.Empty(t, (&ledger.Gate{}).Claim(&e), "%s is not asked for", f)
	}
}

func TestGateOfWhatCannotBeTold(t *testing.T) {
	unjudged := ledger.Entry{Claim: &ledger.Claim{Unjudged: "no language of ours"}}
	require.Equal(t, []ledger.Fault{ledger.FaultUnjudged}, (&ledger.Gate{}).Claim(&unjudged))
	require.Empty(t, (&ledger.Gate{AllowUnjudged: true}).Claim(&unjudged))

	half := ledger.Gate{MinCoverage: 0.5}
	require.Equal(t, []ledger.Fault{ledger.FaultNoClaims}, half.Answer(&ledger.Summary{}))
	half.AllowEmpty = true
	require.Empty(t, half.Answer(&ledger.Summary{}), "no claims have no coverage")
	require.Empty(t, half.Answer(&ledger.Summary{Total: 2, Coverage: 0.5}))
	require.Equal(t, []ledger.Fault{ledger.FaultCoverage}, half.Answer(&ledger.Summary{Total: 3, Coverage: 1. / 3}))
}
