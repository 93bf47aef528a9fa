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

// A number is one word, however its thousands are grouped and in the digits of whichever script.
func TestNumbersAreFoundInAnyNotation(t *testing.T) {
	for number, forms := range map[string][]string{
		"2000":  {"2,000", "٢٬٠٠٠", "٢٠٠٠", "۲۰۰۰", "2\u00a0000", "٢،٠٠٠"},
		"2·5":   {"2.5", "2,5", "٢٫٥", "٢,٥"},
		"15·":   {"15%", "١٥٪", "15٪"},
		"0·05":  {".05", "0.05", "٫٠٥"},
		"march": {"2024-03-05", "5 March 2024"},
	} {
		for _, form := range forms {
			require.Contains(t, StemsOf("The fee is "+form+" now.", map[string]bool{}), number, form)
			require.Contains(t, MatchAll(form, ""), number, form)
		}
	}
}
