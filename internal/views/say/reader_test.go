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
