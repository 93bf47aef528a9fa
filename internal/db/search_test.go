package db

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// The words of one text do not depend on those that were read before, however many they were.
func TestWordReader(t *testing.T) {
	var many strings.Builder
	for i := range 2 * mostSeen {
		fmt.Fprintf(&many, "item%d ", i)
	}
	var r wordReader
	for _, s := range []string{"Leave is paid leave.", many.String(), "Leave is 30 days.", "", "الإجازة ثلاثون يوما"} {
		require.Equal(t, stemsOf(s, map[string]bool{}), append([]string{}, r.read(s)...), s[:min(len(s), 20)])
	}
}

// Each claim gets its own words, also one without any.
func TestWordsBeside(t *testing.T) {
	claims := []ledger.Claim{{Text: "…"}, {Text: "Leave is paid leave."}, {Text: ""}, {Text: "٣٠ يوما"}}
	got := wordsBeside(claims)()
	for i := range claims {
		require.Equal(t, strings.Join(stemsOf(claims[i].Text, map[string]bool{}), " "), got.of(i))
	}
}
