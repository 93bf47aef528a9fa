package bundle_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
	"sanad/internal/domain/canonical"
)

// These tests follow rules B-2 to B-15, one by one.

func sha(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// A request may name evidence in each of its shapes (rule B-15).
func TestUsageOfARequest(t *testing.T) {
	req := request(t, `{"job_input":{"entity_type":"character","entity_id":"luke_skywalker","extra_params":{"evidence":[{"text":"Luke Skywalker is a Jedi...","source_uri":"wookieepedia"}]}},
		"evidence_refs":{"lake_text":["docs/character_bio.md"],"sql_results":[{"lake_uri":"results/character_facts.json","query_key":"character_facts"}]},
		"policy":{"max_items":30,"max_total_bytes":75000,"max_sql_rows":50,"enable_redaction":false}}`)
	got := build(t, req, lake{
		"docs/character_bio.md":        "# Luke",
		"results/character_facts.json": `{"columns":["name","height"],"rows":[["Luke",1.720],["Leia",null]]}`,
	})
	require.Equal(t, []string{"inline:0", "lake:" + sha("# Luke")[:12] + ":0",
		"sql:" + sha("character_facts")[:12] + ":0"}, ids(got.Bundle))
	require.Equal(t, "query: character_facts\n2 rows, 2 columns\n\nname | height\n---- | ------\nLuke | 1.720\nLeia | NULL\n", got.Bundle.Items[2].Content)
	require.Equal(t, bundle.SourceRef{SourceURI: "wookieepedia"}, got.Bundle.Items[0].SourceRef)
	require.Empty(t, got.Writes)
	require.Empty(t, got.Bundle.FailedSources)
}

// Names and shapes.
func TestShapeOfTheArtifact(t *testing.T) {
	got := build(t, inline("some text"), nil)
	data, err := got.Bundle.Bytes()
	require.NoError(t, err)
	require.NoError(t, canonical.Check(data))
	want := fmt.Sprintf(`{"bundle_id":%q,"created_utc":"2024-01-15T10:30:00Z","build_version":"2.2",
		"policy":{"max_items":50,"max_total_bytes":100000,"max_item_bytes":10000,"max_sql_rows":100,"max_sql_cols":20,"sampling_strategy":"first_last","chunk_size":5000,"chunk_overlap":200,"enable_redaction":false},
		"items":[{"evidence_id":"inline:0","evidence_type":"inline_text","source_ref":{"source_uri":"job_input"},"content":"some text","content_sha256":%q,"byte_count":9,
			"metadata":{"bounding":{"applied":false,"original_size":9,"bounded_size":9}}}],
		"summary":{"item_count":1,"type_counts":{"inline_text":1},"total_bytes":9,"approx_tokens":2,
			"bundle_bounding":{"applied":false,"original_count":1,"final_count":1,"items_dropped":0,"total_bytes":9}},
		"dropped_items":[],"failed_sources":[]}`, got.Bundle.BundleID, sha("some text"))
	require.JSONEq(t, want, string(data))
}

// The id: UUIDv5 of the canonical JSON of policy, items and build version, computed here from the artifact alone.
func TestBundleID(t *testing.T) {
	req, l := everything(t)
	got := build(t, req, l).Bundle
	data, err := got.Bytes()
	require.NoError(t, err)
	var artifact map[string]any
	require.NoError(t, json.Unmarshal(data, &artifact))
	content, err := canonical.JSON(map[string]any{
		"policy": artifact["policy"], "items": artifact["items"], "build_version": artifact["build_version"],
	})
	require.NoError(t, err)
	space := uuid.NewSHA1(uuid.NameSpaceURL, []byte("urn:sanad:bundle"))
	require.Equal(t, uuid.NewSHA1(space, content).String(), got.BundleID)
	require.Equal(t, uuid.Version(5), uuid.MustParse(got.BundleID).Version())

	later, err := bundle.Build(&req, noon.AddDate(1, 0, 0), l.load, nil)
	require.NoError(t, err)
	require.Equal(t, got.BundleID, later.Bundle.BundleID, "the id does not depend on the time")
	req.Policy.MaxItems++
	require.NotEqual(t, got.BundleID, build(t, req, l).Bundle.BundleID)
}

// Items have their types, ids and order (rules B-3 to B-5).
func TestTypesAndIDs(t *testing.T) {
	req, l := everything(t)
	got := build(t, req, l).Bundle
	lakeP := func(path string) string { return "lake:" + sha(l[path])[:12] + ":0" }
	doc := "doc:" + sha("d1")[:12]
	want := []string{"inline:0", "inline:3", lakeP("docs/bio.md"), lakeP("http/r.json"),
		"sqldef:" + sha("select 1")[:12], "sql:" + sha("facts")[:12] + ":0",
		doc + ":0", doc + ":1", doc + ":2", doc + ":3", doc + ":4", "doc:" + sha("t1")[:12] + ":0"}
	require.Equal(t, want, ids(got))
	require.Equal(t, map[string]int{
		"inline_text": 2, "lake_text": 1, "lake_http": 1, "sql_query_def": 1, "sql_result": 1, "doc_chunk": 5,
		"transcript_chunk": 1,
	}, got.Summary.TypeCounts)
	require.Equal(t, 12, got.Summary.ItemCount)
}

// An item that is too long is cut at its limit (rule B-6).
func TestBoundingOfAnItem(t *testing.T) {
	got := build(t, inline(strings.Repeat("x", 50_000)), nil)
	it := got.Bundle.Items[0]
	data, err := json.Marshal(it.Metadata)
	require.NoError(t, err)
	require.JSONEq(t, `{"bounding":{"applied":true,"original_size":50000,"bounded_size":10000,"truncation_point":10000,"note":"Truncated to 10000 byte limit"}}`, string(data))
	require.Equal(t, 10_000, it.ByteCount)
	require.Equal(t, sha(it.Content), it.ContentSHA256)
}

// Of 100 items 50 are kept, with 95,000 bytes (rule B-6).
func TestBoundingOfABundle(t *testing.T) {
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = strings.Repeat("y", 1900)
	}
	got := build(t, inline(texts...), nil).Bundle
	data, err := json.Marshal(got.Summary.BundleBounding)
	require.NoError(t, err)
	require.JSONEq(t, `{"applied":true,"original_count":100,"final_count":50,"items_dropped":50,"total_bytes":95000,"note":"Dropped 50 items to meet bundle limits"}`, string(data))
	require.Equal(t, 23_750, got.Summary.ApproxTokens)
	require.Len(t, got.DroppedItems, 50)
	for i, d := range got.DroppedItems {
		require.Equal(t, bundle.Dropped{EvidenceID: fmt.Sprint("inline:", 50+i), EvidenceType: "inline_text",
			SourceRef: bundle.SourceRef{SourceURI: "job_input"},
			ByteCount: 1900, ContentSHA256: sha(texts[0]), Reason: "max_items"}, d)
	}
}

func TestApproxTokensAreRoundedDown(t *testing.T) {
	require.Equal(t, 21250, 85_000/4, "rule B-10")
	for n, want := range map[int]int{3: 0, 4: 1, 7: 1, 8: 2} {
		require.Equal(t, want, build(t, inline(strings.Repeat("z", n)), nil).Bundle.Summary.ApproxTokens)
	}
}

// Over the byte limit the last items are dropped first, even a small one after a large one.
func TestLastItemsAreDroppedFirst(t *testing.T) {
	req := inline(strings.Repeat("a", 60), strings.Repeat("b", 60), "c")
	req.Policy = policy(func(p *bundle.Policy) { p.MaxTotalBytes = 100 })
	got := build(t, req, nil).Bundle
	require.Equal(t, []string{"inline:0"}, ids(got))
	require.Equal(t, "max_total_bytes", got.DroppedItems[0].Reason)
	require.Equal(t, "inline:2", got.DroppedItems[1].EvidenceID)
	require.Equal(t, 1, got.DroppedItems[1].ByteCount)

	req.Policy.MaxTotalBytes = 121
	require.Len(t, build(t, req, nil).Bundle.Items, 3, "exactly at the limit")
}

// An item whose id repeats is dropped: the same artifact under two paths, a query given twice, a transcript with the
// name and text of a document.
func TestDuplicates(t *testing.T) {
	req := request(t, `{"evidence_refs":{"lake_text":["a","b"],"sql_query_defs":[{"query_key":"k","sql":"select 1"},{"query_key":"l","sql":"select 1"}],
		"documents":[{"document_id":"d","text":"x"}],"transcripts":[{"document_id":"d","text":"x"}]}}`)
	got := build(t, req, lake{"a": "same", "b": "same"}).Bundle
	require.Len(t, got.Items, 3)
	require.Len(t, got.DroppedItems, 3)
	for _, d := range got.DroppedItems {
		require.Equal(t, "duplicate", d.Reason)
	}
	require.Equal(t, "b", got.DroppedItems[0].SourceRef.LakeURI)
	require.Equal(t, bundle.BundleBounding{
		Applied: true, OriginalCount: 6, FinalCount: 3, ItemsDropped: 3, TotalBytes: got.Summary.TotalBytes,
		Note: "Dropped 3 items whose id was there before",
	}, got.Summary.BundleBounding)
}

// Cuts fall on a UTF-8 boundary at or under the limit.
func TestCutsKeepLettersWhole(t *testing.T) {
	for _, s := range []string{"الرياض", "a€b", "x😀y", "abc"} {
		for limit := 1; limit <= len(s)+1; limit++ {
			req := inline(s)
			req.Policy = policy(func(p *bundle.Policy) { p.MaxItemBytes = limit })
			it := build(t, req, nil).Bundle.Items[0]
			require.True(t, utf8.ValidString(it.Content))
			require.True(t, strings.HasPrefix(s, it.Content))
			require.LessOrEqual(t, len(it.Content), limit)
			require.Greater(t, len(it.Content)+4, min(limit, len(s)))
			require.Equal(t, len(it.Content), it.Metadata.Bounding.BoundedSize)
			if len(s) > limit {
				require.Equal(t, len(it.Content), *it.Metadata.Bounding.TruncationPoint)
			}
		}
	}
}

// What was cut stays reachable (rule B-9).
func TestFullRef(t *testing.T) {
	long := strings.Repeat("و", 6000)
	req := request(t, fmt.Sprintf(`{"job_input":{"extra_params":{"evidence":[{"text":%q},{"text":%q},{"text":"short"}]}},
		"evidence_refs":{"lake_text":["l"],"sql_query_defs":[{"query_key":"k","sql":%q}],"sql_results":[{"lake_uri":"s","query_key":"k"}]}}`, long, long, "select 1 -- "+strings.Repeat("x", 10_000)))
	l := lake{"l": strings.Repeat("z", 20_000), "s": sqlOf(10_000, 50)}
	got := build(t, req, l)
	items := got.Bundle.Items
	full := &bundle.FullRef{LakeURI: "evidence/full/" + sha(long) + ".txt", Size: 12_000, SHA256: sha(long)}
	require.Equal(t, full, items[0].FullRef)
	require.Equal(t, full, items[1].FullRef)
	require.Nil(t, items[2].FullRef)
	require.Equal(t, &bundle.FullRef{LakeURI: "l", Size: 20_000, SHA256: sha(l["l"])}, items[3].FullRef)
	require.Equal(t, "sql_query_def", items[4].EvidenceType)
	rows, cols := 10_000, 50
	require.Equal(t, &bundle.FullRef{
		LakeURI: "s", Size: len(l["s"]), SHA256: sha(l["s"]), RowCount: &rows, ColCount: &cols,
	}, items[5].FullRef)
	require.Equal(t, 10_000, items[5].ByteCount, "many rows, bounded")

	require.Len(t, got.Writes, 2, "the same content is written once, and only what is not in the lake yet")
	for _, w := range got.Writes {
		require.Equal(t, "evidence/full/"+sha(string(w.Data))+".txt", w.LakeURI)
		require.NoError(t, bundle.CheckPath(w.LakeURI))
	}
	require.Equal(t, long, string(got.Writes[0].Data))
}

// Every K-th, first and last, first only (rule B-7).
func TestSampling(t *testing.T) {
	tests := []struct {
		strategy    string
		total, max  int
		first, last string // rows
		shown, step int
		ranges      [][2]int
	}{
		{
			strategy: "first_only", total: 500, max: 100, first: "r0c0", last: "r99c0", shown: 100,
			ranges: [][2]int{{0, 100}},
		},
		{
			strategy: "first_last", total: 500, max: 100, first: "r0c0", last: "r499c0", shown: 100,
			ranges: [][2]int{{0, 50}, {450, 500}},
		},
		{
			strategy: "first_last", total: 10, max: 5, first: "r0c0", last: "r9c0", shown: 5,
			ranges: [][2]int{{0, 3}, {8, 10}},
		}, // ⌈5/2⌉ and ⌊5/2⌋
		{strategy: "first_last", total: 10, max: 1, first: "r0c0", last: "r0c0", shown: 1, ranges: [][2]int{{0, 1}}},
		{
			strategy: "first_last", total: 100, max: 100, first: "r0c0", last: "r99c0", shown: 100,
			ranges: [][2]int{{0, 100}},
		},
		{strategy: "stride", total: 500, max: 100, first: "r0c0", last: "r495c0", shown: 100, step: 5},
		{strategy: "stride", total: 250, max: 100, first: "r0c0", last: "r249c0", shown: 84, step: 3}, // K = ⌈2.5⌉
		{strategy: "stride", total: 7, max: 1, first: "r0c0", last: "r0c0", shown: 1, step: 7},
		{strategy: "stride", total: 7, max: 7, first: "r0c0", last: "r6c0", shown: 7, ranges: [][2]int{{0, 7}}},
		{strategy: "first_only", max: 5, ranges: [][2]int{}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.strategy, tt.total, "/", tt.max), func(t *testing.T) {
			req := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k"}]}}`)
			req.Policy = policy(func(p *bundle.Policy) { p.MaxSQLRows, p.SamplingStrategy = tt.max, tt.strategy })
			it := build(t, req, lake{"s": sqlOf(tt.total, 1)}).Bundle.Items[0]
			require.Equal(t, &bundle.Sampling{Strategy: tt.strategy, RowsTotal: tt.total, RowsShown: tt.shown,
				RowsLeftOut: tt.total - tt.shown, RowRanges: tt.ranges, Step: tt.step,
				ColsTotal: 1, ColsShown: 1, ColumnsLeftOut: []string{}}, it.Metadata.Sampling)
			rows := strings.Fields(strings.SplitN(it.Content, "--\n", 2)[1])
			if tt.shown > 0 {
				require.Equal(t, tt.first, rows[0])
				require.Equal(t, tt.last, rows[len(rows)-1])
			}
			shown := 0
			for _, cell := range rows {
				if strings.HasSuffix(cell, "c0") {
					shown++
				}
			}
			require.Equal(t, tt.shown, shown)
			require.Equal(t, tt.shown < tt.total, it.FullRef != nil)
			require.Equal(t, tt.shown < tt.total,
				strings.Contains(it.Content, fmt.Sprintf("; %d rows left out\n", tt.total-tt.shown)), it.Content)
		})
	}
}

func TestTextNamesColumnsLeftOut(t *testing.T) {
	req := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k"}]},"policy":{"max_sql_cols":2}}`)
	it := build(t, req, lake{"s": sqlOf(1, 4)}).Bundle.Items[0]
	require.Equal(t, "query: k\n1 rows, 4 columns\n2 columns left out: c2, c3\n\nc0   | c1\n---- | ----\nr0c0 | r0c1\n", it.Content)
	require.Equal(t, []string{"c2", "c3"}, it.Metadata.Sampling.ColumnsLeftOut)
	require.NotNil(t, it.FullRef)
	require.True(t, it.Metadata.Bounding.Applied, "columns were left out")
	require.Nil(t, it.Metadata.Bounding.TruncationPoint, "no bytes were cut")
}

// A result that becomes several items has its row range in the ids: start inclusive, end exclusive.
func TestRowRanges(t *testing.T) {
	req := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k","rows_per_item":100}]},"policy":{"max_sql_rows":300}}`)
	p := "sql:" + sha("k")[:12] + ":0"
	got := build(t, req, lake{"s": sqlOf(250, 1)}).Bundle
	require.Equal(t, []string{p + ":0-100", p + ":100-200", p + ":200-250"}, ids(got))
	require.Contains(t, got.Items[1].Content, "\nr100c0\n")
	require.NotContains(t, got.Items[1].Content, "\nr200c0\n")
	require.Nil(t, got.Items[1].FullRef, "nothing is left out")
	require.Equal(t, []string{p}, ids(build(t, req, lake{"s": sqlOf(100, 1)}).Bundle), "one item has no range")
}
