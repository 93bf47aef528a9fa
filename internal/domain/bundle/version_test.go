package bundle_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
)

// vectors are bundles that a version of the builder made, with what they were made of. They are never made again.
type vectors struct {
	Lake   lake `json:"lake"`
	Builds []struct {
		Request json.RawMessage `json:"request"`
		Bundle  json.RawMessage `json:"bundle"`
	} `json:"builds"`
}

// Version 2.0 still builds what it built when it was the newest (rule B-17).
func TestVectorsOfVersion20(t *testing.T) {
	data, err := os.ReadFile("testdata/2.0.json")
	require.NoError(t, err)
	var v vectors
	require.NoError(t, json.Unmarshal(data, &v))
	require.Len(t, v.Builds, 3)
	for _, x := range v.Builds {
		req := request(t, string(x.Request))
		got, err := bundle.BuildAs("2.0", &req, noon, v.Lake.load, nil)
		require.NoError(t, err)
		artifact, err := got.Bundle.Bytes()
		require.NoError(t, err)
		require.JSONEq(t, string(x.Bundle), string(artifact))
		require.NotEqual(t, got.Bundle.BundleID, build(t, req, v.Lake).Bundle.BundleID)
	}
}

func TestUnknownVersionsAreRefused(t *testing.T) {
	req := inline("a")
	for _, version := range []string{"", "1.0", "2.3", "2.2 "} {
		_, err := bundle.BuildAs(version, &req, noon, nil, nil)
		var told *domain.Error
		require.ErrorAs(t, err, &told)
		require.Equal(t, "build_version", told.Path)
	}
}

// Version 2.1: what has the id of something else is not a duplicate (rule B-4).
func TestOtherContentUnderOneIDIsKept(t *testing.T) {
	l := lake{"a": `{"columns":["n"],"rows":[[1]]}`, "b": `{"columns":["n"],"rows":[[2]]}`, "d": "Second text."}
	req := request(t, `{"evidence_refs":{
		"sql_results":[{"lake_uri":"a","query_key":"k"},{"lake_uri":"b","query_key":"k"},{"lake_uri":"a","query_key":"k"},{"lake_uri":"b","query_key":"k"}],
		"documents":[{"document_id":"d","text":"First text."},{"document_id":"d","lake_uri":"d"}],
		"transcripts":[{"document_id":"d","text":"Third text."},{"document_id":"d","text":"First text."}]}}`)
	got := build(t, req, l).Bundle
	sql, doc := "sql:"+sha("k")[:12], "doc:"+sha("d")[:12]
	require.Equal(t, []string{sql + ":0", sql + "~" + sha(l["b"])[:8] + ":0",
		doc + ":0", doc + "~" + sha("Second text.")[:8] + ":0", doc + "~" + sha("Third text.")[:8] + ":0"}, ids(got))
	require.Contains(t, got.Items[1].Content, "2\n")
	require.Len(t, got.DroppedItems, 3)
	for i, id := range []string{sql + ":0", sql + "~" + sha(l["b"])[:8] + ":0", doc + ":0"} {
		require.Equal(t, id, got.DroppedItems[i].EvidenceID)
		require.Equal(t, "duplicate", got.DroppedItems[i].Reason)
	}
	old, err := bundle.BuildAs("2.0", &req, noon, l.load, nil)
	require.NoError(t, err)
	require.Equal(t, []string{sql + ":0", doc + ":0"}, ids(old.Bundle))
}

// Chunks and ranges of rows keep their numbers behind H.
func TestChunksAndRangesOfOtherContent(t *testing.T) {
	l := lake{"a": sqlOf(3, 1), "b": sqlOf(4, 1)}
	req := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"a","query_key":"k"},{"lake_uri":"b","query_key":"k","rows_per_item":2}],
		"documents":[{"document_id":"d","text":"aaaabbbb"}],"transcripts":[{"document_id":"d","text":"ccccdddd"}]},
		"policy":{"chunk_size":4,"chunk_overlap":0}}`)
	sql, doc := "sql:"+sha("k")[:12], "doc:"+sha("d")[:12]
	h, g := "~"+sha(l["b"])[:8], "~"+sha("ccccdddd")[:8]
	require.Equal(t, []string{sql + ":0", sql + h + ":0:0-2", sql + h + ":0:2-4",
		doc + ":0", doc + ":1", doc + g + ":0", doc + g + ":1"}, ids(build(t, req, l).Bundle))
}

// H of a text that came with a redacted request is that of the redacted text, so that the id says nothing of what was
// masked.
func TestOtherContentIsToldApartAfterRedaction(t *testing.T) {
	req := request(t, `{"evidence_refs":{"documents":[{"document_id":"d","text":"x"}],
		"transcripts":[{"document_id":"d","text":"Mail a@example.com"},{"document_id":"d","text":"Mail b@example.com"}]},
		"policy":{"enable_redaction":true}}`)
	got := build(t, req, nil).Bundle
	require.Equal(t, "doc:"+sha("d")[:12]+"~"+sha("Mail [REDACTED:email]")[:8]+":0", got.Items[1].EvidenceID)
	require.Equal(t, "duplicate", got.DroppedItems[0].Reason)
}

// Artifacts whose SHA-256 begin alike are told apart by more digits.
func TestLongerHWhereEightDigitsAgree(t *testing.T) {
	first, second := alike()
	require.Equal(t, sha(first)[:8], sha(second)[:8])
	req := request(t, `{"evidence_refs":{"documents":[{"document_id":"d","text":"x"},{"document_id":"d","lake_uri":"a"},{"document_id":"d","lake_uri":"b"}]}}`)
	got := ids(build(t, req, lake{"a": first, "b": second}).Bundle)
	doc := "doc:" + sha("d")[:12]
	require.Equal(t, []string{doc + ":0", doc + "~" + sha(first)[:8] + ":0", doc + "~" + sha(second)[:16] + ":0"}, got)
}

// alike returns two texts whose SHA-256 begin with the same eight hex digits.
func alike() (first, second string) {
	seen := map[string]string{}
	for n := uint64(0); ; n++ {
		s := string(binary.BigEndian.AppendUint64(nil, n))
		if was, ok := seen[sha(s)[:8]]; ok {
			return was, s
		}
		seen[sha(s)[:8]] = s
	}
}

// Version 2.1: max_sql_rows bounds the rows of all results together (rule B-17).
func TestRowsOfAllResultsAreBounded(t *testing.T) {
	l := lake{"three": sqlOf(3, 1), "nine": sqlOf(9, 1), "none": sqlOf(0, 1)}
	tests := []struct {
		desc, results, policy string
		shown                 map[string]string // rows that are shown, by the end of the id
		out                   []string
	}{
		{
			desc: "what is left is sampled", policy: `"max_sql_rows":7`,
			results: `{"lake_uri":"three","query_key":"k"},{"lake_uri":"nine","query_key":"l"}`,
			shown:   map[string]string{"k": "r0 r1 r2", "l": "r0 r1 r7 r8"},
			out:     nil,
		},
		{
			desc: "stride over what is left", policy: `"max_sql_rows":6,"sampling_strategy":"stride"`,
			results: `{"lake_uri":"three","query_key":"k"},{"lake_uri":"nine","query_key":"l"}`,
			shown:   map[string]string{"k": "r0 r1 r2", "l": "r0 r3 r6"},
			out:     nil,
		},
		{
			desc: "nothing is left", policy: `"max_sql_rows":4`,
			results: `{"lake_uri":"nine","query_key":"k"},{"lake_uri":"three","query_key":"l"},{"lake_uri":"none","query_key":"m"}`,
			shown:   map[string]string{"k": "r0 r1 r7 r8", "m": ""},
			out:     []string{"l"},
		},
		{
			desc: "a duplicate takes no rows", policy: `"max_sql_rows":6`,
			results: `{"lake_uri":"three","query_key":"k"},{"lake_uri":"three","query_key":"k"},{"lake_uri":"three","query_key":"l"}`,
			shown:   map[string]string{"k": "r0 r1 r2", "l": "r0 r1 r2"},
			out:     []string{"k duplicate"},
		},
		{
			desc: "ranges end where the rows end", policy: `"max_sql_rows":6`,
			results: `{"lake_uri":"three","query_key":"k"},{"lake_uri":"nine","query_key":"l","rows_per_item":2}`,
			shown:   map[string]string{"k": "r0 r1 r2", "l:0-2": "r0 r1", "l:2-3": "r2"},
			out:     []string{"l:3-5", "l:5-7", "l:7-9"},
		},
		{
			desc: "one range less than asked for", policy: `"max_sql_rows":4`,
			results: `{"lake_uri":"nine","query_key":"k","rows_per_item":20}`,
			shown:   map[string]string{"k:0-4": "r0 r1 r2 r3"},
			out:     []string{"k:4-8", "k:8-9"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.desc, func(t *testing.T) {
			req := request(t, `{"evidence_refs":{"sql_results":[`+tt.results+`],"documents":[{"document_id":"d","text":"after"}]},"policy":{`+tt.policy+`}}`)
			made, err := bundle.BuildAs("2.1", &req, noon, l.load, nil)
			require.NoError(t, err)
			got := made.Bundle
			named := func(id string) string {
				for _, k := range []string{"k", "l", "m"} {
					id = strings.Replace(id, "sql:"+sha(k)[:12]+":0", k, 1)
				}
				return id
			}
			sum := 0
			for _, it := range got.Items[:len(got.Items)-1] {
				_, rows, _ := strings.Cut(it.Content, "--\n")
				var cells []string
				for _, cell := range strings.Fields(rows) {
					if strings.HasSuffix(cell, "c0") {
						cells = append(cells, strings.TrimSuffix(cell, "c0"))
					}
				}
				require.Equal(t, tt.shown[named(it.EvidenceID)], strings.Join(cells, " "), it.EvidenceID)
				require.Len(t, cells, it.Metadata.Sampling.RowsShown)
				require.Equal(t, it.Metadata.Sampling.RowsLeftOut > 0, it.FullRef != nil)
				sum += len(cells)
			}
			require.Len(t, got.Items, len(tt.shown)+1)
			require.LessOrEqual(t, sum, got.Policy.MaxSQLRows)
			require.Equal(t, "doc_chunk", got.Items[len(got.Items)-1].EvidenceType, "what comes after is not dropped")
			var out []string
			for _, d := range got.DroppedItems {
				require.NotZero(t, d.ByteCount)
				out = append(out, strings.TrimSuffix(named(d.EvidenceID)+" "+d.Reason, " max_sql_rows"))
			}
			require.Equal(t, tt.out, out)
		})
	}
}

// The text of a range says how many rows of its result are in no item.
func TestRangesTellWhatIsLeftOut(t *testing.T) {
	req := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k","rows_per_item":2}]},"policy":{"max_sql_rows":2}}`)
	got := build(t, req, lake{"s": sqlOf(5, 1)}).Bundle
	require.Contains(t, got.Items[0].Content, "shown: rows 0-2 (end exclusive); 3 rows left out; the others are items of their own\n")
	require.Equal(t, 3, got.Items[0].Metadata.Sampling.RowsLeftOut)
}

// Version 2.2: max_sql_rows bounds each result, so that the second of two long ones is there (rule B-2).
func TestRowsOfEachResultAreBounded(t *testing.T) {
	l := lake{"a": sqlOf(9, 1), "b": sqlOf(9, 3)}
	req := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"a","query_key":"k"},
		{"lake_uri":"b","query_key":"l"},{"lake_uri":"b","query_key":"m","rows_per_item":3}]},
		"policy":{"max_sql_rows":4,"max_sql_cols":2}}`)
	got := build(t, req, l).Bundle
	l2, m := "sql:"+sha("l")[:12]+":0", "sql:"+sha("m")[:12]+":0"
	require.Equal(t, []string{"sql:" + sha("k")[:12] + ":0", l2, m + ":0-3", m + ":3-4"}, ids(got))
	for i, note := range []string{"Shows 4 of 9 rows and 1 of 1 columns", "Shows 4 of 9 rows and 2 of 3 columns"} {
		b := got.Items[i].Metadata.Bounding
		require.True(t, b.Applied, "whoever reads the bounding alone knows that rows are left out (rule B-6)")
		require.Equal(t, note, b.Note)
		require.Nil(t, b.TruncationPoint)
		require.Equal(t, b.OriginalSize, b.BoundedSize)
	}
	require.Len(t, got.DroppedItems, 2)
	require.Equal(t, "max_sql_rows", got.DroppedItems[0].Reason)
	whole := request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"a","query_key":"k"}]}}`)
	require.False(t, build(t, whole, l).Bundle.Items[0].Metadata.Bounding.Applied)
}

// Responses are read as they went over the wire, with the same text as in JSON (rule B-15).
func TestResponseFromTheWire(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/plain\r\nSet-Cookie: id=1\r\n"
	same := `{"status":"HTTP/1.1 200 OK","headers":{"Server":"x","Content-Type":"text/plain","Set-Cookie":"id=1"},"body":"Leave is 15 days."}`
	tests := map[string]struct{ stored, reason string }{
		"body":            {stored: head + "\r\nLeave is 15 days."},
		"lines end in LF": {stored: strings.ReplaceAll(head, "\r", "") + "\nLeave is 15 days."},
		"chunked": {
			stored: head + "Transfer-Encoding: chunked\r\n\r\n9\r\nLeave is \r\n8;x=y\r\n15 days.\r\n0\r\nTrailer: a\r\n\r\n",
		},
		"chunk cut off":    {stored: head + "Transfer-Encoding: chunked\r\n\r\nff\r\nLeave", reason: "reason_http_chunks"},
		"huge chunk":       {stored: head + "Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\nx", reason: "reason_http_chunks"},
		"compressed":       {stored: head + "Content-Encoding: gzip\r\n\r\n\x1f\x8b", reason: "reason_http_coding"},
		"no end of header": {stored: head, reason: "reason_headers"},
		"no header":        {stored: "HTTP/1.1 200 OK\r\nno header\r\n\r\n", reason: "reason_headers"},
		"no status":        {stored: "HTTP/1.1\r\n\r\n", reason: "reason_status"},
		"neither":          {stored: "GET / HTTP/1.1\r\n\r\n", reason: "reason_http"},
	}
	for desc, tt := range tests {
		t.Run(desc, func(t *testing.T) {
			req := request(t, `{"evidence_refs":{"lake_http":["r","json"]}}`)
			got := build(t, req, lake{"r": tt.stored, "json": same}).Bundle
			if tt.reason != "" {
				require.Len(t, got.FailedSources, 1)
				require.Equal(t, tt.reason, got.FailedSources[0].Said.ID)
				return
			}
			require.Len(t, got.Items, 2)
			text := strings.Replace(got.Items[0].Content, "Transfer-Encoding: chunked\n", "", 1)
			require.Equal(t, got.Items[1].Content, text)
			require.Equal(t, []string{"Set-Cookie"}, got.Items[0].Metadata.HTTP.MaskedHeaders)
		})
	}
	old, err := bundle.BuildAs("2.1", ptr(request(t, `{"evidence_refs":{"lake_http":["r"]}}`)), noon,
		lake{"r": tests["body"].stored}.load, nil)
	require.NoError(t, err)
	require.Empty(t, old.Bundle.Items, "2.1 still builds what it built (rule B-17)")
}

func ptr[T any](v T) *T { return &v }
