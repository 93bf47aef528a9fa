package text_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// TestQuotationsOfAnUnbrokenLine: a line of millions of letters, and one of marks that open and are not closed, cost in
// proportion. Looking for the line's end at every letter took longer than an import may.
func TestQuotationsOfAnUnbrokenLine(t *testing.T) {
	for name, line := range map[string]string{
		"letters":    strings.Repeat("It costs five euros a year. ", 150_000),
		"marks":      strings.Repeat(`“a `, 300_000),
		"backticks":  strings.Repeat("`a ", 300_000),
		"no spaces":  strings.Repeat("a", 4_000_000),
		"in a word":  strings.Repeat("“", 300_000) + strings.Repeat("و", 300_000),
		"line feeds": strings.Repeat("\n \"a", 300_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			text.Quotations(line)
			require.Less(t, time.Since(start), 2*time.Minute)
		})
	}
}

// What stands around a quotation does not change it: on one long line it is found as on its own line.
func TestQuotationsOnOneLine(t *testing.T) {
	var line strings.Builder
	var want []string
	for i := range 500 {
		words := fmt.Sprintf("the fee number %d is due in five days", i)
		want = append(want, words)
		fmt.Fprintf(&line, "The rules say: “%s”. It is `not “so” closed` there. ", words)
	}
	for _, s := range []string{line.String(), strings.ReplaceAll(line.String(), ". The rules", ".\nThe rules")} {
		var got []string
		for _, q := range text.Quotations(s) {
			got = append(got, q.Words)
		}
		require.Equal(t, want, got)
	}
}
