package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNumbersInTheReadersDigits(t *testing.T) {
	latin := To("ar", "latn", time.Time{})
	arabic := To("ar", "arab", time.Time{})
	require.Equal(t, "1,234,567", latin.Num(1234567))
	require.Equal(t, "١٬٢٣٤٬٥٦٧", arabic.Num(1234567))
	require.Equal(t, "٩٢٪", arabic.Percent(0.92))
	require.Equal(t, "٠٫٥٠", arabic.Decimal(0.5))
	require.Equal(t, "١١٫٠٠ ميبيبايت", arabic.Size(11<<20))
	require.Equal(t, "2 كيبيبايت", latin.Size(1025))
	require.Equal(t, "إفادتان", arabic.N("n_claims", 2))
	require.Equal(t, "٣ إفادات", arabic.N("n_claims", 3))
	require.Equal(t, "11 إفادة", latin.N("n_claims", 11))
}

// TestSpan: what begins or ends at midnight is said in days, the last one included; anything else to the minute.
func TestSpan(t *testing.T) {
	r := To("en", "latn", time.Time{})
	r.Keep("Asia/Riyadh")
	midnight := time.Date(2026, 12, 5, 21, 0, 0, 0, time.UTC)
	require.Equal(t, "5 Dec 2026", r.To(midnight))
	require.Equal(t, r.Minute(midnight.Add(time.Minute)).Short, r.To(midnight.Add(time.Minute)))
	require.Equal(t, "from 6 Dec 2026 to 7 Dec 2026 (inclusive)", r.Span(midnight, midnight.AddDate(0, 0, 2)))
	minutes := r.Span(midnight.Add(-time.Minute), midnight.Add(time.Minute))
	require.Contains(t, minutes, "23:59")
	require.NotContains(t, minutes, "inclusive")
}
