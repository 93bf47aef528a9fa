package evidence_test

import (
	"testing"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/text"
)

// FuzzSpotlight checks that neither Spotlight nor Highlight panics on any input, and that Spotlight keeps its budget.
func FuzzSpotlight(f *testing.F) {
	f.Add("CPU budget", "The CPU budget. Is it? \"Yes\" it is.", 10)
	f.Add("إجازة", "يستحق إجازة. نعم", 5)
	f.Add("leave\xff", "\xffleave. A leave\x1c", 0)
	f.Fuzz(func(t *testing.T, claim, span string, window int) {
		window %= 1000
		out := evidence.Spotlight(claim, span, window)
		if n := text.Len(out); n > max(2*window, 0)+6 {
			t.Fatalf("%d code points for a window of %d", n, window)
		}
		for _, h := range evidence.Highlight(claim, span) {
			if text.Slice(span, h) == "" {
				t.Fatalf("empty highlight %v", h)
			}
		}
	})
}
