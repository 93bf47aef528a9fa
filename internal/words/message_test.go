package words_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/words"
)

// TestSay: a message within a message is said in the same language, lists have the language's commas, and what somebody
// else wrote is shown as it is.
func TestSay(t *testing.T) {
	m := words.Msg("page_short", "N", words.List{"7", "a", words.Msg("skip")})
	require.Equal(t, "p. 7, a, Skip to content", m.String())
	quoted := func(v any) string { return "«" + words.In("ar").Plain(words.AsWritten(v.(string))) + "»" }
	require.Equal(t, "ص «7»، «a»، "+words.In("ar").Text("skip"), words.In("ar").Say(m, quoted))
	require.Empty(t, words.Message{}.String())
	require.True(t, words.Message{}.IsZero())
	require.Equal(t, "of_a_later_version", words.Msg("of_a_later_version", "N", 1).String())
	require.Equal(t, "p. one p. two", words.Msg("as_written", "Text",
		words.Sentences{words.Msg("page_short", "N", "one"), words.Msg("page_short", "N", "two")}).String())
	require.Equal(t, `a \"b\"\n`, words.Quoted("a \"b\"\n"))
}

// TestMessageIsData: a message is the same after it was stored.
func TestMessageIsData(t *testing.T) {
	m := words.Msg("page_short", "N", 12345678, "Share", 0.25, "Text", "12", "What", words.Msg("skip"),
		"All", words.List{"a", 1, words.List{"b"}},
		"Both", words.Sentences{words.Msg("skip"), words.Msg("page_short", "N", 2)})
	data, err := json.Marshal(m)
	require.NoError(t, err)
	var got words.Message
	require.NoError(t, json.Unmarshal(data, &got))
	require.Equal(t, m, got)
	require.Error(t, json.Unmarshal([]byte(`{"id":"x","args":[{"id":1}]}`), &got))
	require.Error(t, json.Unmarshal([]byte(`{"id":"x","args":{}}`), &got))
}
