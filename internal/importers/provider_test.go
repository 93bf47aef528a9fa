package importers

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Each provider's format has a name for people; our own formats have none, so that their content is never mistaken for
// a provider's.
func TestProvidersHaveNames(t *testing.T) {
	for _, f := range foreigns() {
		require.NotEmpty(t, ledger.ProviderName(f.name), f.name)
	}
	for _, own := range []string{SessionFormat, LedgerFormat, ""} {
		require.Empty(t, ledger.ProviderName(own))
	}
}

// If a tool judged fewer claims than it found, the rest have no verdict of the tool; the import warns.
func TestVerdictsOfFewerClaims(t *testing.T) {
	for path, input := range map[string]string{
		"[0].ys": `[{"response":"Leave is 15 days.","reference":"Leave is 15 days.","claims":["Leave is 15 days",` +
			`"Leave is paid"],"ys":["Entailment"]}]`,
		"verdicts": `{"input":"q","actualOutput":"Leave is 15 days.","retrievalContext":["Leave is 15 days."],` +
			`"claims":["Leave is 15 days","Leave is paid"],"verdicts":[{"verdict":"yes"}]}`,
	} {
		r, err := Read([]byte(input), Options{})
		require.NoError(t, err)
		require.Condition(t, func() bool {
			return slices.ContainsFunc(r.Warnings,
				func(w domain.Warning) bool { return w.Path == path && strings.HasPrefix(w.Msg, "Claims: 2, ") })
		}, "%s: %v", path, r.Warnings)
	}
}
