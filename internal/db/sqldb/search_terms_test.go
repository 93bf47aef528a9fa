package sqldb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The words of one text do not depend on those that were read before, however many they were.
func TestWordReader(t *testing.T) {
	var many strings.Builder
	for i := range 2 * mostSeen {
		fmt.Fprintf(&many, "item%d ", i)
	}
	var r WordReader
	for _, s := range []string{"Leave is paid leave.", many.String(), "Leave is 30 days.", "", "الإجازة ثلاثون يوما"} {
		require.Equal(t, StemsOf(s, map[string]bool{}), append([]string{}, r.Read(s)...), s[:min(len(s), 20)])
	}
}
