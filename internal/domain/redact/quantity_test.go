package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/redact"
	"sanad/internal/domain/text/quantity"
)

// TestNumbersOfPeopleAreNames: what redaction takes for an IBAN, a card or a telephone number, the one reading of figures
// takes for a name, in the digits of both scripts, so that no judge compares it as an amount.
func TestNumbersOfPeopleAreNames(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	for number, kind := range map[string]string{
		"AE07 0331 2345 6789 0123 456": redact.IBAN, "SA0380000000608010167519": redact.IBAN,
		"4111 1111 1111 1111": redact.Card, "5500-0000-0000-0004": redact.Card, "4111111111111111": redact.Card,
		"٤١١١ ١١١١ ١١١١ ١١١١": redact.Card,
		"+971 50 123 4567":    redact.Phone, "050 123 4567": redact.Phone, "٠٥٠ ١٢٣ ٤٥٦٧": redact.Phone, "00966 50 123 4567": redact.Phone,
	} {
		s := "Phone or card or IBAN: " + number + ", she said."
		out, counts := r.Text(s)
		require.Equal(t, redact.Counts{kind: 1}, counts, s)
		require.Contains(t, out, redact.Mask(kind))
		for _, q := range quantity.Read(s) {
			require.Equal(t, quantity.Identifier, q.Kind, "%s: %s", s, q.Raw)
			require.Equal(t, strings.Trim(number, "+"), q.Raw)
		}
	}
}

// TestAmountsAreNotRedacted: what the one reading takes for an amount with its unit stays.
func TestAmountsAreNotRedacted(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	for _, s := range []string{"The budget is 5551234567 riyals.", "الميزانية ٥٥٥١٢٣٤٥٦٧ ريال.", "Revenue was 971501234567 USD.",
		"The plant sold 4,111,111,111,111,111 kWh."} {
		require.Equal(t, quantity.Amount, quantity.Read(s)[0].Kind, s)
		out, _ := r.Text(s)
		require.Equal(t, s, out)
	}
}
