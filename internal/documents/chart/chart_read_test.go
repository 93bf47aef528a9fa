package chart

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChartNumbersAreShown holds how the stored values of charts are written.
func TestChartNumbersAreShown(t *testing.T) {
	for _, c := range []struct{ stored, format, want string }{{"0.1", "General", "0.1"}, {"4.4000000000000004", "", "4.4"},
		{"1234567.891", "#,##0.00", "1,234,567.89"}, {"-1234", "#,##0", "-1,234"}, {"0.071", "0%", "7%"}, {"5", "0.0#", "5.0"},
		{"5.25", "0.0##", "5.25"}, {"44197", "yyyy\\-mm\\-dd", "2021-01-01"}, {"12", `"€"#,##0`, "12"}, {"1500", "#,##0,", "1500"},
		{"n/a", "0", "n/a"}, {"1e300", "m/d/yy", short(1e300)}} {
		require.Equal(t, c.want, formatted(c.stored, c.format), c)
	}
}
