package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/redact"
	"sanad/internal/words"
)

// one builds the bundle of a request and returns its only item.
func one(t *testing.T, src string, l lake) bundle.Item {
	t.Helper()
	got := build(t, request(t, src), l).Bundle
	require.Empty(t, got.FailedSources)
	require.Len(t, got.Items, 1)
	return got.Items[0]
}

func TestHTTP(t *testing.T) {
	req, l := everything(t)
	it := build(t, req, l).Bundle.Items[3]
	require.Equal(t, "HTTP 200\nA: 2\nauthorization: [REDACTED:header]\nB: 1\nContent-Type: text/html\nSet-Cookie: [REDACTED:header]\nSet-Cookie: [REDACTED:header]\n\n<p>hi</p>", it.Content)
	require.Equal(t, &bundle.HTTPMeta{Status: 200, MaskedHeaders: []string{"authorization", "Set-Cookie"}},
		it.Metadata.HTTP)

	tests := []struct{ desc, artifact, want string }{
		{"pairs", `{"status":"HTTP/1.1 404 Not Found","headers":[["X-A","1"],["Cookie","s"]],"body":null}`,
			"HTTP/1.1 404 Not Found\nCookie: [REDACTED:header]\nX-A: 1\n\n"},
		{"no headers, JSON body", `{"status":"204 No Content","body":{"a": [1.10, "ب"]}}`,
			"HTTP 204 No Content\n\n{\"a\":[1.10,\"ب\"]}"},
		{"a header cannot make lines", `{"status":200,"headers":{"A":"1\r\nB: 2"},"body":""}`,
			"HTTP 200\nA: 1  B: 2\n\n"},
	}
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key",
		"api_key", "X-Auth-Token", "X-Amz-Security-Token", "X-CSRF-Token", "X-Session-Id", "Client-Secret"} {
		tests = append(tests, struct{ desc, artifact, want string }{name,
			fmt.Sprintf(`{"status":200,"headers":{%q:"s3cr3t"}}`, name),
			"HTTP 200\n" + name + ": [REDACTED:header]\n\n"})
	}
	for _, tt := range tests {
		t.Run(tt.desc, func(t *testing.T) {
			require.Equal(t, tt.want, one(t, `{"evidence_refs":{"lake_http":["r"]}}`, lake{"r": tt.artifact}).Content)
		})
	}

	long := one(t, `{"evidence_refs":{"lake_http":["r"]},"policy":{"max_item_bytes":100}}`,
		lake{"r": fmt.Sprintf(`{"status":200,"body":%q}`, strings.Repeat("ن", 500))})
	require.True(t, strings.HasPrefix(long.Content, "HTTP 200\n\nن"))
	require.True(t, long.Metadata.Bounding.Applied)
	require.Equal(t, "r", long.FullRef.LakeURI)
}

func TestSQLTable(t *testing.T) {
	it := one(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k"}]}}`,
		lake{"s": `{"columns":["id","الاسم","note"],"rows":[
		[1,"سلمان",null],[12345678901234567890.10,"a|b","NULL"],[-1e400,"two\nlines",true],["",[1, 2],{"a":1}]]}`})
	require.Equal(t, "query: k\n4 rows, 3 columns\n\n"+
		"id                      | الاسم      | note\n"+
		"----------------------- | ---------- | -------\n"+
		"1                       | سلمان      | NULL\n"+
		"12345678901234567890.10 | a\\|b       | \"NULL\"\n"+
		"-1e400                  | two\\nlines | true\n"+
		"                        | [1,2]      | {\"a\":1}\n", it.Content)
}

func TestSQLDefinitionIsTheQuery(t *testing.T) {
	it := one(t, `{"evidence_refs":{"sql_query_defs":[{"query_key":"k","sql":"select *\nfrom t"}]}}`, nil)
	require.Equal(t, "select *\nfrom t", it.Content)
	require.Equal(t, bundle.SourceRef{QueryKey: "k"}, it.SourceRef)
}

// Chunks are measured in bytes, overlap, split no letter and lose nothing.
func TestChunks(t *testing.T) {
	for _, text := range []string{strings.Repeat("abcdefghij", 100), strings.Repeat("نص عربي ", 100),
		strings.Repeat("😀", 90), "x"} {
		for _, size := range []int{4, 5, 7, 50, 5000} {
			for _, overlap := range []int{0, 1, 3, size / 2, size - 1} {
				req := request(t, `{}`)
				req.Refs.Documents = bundle.List[bundle.Document]{Items: []bundle.Document{{DocumentID: "d",
					Text: text}}}
				req.Policy = policy(func(p *bundle.Policy) {
					p.ChunkSize, p.ChunkOverlap, p.MaxItems, p.MaxTotalBytes = size, min(overlap,
						size-1), 100_000, 1<<20
				})
				got := build(t, req, nil).Bundle
				covered := 0
				for i, it := range got.Items {
					c := it.Metadata.Chunk
					require.Equal(t, i, c.Index)
					require.Equal(t, len(got.Items), c.Count)
					require.Equal(t, text[c.Start:c.End], it.Content)
					require.True(t, utf8.ValidString(it.Content))
					require.LessOrEqual(t, it.ByteCount, size)
					require.LessOrEqual(t, c.Start, covered, "no gap")
					require.Greater(t, c.End, covered, "each chunk has new text")
					covered = c.End
				}
				require.Equal(t, len(text), covered)
			}
		}
	}
	it := build(t, request(t, fmt.Sprintf(`{"evidence_refs":{"documents":[{"document_id":"d","text":%q}]}}`,
		strings.Repeat("0123456789", 1000))), nil).Bundle.Items
	require.Equal(t, &bundle.Chunk{Index: 1, Count: 3, Start: 4800, End: 9800}, it[1].Metadata.Chunk,
		"the default 5,000 and 200")
}

func TestTooManyChunksAreAFailedSource(t *testing.T) {
	req := request(t, `{"policy":{"chunk_size":4,"chunk_overlap":3}}`)
	req.Refs.Documents = bundle.List[bundle.Document]{Items: []bundle.Document{{DocumentID: "d",
		Text: strings.Repeat("x", 100_010)}}}
	got := build(t, req, nil).Bundle
	require.Empty(t, got.Items)
	require.Equal(t, "This would make more than 100000 chunks.", got.FailedSources[0].Reason)

	rows := `{"columns":[],"rows":[[]` + strings.Repeat(",[]", 100_000) + `]}`
	got = build(t, request(t, `{"evidence_refs":{"sql_results":[{"lake_uri":"s","query_key":"k","rows_per_item":1}]}}`), lake{"s": rows}).Bundle
	require.Empty(t, got.Items)
	require.Equal(t, "This would make more than 100000 items.", got.FailedSources[0].Reason)
}

func TestRedaction(t *testing.T) {
	src := `{"job_input":{"extra_params":{"evidence":[{"text":"Call 0551234567 or ٠٥٥١٢٣٤٥٦٨, a@b.com","source_uri":"mailto:x@y.org"},{"text":"nothing"}]}},
		"evidence_refs":{"lake_text":["l"],"lake_http":["h"],"sql_query_defs":[{"query_key":"q","sql":"select 1 where mail='a@b.com'"}],"sql_results":[{"lake_uri":"s","query_key":"q"}],
		"documents":[{"document_id":"d","text":"IBAN SA0380000000608010167519"}],"transcripts":[{"document_id":"t","text":"from 10.1.2.3"}]},"policy":{"enable_redaction":true}}`
	l := lake{"l": "رقم الهوية ١٠١٢٣٤٥٦٧٢",
		"h": `{"status":200,"headers":{"From":"a@b.com","Cookie":"x"},"body":"4111111111111111"}`,
		"s": `{"columns":["national_id","mobile","at"],"rows":[[1012345672,"551234567",1712345678]]}`}
	got := build(t, request(t, src), l).Bundle
	want := []string{"Call [REDACTED:phone] or [REDACTED:phone], [REDACTED:email]", "nothing",
		"رقم الهوية [REDACTED:national_id]",
		"HTTP 200\nCookie: [REDACTED:header]\nFrom: [REDACTED:email]\n\n[REDACTED:card]",
		"select 1 where mail='[REDACTED:email]'",
		"query: q\n1 rows, 3 columns\n\nnational_id            | mobile           | at\n---------------------- | ---------------- | ----------\n[REDACTED:national_id] | [REDACTED:phone] | 1712345678\n",
		"IBAN [REDACTED:iban]", "from [REDACTED:ipv4]"}
	for i, it := range got.Items {
		require.Equal(t, want[i], it.Content)
		require.Equal(t, sha(it.Content), it.ContentSHA256)
		require.Equal(t, "sanad-1", it.Metadata.Redaction.Profile)
		require.Equal(t, i != 1, it.Metadata.Redaction.Applied)
	}
	require.Equal(t, map[string]int{"phone": 2, "email": 1}, got.Items[0].Metadata.Redaction.Kinds)
	require.Equal(t, "mailto:[REDACTED:email]", got.Items[0].SourceRef.SourceURI)

	data, err := got.Bytes()
	require.NoError(t, err)
	for _, value := range []string{"0551234567", "a@b.com", "x@y.org", "1012345672", "4111111111111111",
		"SA0380000000608010167519", "10.1.2.3"} {
		require.NotContains(t, string(data), value)
	}
	off := build(t, request(t, strings.Replace(src, `"enable_redaction":true`, `"enable_redaction":false`, 1)),
		l).Bundle
	require.Contains(t, off.Items[0].Content, "a@b.com")
	require.Nil(t, off.Items[0].Metadata.Redaction)
}

// A text is redacted before it is cut, so that no half of a number is left, and before the whole is written to the
// lake.
func TestRedactionComesBeforeBounding(t *testing.T) {
	req := inline("tel 0551234567 and more")
	req.Policy = policy(func(p *bundle.Policy) { p.EnableRedaction, p.MaxItemBytes = true, 9 })
	got := build(t, req, nil)
	require.Equal(t, "tel [REDA", got.Bundle.Items[0].Content)
	require.Equal(t, "tel [REDACTED:phone] and more", string(got.Writes[0].Data))
}

func TestOwnPatternsOfTheTenant(t *testing.T) {
	red, err := redact.New([]redact.Pattern{{Kind: "mrn", Expr: `MRN\d+`}})
	require.NoError(t, err)
	req := inline("MRN١٢٣")
	req.Policy = policy(func(p *bundle.Policy) { p.EnableRedaction = true })
	got, err := bundle.Build(&req, noon, nil, red)
	require.NoError(t, err)
	require.Equal(t, "[REDACTED:mrn]", got.Bundle.Items[0].Content)
	require.Equal(t, red.Profile(), got.Bundle.Items[0].Metadata.Redaction.Profile)
}

// A source that cannot be used is recorded with its place, and the rest is built.
func TestFailedSources(t *testing.T) {
	req, l := everything(t)
	got := build(t, req, l).Bundle
	const refs = "evidence_refs."
	require.Equal(t, []bundle.Failed{
		bundle.Failure("job_input.extra_params.evidence[1]", "inline_text", bundle.SourceRef{SourceURI: "job_input"},
			words.Msg("reason_text")),
		bundle.Failure("job_input.extra_params.evidence[2]", "inline_text", bundle.SourceRef{}, words.Msg("reason_element")),
		bundle.Failure(refs+"lake_text[1]", "lake_text", bundle.SourceRef{LakeURI: "docs/none.md"},
			words.AsWritten("There is no such artifact.")),
		bundle.Failure(refs+"lake_text[2]", "lake_text", bundle.SourceRef{LakeURI: "../x"},
			words.Msg("refused_path_form")),
		bundle.Failure(refs+"lake_http[1]", "lake_http", bundle.SourceRef{LakeURI: "docs/bio.md"},
			words.Msg("reason_http")),
		bundle.Failure(refs+"lake_pdf", "", bundle.SourceRef{}, words.Msg("reason_kind")),
	}, got.FailedSources)
}

func TestFailuresByKind(t *testing.T) {
	l := lake{"list": "[1]", "norows": `{"columns":["a"]}`, "ragged": `{"columns":["a","b"],"rows":[[1,2],[3]]}`,
		"nostatus":   `{"headers":{},"body":"x"}`,
		"badheaders": `{"status":200,"headers":"x"}`, "binary": "\xff{\"status\":200}"}
	tests := []struct{ src, reason string }{
		{`{"lake_text":"docs/a"}`, "This is not a list."},
		{`{"lake_text":[null]}`, "This element is not in a supported form."},
		{`{"lake_text":[""]}`, "A path in the lake must have 1 to 1024 bytes of UTF-8."},
		{`{"sql_results":[{"lake_uri":"list"}]}`, "It needs a query_key, and its rows_per_item must not be negative."},
		{`{"sql_results":[{"lake_uri":"list","query_key":"k"}]}`,
			"This is not a readable JSON object with columns and rows."},
		{`{"sql_results":[{"lake_uri":"norows","query_key":"k"}]}`,
			"This is not a readable JSON object with columns and rows."},
		{`{"sql_results":[{"lake_uri":"ragged","query_key":"k"}]}`, "Row 1 has 1 cells for 2 columns."},
		{`{"sql_query_defs":[{"query_key":"k"}]}`, "There is no sql."},
		{`{"lake_http":["nostatus"]}`, "It has no status."},
		{`{"lake_http":["badheaders"]}`, "Its headers cannot be read."},
		{`{"lake_http":["binary"]}`, "This is not a readable JSON object with status, headers and body."},
		{`{"documents":[{"text":"x"}]}`, "There is no document_id."},
		{`{"documents":[{"document_id":"d"}]}`, "Either text or lake_uri is needed."},
		{`{"transcripts":[{"document_id":"d","text":"x","lake_uri":"y"}]}`, "Either text or lake_uri is needed."},
		{`{"transcripts":[{"document_id":"d","lake_uri":"none"}]}`, "There is no such artifact."},
	}
	for _, tt := range tests {
		got := build(t, request(t, `{"evidence_refs":`+tt.src+`}`), l).Bundle
		require.Empty(t, got.Items)
		require.Len(t, got.FailedSources, 1, tt.src)
		require.Equal(t, tt.reason, got.FailedSources[0].Reason, tt.src)
	}
}

// Errors that may only be logged do not appear in the bundle; a build whose context ended returns no bundle.
func TestLoadErrors(t *testing.T) {
	req := request(t, `{"evidence_refs":{"lake_text":["a"]}}`)
	for _, err := range []error{errors.New("open /srv/lake/secret: denied"),
		&domain.Error{Message: words.AsWritten("internal"), Err: errors.New("secret")}} {
		got, failed := bundle.Build(&req, noon, func(string) ([]byte, error) { return nil, err }, nil)
		require.NoError(t, failed)
		require.Equal(t, "It could not be read from the lake.", got.Bundle.FailedSources[0].Reason)
	}
	_, err := bundle.Build(&req, noon,
		func(string) ([]byte, error) { return nil, fmt.Errorf("load: %w", context.Canceled) }, nil)
	require.ErrorIs(t, err, context.Canceled)
	got, err := bundle.Build(&req, noon, nil, nil)
	require.NoError(t, err)
	require.Len(t, got.Bundle.FailedSources, 1)
}

func TestBrokenUTF8IsRepairedAndCounted(t *testing.T) {
	it := one(t, `{"evidence_refs":{"lake_text":["l"]}}`, lake{"l": "a\xff\xfeb\x80"})
	require.Equal(t, "a\uFFFDb\uFFFD", it.Content)
	require.Equal(t, 2, it.Metadata.Repaired)
	require.Equal(t, "lake:"+sha("a\xff\xfeb\x80")[:12]+":0", it.EvidenceID,
		"the id is computed from the artifact's bytes")
}

func TestEmptyArtifactsAreEvidence(t *testing.T) {
	got := build(t, request(t, `{"evidence_refs":{"lake_text":["l"],"documents":[{"document_id":"d","lake_uri":"l"}]}}`), lake{"l": ""}).Bundle
	require.Len(t, got.Items, 2)
	require.Zero(t, got.Summary.TotalBytes)
}

func TestCheckPath(t *testing.T) {
	for _, p := range []string{"a", "docs/a.md", "evidence/full/x.txt", "وثائق/نص.txt", "a..b/c", ".hidden"} {
		require.NoError(t, bundle.CheckPath(p), p)
	}
	for _, p := range []string{"", ".", "..", "../a", "a/../b", "a/..", "/etc/passwd", "a//b", "./a", "a/", `a\b`,
		"C:/x", "file:///x", "s3://b/k", "a\x00b", "a\nb", "a\u202eb", "a\xff", strings.Repeat("a", 1025)} {
		require.Equal(t, domain.Invalid, domain.KindOf(bundle.CheckPath(p)), p)
	}
}
