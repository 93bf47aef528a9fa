package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// Only runs of the embedded judge are told apart by what it read with: any other judge is named itself.
func TestReadOtherwise(t *testing.T) {
	run := func(judge, reader, calibration string) *ledger.Run {
		return &ledger.Run{Judge: judge, Parameters: map[string]string{"reader": reader, "calibration": calibration}}
	}
	now := run("embedded", "r1", "c1")
	for name, c := range map[string]struct {
		before *ledger.Run
		want   bool
	}{
		"the same":            {run("given+embedded", "r1", "c1"), false},
		"another reader":      {run("embedded", "r2", "c1"), true},
		"another calibration": {run("embedded", "r1", "c2"), true},
		"words only":          {&ledger.Run{Judge: "lexical"}, true},
		"beside a model":      {run("embedded+openai", "r2", "c1"), true},
		"a model alone":       {&ledger.Run{Judge: "openai"}, false},
		"given":               {&ledger.Run{Judge: "given"}, false},
	} {
		require.Equal(t, c.want, now.ReadOtherwise(c.before), name)
		require.Equal(t, c.want, c.before.ReadOtherwise(now), name)
	}
	require.True(t, (&ledger.Run{Judge: "given+lexical"}).WordsOnly())
	require.False(t, now.WordsOnly())
}
