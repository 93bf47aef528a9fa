package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

func TestTierOf(t *testing.T) {
	at := func(p float64) *float64 { return &p }
	for _, c := range []struct {
		verdict     ledger.Verdict
		probability *float64
		want        ledger.Tier
	}{
		{ledger.Weak, at(0.84), ledger.Likely},
		{ledger.Weak, at(0.51), ledger.Likely},
		{ledger.Weak, at(0.5), ledger.Doubtful},
		{ledger.Weak, at(0.02), ledger.Doubtful},
		{ledger.Weak, nil, ""},
		{ledger.Supported, at(0.9), ""},
		{ledger.Contradicted, at(0.9), ""},
		{ledger.NotFound, nil, ""},
		{ledger.Unjudged, nil, ""},
	} {
		require.Equal(t, c.want, ledger.TierOf(c.verdict, c.probability), "%s", c.verdict)
	}
}
