package importers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Single values of a decision are mended as a form sends them; everything else stays, numbers as they are written.
func TestMendDecision(t *testing.T) {
	const was = `{"title":"<T>","confidence":"x","evidence":[{"source":"a","offset_start":1.0}],` +
		`"tool_calls":[{"inputs":{"n":9007199254740993}}]}`
	fields := DecisionFields([]byte(was), []string{"statement", "title", "confidence", "evidence[0].retrieved_at",
		"evidence[0].offset_start", "evidence[1].source", "tool_calls[0].inputs", "evidence", "", "statement"})
	require.Equal(t, []DecisionField{{Path: "statement"}, {"title", "<T>"}, {"confidence", "x"},
		{Path: "evidence[0].retrieved_at"}, {"evidence[0].offset_start", "1.0"}}, fields)
	got, err := MendDecision([]byte(was), []DecisionField{{"statement", "It " +
		"fits."}, {"title", " "}, {"confidence", " 0.5"},
		{"high_stakes", "true"}, {"evidence[0].retrieved_at", "2026-03-01T09:30:00Z"}})
	require.NoError(t, err)
	require.JSONEq(t, `{"statement":"It fits.","confidence":0.5,"high_stakes":true,
		"evidence":[{"source":"a","offset_start":1.0,"retrieved_at":"2026-03-01T09:30:00Z"}],
		"tool_calls":[{"inputs":{"n":9007199254740993}}]}`, string(got))
	require.Contains(t, string(got), "9007199254740993")
	for _, path := range []string{"evidence[7].source", "evidence.source", "a.b", "title.x", "evidence[0]", "A[", ""} {
		_, err := MendDecision([]byte(was), []DecisionField{{path, "x"}})
		require.Error(t, err, path)
	}
	for _, in := range []string{"", "[]", "null", "1", "{"} {
		_, err := MendDecision([]byte(in), nil)
		require.ErrorContains(t, err, "object", in)
		require.Empty(t, DecisionFields([]byte(in), []string{"title"}))
	}
}
