package ledger_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// Each field of a claim filter has one filter, under the name that the API's bodies give it.
func TestEveryClaimFilterIsDeclared(t *testing.T) {
	fields := map[string]bool{}
	for f := range reflect.TypeFor[ledger.ClaimFilter]().Fields() {
		fields[f.Tag.Get("json")] = true
	}
	for _, f := range ledger.ClaimFilters {
		require.True(t, fields[f.Member], f.Name)
		delete(fields, f.Member)
	}
	require.Empty(t, fields)
}
