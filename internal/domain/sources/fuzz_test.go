package sources_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/sources"
	"sanad/internal/domain/text"
)

// FuzzPack checks what the README promises for any JSON input.
func FuzzPack(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(`{"candidates":[{"item_id":"أ","summary":"مُحَمَّد رسول","metadata":{"k":[1]}}],"options":{"max_snippet_chars":5,"snippets_per_source":4}}`))
	f.Add([]byte(`{"candidates":[{"item_id":"a","rank":1},{"item_id":"a"}],"evidence_chunks":[{"item_id":"a","text":"x y"}],"options":{"order_by":"rank","max_sources":1,"debug":true}}`))
	f.Add([]byte(`{"candidates":[{}],"options":{"order_by":"x"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in input
		if json.Unmarshal(data, &in) != nil {
			return
		}
		items := sources.Pack(in.Candidates, in.Chunks, in.Options)
		first := written(t, items)
		require.Equal(t, first, written(t, sources.Pack(in.Candidates, in.Chunks, in.Options)))
		written(t, sources.NewEvent(in.Candidates, in.Chunks, in.Options))
		if sources.Check(in.Candidates, in.Options) != nil {
			require.Empty(t, items)
		}
		if in.Options.MaxSources != nil {
			require.LessOrEqual(t, len(items), max(*in.Options.MaxSources, 0))
		}
		limit := sources.DefaultSnippetChars
		if in.Options.MaxSnippetChars != nil {
			limit = min(*in.Options.MaxSnippetChars, sources.MaxSnippetChars)
		}
		seen := map[string]bool{}
		for i, it := range items {
			require.Equal(t, i+1, it.Rank)
			require.False(t, seen[it.SourceID], "one document, one source")
			seen[it.SourceID] = true
			require.Equal(t, it.Snippet == nil, it.SnippetFrom == sources.Unknown)
			if it.Snippet != nil {
				require.LessOrEqual(t, text.Len(*it.Snippet), limit)
				require.NotEmpty(t, *it.Snippet)
			}
		}
	})
}
