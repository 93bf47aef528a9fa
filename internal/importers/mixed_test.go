package importers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// If a file has the fields of two versions of a format, the ignored ones are named with their place.
func TestMixedVersions(t *testing.T) {
	left := func(src string) (out []string) {
		t.Helper()
		b, err := readAll([]byte(src), Options{})
		require.NoError(t, err)
		for _, r := range b.Results {
			for _, w := range r.Warnings {
				if strings.Contains(w.Msg, "a different version") {
					out = append(out, w.Path)
				}
			}
		}
		return out
	}
	const old, current = `"question":"Q?","answer":"Leave is 14 days.","contexts":["Leave is 14 ` +
		`days."]`, `"user_input":"How many?","response":"Leave is 15 days.","retrieved_contexts":["Leave is 15 days."]`
	require.Empty(t, left("{"+old+"}\n{"+current+"}"))
	require.Equal(t, []string{"[1].answer", "[1].question", "[1].contexts"},
		left("{"+current+"}\n{"+current+","+old+"}"))
	require.Equal(t, []string{"answer", "question"},
		left(`{`+strings.Replace(current, `["Leave is 15 days."]`, "[]", 1)+","+old+"}"),
		"an empty list leaves none out")

	const v1, v2 = `"text":"Leave is 14 days.","citations":[{"start":0,"end":5,"text":"Leave","document_ids":["a"]}],` +
		`"documents":[{"id":"a","text":"Leave is 15 days."}]`,
		`"message":{"content":[{"type":"text","text":"Leave is 15 days."}],"citations":[{"start":0,"end":5,` +
			`"text":"Leave","sources":[{"type":"document","id":"a","document":{"text":"Leave is 15 days."}}]}]}`
	require.Empty(t, left("{"+v2+"}"))
	require.Equal(t, []string{"text", "citations[0]"}, left("{"+v2+","+v1+"}"))
}

// A warning about a file of rows names the row, also if its session has nothing with a place of its own.
func TestWarningsNameTheRow(t *testing.T) {
	const row = `{"format":"sanad.session/v1","session":{"title":"T","answer":"Leave is 15 days."},"documents":[]}`
	b, err := readAll([]byte(row+"\n"+row), Options{})
	require.NoError(t, err)
	require.Len(t, b.Results, 2)
	for i, r := range b.Results {
		require.NotEmpty(t, r.Warnings)
		for _, w := range r.Warnings {
			require.True(t, strings.HasPrefix(w.Path, at("", i, "")), w.Path)
		}
	}
	one, err := readAll([]byte(row), Options{})
	require.NoError(t, err)
	require.Equal(t, "documents", one.Results[0].Warnings[0].Path)
}
