package text_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestTypedDay(t *testing.T) {
	want := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	for _, s := range []string{
		"2026-03-05", "2026-3-5", " 2026-03-05 ", "2026/03/05", "2026.03.05", "2026 03 05", "٢٠٢٦-٠٣-٠٥", "٢٠٢٦/٣/٥",
		"۲۰۲۶-۰۳-۰۵", "2026‑03‑05", "2026–03–05", "\u200f٢٠٢٦-٠٣-٠٥\u200f",
	} {
		got, ok := text.TypedDay(s)
		require.True(t, ok, s)
		require.Equal(t, want, got, s)
	}
	for _, s := range []string{
		"", "tomorrow", "2026", "2026-03", "2026-13-01", "2026-02-30", "05-03-2026", "5/3/2026", "26-03-05", "1899-12-31",
		"3000-01-01", "-2026-03-05-06", "2026-03-05T00:00:00Z", "2026-03-0x", "\xff2026-03-05", strings.Repeat("2", 1<<20),
		"2026--03--05x", "٢٠٢٦-١٣-٠١",
	} {
		_, ok := text.TypedDay(s)
		require.False(t, ok, "%.40q", s)
	}
}

func FuzzTypedDay(f *testing.F) {
	f.Add("2026-03-05")
	f.Add("٢٠٢٦/٣/٥")
	f.Fuzz(func(t *testing.T, s string) {
		day, ok := text.TypedDay(s)
		if !ok {
			return
		}
		again, ok := text.TypedDay(day.Format(time.DateOnly))
		require.True(t, ok)
		require.Equal(t, day, again)
	})
}
