package importers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// Each provider's format has a name for people; our own have none, so that what they hold is never taken for a provider's.
func TestProvidersHaveNames(t *testing.T) {
	for _, f := range foreigns {
		require.NotEmpty(t, ledger.ProviderName(f.name), f.name)
	}
	for _, own := range []string{SessionFormat, LedgerFormat, ""} {
		require.Empty(t, ledger.ProviderName(own))
	}
}
