package bundle_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/canonical"
)

// FuzzBuild checks that for any request and lake the limits hold, text is UTF-8, and each source is an item, dropped or
// failed.
func FuzzBuild(f *testing.F) {
	req, l := everything(f)
	for _, data := range l {
		src, err := json.Marshal(req)
		require.NoError(f, err)
		f.Add(src, []byte(data), 40, 10, 3, true)
		f.Add(src, []byte(data), 3, 100_000, 1, false)
	}
	f.Add([]byte(`{"evidence_refs":{"lake_text":["a",1],"x":2,"sql_results":[{"lake_uri":"b","query_key":"k","rows_per_item":1}],"documents":[{"document_id":"d","text":"\u0646\u0646\u0646"}]}}`), []byte(sqlOf(9, 2)), 7, 50, 2, true)
	f.Fuzz(func(t *testing.T, src, data []byte, itemBytes, totalBytes, items int, redaction bool) {
		var req bundle.Request
		if json.Unmarshal(src, &req) != nil {
			return
		}
		req.Policy = policy(func(p *bundle.Policy) {
			p.MaxItemBytes, p.MaxTotalBytes, p.MaxItems, p.EnableRedaction = itemBytes, totalBytes, items, redaction
			p.ChunkSize, p.ChunkOverlap, p.MaxSQLRows, p.MaxSQLCols = 4+itemBytes&31, 3, 3, 2
		})
		load := func(string) ([]byte, error) { return data, nil }
		got, err := bundle.Build(&req, noon, load, nil)
		if err != nil {
			require.Equal(t, domain.Invalid, domain.KindOf(err))
			require.Error(t, req.Policy.Validate())
			return
		}
		checkBundle(t, &req, &got.Bundle)
		again, err := bundle.Build(&req, noon, load, nil)
		require.NoError(t, err)
		require.Equal(t, got, again)
		same, err := bundle.Replay(&got.Bundle, &req, load, nil)
		require.NoError(t, err)
		require.True(t, same.Equal, same)
		_, err = bundle.Replay(&got.Bundle, nil, load, nil) // never panics, whatever the lake has
		require.NoError(t, err)
	})
}

func checkBundle(t *testing.T, req *bundle.Request, b *bundle.Bundle) {
	t.Helper()
	total, rows, seen, sources := 0, 0, map[string]bool{}, map[string]int{}
	for _, it := range b.Items {
		require.True(t, utf8.ValidString(it.Content))
		require.Equal(t, len(it.Content), it.ByteCount)
		require.LessOrEqual(t, it.ByteCount, b.Policy.MaxItemBytes)
		require.Equal(t, sha(it.Content), it.ContentSHA256)
		require.False(t, seen[it.EvidenceID])
		require.Equal(t, it.Metadata.Bounding.Applied,
			it.Metadata.Bounding.BoundedSize < it.Metadata.Bounding.OriginalSize)
		if it.Metadata.Bounding.Applied {
			require.NotNil(t, it.FullRef)
		}
		if it.Metadata.Sampling != nil {
			rows += it.Metadata.Sampling.RowsShown
		}
		seen[it.EvidenceID], total = true, total+it.ByteCount
		if c := it.Metadata.Chunk; c == nil || c.Index == 0 {
			sources[it.EvidenceType]++
		}
	}
	require.LessOrEqual(t, total, b.Policy.MaxTotalBytes)
	require.LessOrEqual(t, len(b.Items), b.Policy.MaxItems)
	require.LessOrEqual(t, rows, b.Policy.MaxSQLRows)
	require.Equal(t, total, b.Summary.TotalBytes)
	require.Equal(t, len(b.DroppedItems), b.Summary.BundleBounding.ItemsDropped)
	for _, d := range b.DroppedItems {
		require.NotEmpty(t, d.Reason)
		sources[d.EvidenceType]++
	}
	for _, x := range b.FailedSources {
		require.NotEmpty(t, x.Reason)
		sources[x.EvidenceType]++
	}
	for kind, n := range map[string]int{ // each source is accounted for
		bundle.InlineText: len(req.JobInput.ExtraParams.Evidence.Items), bundle.LakeText: len(req.Refs.LakeText.Items),
		bundle.LakeHTTP:    len(req.Refs.LakeHTTP.Items),
		bundle.SQLQueryDef: len(req.Refs.SQLQueryDefs.Items), bundle.SQLResult: len(req.Refs.SQLResults.Items),
		bundle.DocChunk: len(req.Refs.Documents.Items), bundle.TranscriptChunk: len(req.Refs.Transcripts.Items),
	} {
		require.GreaterOrEqual(t, sources[kind], n, kind)
	}
	require.Equal(t, len(req.Refs.Unknown), sources[""])
	data, err := b.Bytes()
	require.NoError(t, err)
	require.NoError(t, canonical.Check(data))
}

func FuzzCheckPath(f *testing.F) {
	for _, p := range []string{"a/b", "../a", "a/./b", "\\", "a\x00"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if bundle.CheckPath(p) == nil {
			require.NotContains(t, "/"+p+"/", "/../")
			require.NotEqual(t, byte('/'), p[0])
			require.True(t, utf8.ValidString(p))
		}
	})
}
