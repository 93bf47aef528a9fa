package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/words"
)

// TestALongTextIsTriedAgainstFewPatterns: nearly all patterns are told by their literal words not to be of a text, so
// that a long text that nobody knows is not matched against each of them.
func TestALongTextIsTriedAgainstFewPatterns(t *testing.T) {
	all := sayings().parts
	require.NotEmpty(t, all)
	for name, text := range map[string]string{
		"answer":  strings.Repeat("The annual leave is 30 days; the limit has 12 bytes, more than that of 2024. ", 260),
		"Arabic":  strings.Repeat("الإجازة السنوية ثلاثون يومًا. ", 600),
		"a tail":  strings.Repeat("word ", 4000) + "split it.",
		"a fault": "The file " + strings.Repeat("x", 19_000) + " is too much; shorten it.",
	} {
		tried := 0
		for i := range all {
			if all[i].maybe(text) {
				tried++
			}
		}
		require.LessOrEqual(t, tried, 2, name)
	}
}

// TestPatternsKnowTheirOwnTexts: what is compared before a pattern is matched never stands in its way.
func TestPatternsKnowTheirOwnTexts(t *testing.T) {
	for _, p := range sayings().parts {
		english := plainSlot.ReplaceAllString(words.In("en").Text("said_"+p.id), "12")
		require.True(t, p.maybe(english), english)
		require.NotNil(t, p.match(english), english)
	}
}

// BenchmarkSaidOfALongText is of a text that nobody knows, beside one pattern's match of it.
func BenchmarkSaidOfALongText(b *testing.B) {
	c := NewChrome(ChromeInput{Lang: "ar"})
	text := strings.Repeat("The annual leave is 30 days; the limit has 12 bytes, more than that of 2024. ", 260)
	c.SaidText(text)
	b.Run("said", func(b *testing.B) {
		for b.Loop() {
			c.SaidText(text)
		}
	})
	b.Run("every pattern", func(b *testing.B) {
		for b.Loop() {
			for _, p := range sayings().parts {
				p.pattern.FindStringSubmatch(text)
			}
		}
	})
}
