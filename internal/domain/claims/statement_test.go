package claims

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatement(t *testing.T) {
	for claim, want := range map[string]string{
		"The average low is 56 degrees (passage 1).":     "The average low is 56 degrees .",
		"According to document 2, fees are due monthly.": "fees are due monthly.",
		"Passage 3 states that fees are due monthly.":    "fees are due monthly.",
		"Therefore, fees are due monthly.":               "fees are due monthly.",
		"Option 2: Pay by card.":                         "Pay by card.",
		"Yes, leave is granted.":                         "leave is granted.",
		"Based on the provided passages, fees are due.":  "fees are due.",
		"The text has 30 pages.":                         "The text has 30 pages.",
		"The Article 5 fee is 20 riyals.":                "The Article 5 fee is 20 riyals.",
		"However, 3 sources":                             "3 sources",
		"لذلك، تدفع الرسوم شهريا.":                       "تدفع الرسوم شهريا.",
		"Passage 1": "Passage 1",
	} {
		require.Equal(t, want, strings.Join(strings.Fields(Statement(claim)), " "), claim)
	}
}
