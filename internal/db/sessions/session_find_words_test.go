package sessions_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/sessions"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// Each claim gets its own words, also one without any.
func TestWordsBeside(t *testing.T) {
	claims := []ledger.Claim{{Text: "…"}, {Text: "Leave is paid leave."}, {Text: ""}, {Text: "٣٠ يوما"}}
	got := sessions.WordsBeside(claims)()
	for i := range claims {
		require.Equal(t, strings.Join(sqldb.StemsOf(claims[i].Text, map[string]bool{}), " "), got.Of(i))
	}
}
