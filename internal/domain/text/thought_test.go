package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// What stands between the tags of a reasoning model is blanked, code point by code point, and nothing else.
func TestWithoutThoughts(t *testing.T) {
	for _, c := range []struct{ in, kept string }{
		{"<think>Perhaps 40 – or 50?\nNo.</think>\nThe stay is 30 nights.", "The stay is 30 nights."},
		{"  <Thinking>أظن أنها ٤٠</Thinking> المدة ٣٠ ليلة.", "المدة ٣٠ ليلة."},
		{"The stay is long.\n<think>How long?</think>\nIt is 30 nights.", "The stay is long.\nIt is 30 nights."},
		{"It may be 40.\n</think>\nThe stay is 30 nights.", "The stay is 30 nights."},
		{"<think>It was cut off here", ""},
		{"The tag `<think>` opens a thought, `</think>` closes it.",
			"The tag `<think>` opens a thought, `</think>` closes it."},
		{"Think twice.", "Think twice."},
	} {
		got := text.WithoutThoughts(c.in)
		require.Equal(t, text.Len(c.in), text.Len(got), c.in)
		for strings.Contains(got, "\n\n") {
			got = strings.ReplaceAll(got, "\n\n", "\n")
		}
		require.Equal(t, c.kept, strings.TrimSpace(got))
	}
}
