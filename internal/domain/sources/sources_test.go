package sources_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/sources"
	"sanad/internal/domain/text"
)

// input is the body of the API call, the form in which the examples are written.
type input struct {
	Candidates []sources.Candidate `json:"candidates"`
	Chunks     []sources.Chunk     `json:"evidence_chunks"`
	Options    sources.Options     `json:"options"`
}

func read(t testing.TB, s string) input {
	t.Helper()
	var in input
	require.NoError(t, json.Unmarshal([]byte(s), &in))
	return in
}

func pack(t testing.TB, s string) []sources.Item {
	t.Helper()
	in := read(t, s)
	return sources.Pack(in.Candidates, in.Chunks, in.Options)
}

func written(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// A request body, and the fields of each source that a rule is about (rules S-2 to S-7).
func TestRules(t *testing.T) {
	data, err := os.ReadFile("testdata/rules.json")
	require.NoError(t, err)
	var rules []struct {
		Desc string          `json:"desc"`
		In   json.RawMessage `json:"in"`
		Want json.RawMessage `json:"want"`
	}
	require.NoError(t, json.Unmarshal(data, &rules))
	require.Greater(t, len(rules), 20)
	for _, r := range rules {
		t.Run(r.Desc, func(t *testing.T) {
			items := pack(t, string(r.In))
			var got []map[string]any
			require.NoError(t, json.Unmarshal([]byte(written(t, items)), &got))
			var want []map[string]any
			require.NoError(t, json.Unmarshal(r.Want, &want))
			require.Len(t, got, len(want))
			for i := range want {
				for field, value := range want[i] {
					require.Contains(t, got[i], field)
					require.Equal(t, value, got[i][field], "sources[%d].%s", i, field)
				}
			}
		})
	}
}

// Every source has all fields; those that are unknown are null.
func TestFieldsOfASource(t *testing.T) {
	require.JSONEq(t, `[{"source_id":"a","kind":"custom","title":null,"url":null,"snippet":null,"snippet_from":"unknown",
		"score":null,"rank":1,"metadata":{}}]`, written(t, pack(t, `{"candidates":[{"item_id":"a"}]}`)))
	require.JSONEq(t, `[{"source_id":"a","kind":"jobs","title":"T","url":"https://example.org/a","snippet":"one","snippet_from":"chunk",
		"score":0.5,"rank":1,"metadata":{"year":2024}}]`,
		written(t, pack(t, `{"candidates":[{"item_id":"a","kind":"jobs","title":"T",
		"url":"https://example.org/a","summary":"s","score":0.5,"rank":9,"metadata":{"year":2024}}],"evidence_chunks":[{"item_id":"a","text":"one","score":1}]}`)))
}

func TestDefaultOptions(t *testing.T) {
	long := strings.Repeat("word ", 200)
	var candidates []sources.Candidate
	for i := range 9 {
		candidates = append(candidates, sources.Candidate{
			ItemID: string(rune('a' + i)), Content: long, Score: new(float64(i)),
		})
	}
	items := sources.Pack(candidates, nil, sources.Options{})
	require.Len(t, items, 6)
	require.Equal(t, "i", items[0].SourceID)
	// 359 code points and the ellipsis
	require.Equal(t, strings.TrimSpace(strings.Repeat("word ", 72))+"…", *items[0].Snippet)
	require.Nil(t, items[0].Snippets)
}

func TestInvalidInputYieldsAnEmptyList(t *testing.T) {
	for body, reason := range map[string]string{
		`{"candidates":[{"item_id":"a"},{"title":"no id"}]}`:                           "candidates[1].item_id",
		`{"candidates":[{"item_id":"a"}],"options":{"max_sources":-1}}`:                "options.max_sources",
		`{"candidates":[{"item_id":"a"}],"options":{"max_snippet_chars":-1}}`:          "options.max_snippet_chars",
		`{"candidates":[{"item_id":"a"}],"options":{"snippets_per_source":0}}`:         "options.snippets_per_source",
		`{"candidates":[{"item_id":"a"}],"options":{"order_by":"relevance"}}`:          "options.order_by",
		`{"candidates":[{"item_id":"a"}],"options":{"order_by":"SCORE","debug":true}}`: "options.order_by",
	} {
		in := read(t, body)
		items := sources.Pack(in.Candidates, in.Chunks, in.Options)
		require.NotNil(t, items)
		require.Empty(t, items, body)
		require.ErrorContains(t, sources.Check(in.Candidates, in.Options), reason)
		asked := in.Options.Debug
		in.Options.Debug = false
		require.Equal(t, `{"type":"rag.sources","payload":{"sources":[]}}`,
			written(t, sources.NewEvent(in.Candidates, in.Chunks, in.Options)))
		in.Options.Debug = true
		require.Contains(t, sources.NewEvent(in.Candidates, in.Chunks, in.Options).Payload.Debug.Reason, reason, asked)
	}
}

func TestDebugCounts(t *testing.T) {
	in := read(t, `{"candidates":[{"item_id":"a"},{"item_id":"b"},{"item_id":"a"},{"item_id":"c"}],
		"evidence_chunks":[{"item_id":"a","text":"x"},{"item_id":"z","text":"y"}],"options":{"max_sources":1,"debug":true}}`)
	require.Equal(t, &sources.Debug{Counts: &sources.Counts{
		Candidates: 4, Chunks: 2, RepeatedItems: 1, LeftOut: 2, ChunksOfNoneGiven: 1,
	}},
		sources.NewEvent(in.Candidates, in.Chunks, in.Options).Payload.Debug)
}

func TestRefusedHidesInternalText(t *testing.T) {
	require.Nil(t, sources.Refused(os.ErrNotExist, false).Payload.Debug)
	refused := written(t, sources.Refused(os.ErrNotExist, true))
	require.Equal(t, `{"type":"rag.sources","payload":{"sources":[],"debug":{"reason":"The input could not be read."}}}`, refused)
}

// No number or invalid text that JSON cannot represent gets through.
func TestValuesThatJSONCannotRepresent(t *testing.T) {
	items := sources.Pack([]sources.Candidate{
		{ItemID: "nan", Score: new(math.NaN())}, {ItemID: "inf", Score: new(math.Inf(1))},
		{ItemID: "b\xff", Score: new(0.1), Title: "t\xff", Summary: "s\xff\xfe", Metadata: map[string]json.RawMessage{
			"broken": json.RawMessage(`{`), "bytes": json.RawMessage("\"\xff\""), "k\xff": json.RawMessage(`1`),
			"none": nil, "ok": json.RawMessage(`1`)}},
	}, nil, sources.Options{})
	require.Equal(t, "b\uFFFD", items[0].SourceID)
	require.Equal(t, "s\uFFFD", *items[0].Snippet)
	require.Equal(t, map[string]json.RawMessage{"ok": json.RawMessage(`1`)}, items[0].Metadata)
	require.Equal(t, []string{"nan", "inf"}, []string{items[1].SourceID, items[2].SourceID})
	require.Nil(t, items[1].Score)
	require.Nil(t, items[2].Score)
	written(t, items)
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		desc, in string
		limit    int
		want     string
	}{
		{desc: "fits to the letter", in: "one two", limit: 7, want: "one two"},
		{desc: "at the end of a word, the ellipsis within", in: "one two three", limit: 8, want: "one two…"},
		{desc: "a word that would end under the ellipsis stays whole", in: "one two three", limit: 7, want: "one…"},
		{desc: "blanks before the ellipsis go", in: "one    two", limit: 8, want: "one…"},
		{desc: "a first word that is longer is cut", in: "extraordinary", limit: 6, want: "extra…"},
		{desc: "room for the ellipsis alone", in: "word", limit: 1, want: "…"},
		{desc: "outer blanks do not count", in: "  one two \n", limit: 7, want: "one two"},
		{desc: "inner lines stay", in: "one\ntwo three", limit: 9, want: "one\ntwo…"},
		{desc: "code points, not bytes", in: "إجازة سنوية مدفوعة", limit: 12, want: "إجازة سنوية…"},
		{desc: "no harakah is parted from its letter", in: "مُحَمَّد", limit: 5, want: "مُحَ…"},
		{desc: "nor a joined picture", in: "x👩\u200d👩\u200d👧 y", limit: 5, want: "x…"},
		{
			desc: "marks alone are cut all the same", in: strings.Repeat("\u064e", 9), limit: 4,
			want: strings.Repeat("\u064e", 3) + "…",
		},
		{desc: "a no-break space ends a word too", in: "one\u00a0two three", limit: 8, want: "one\u00a0two…"},
	} {
		items := sources.Pack([]sources.Candidate{{
			ItemID: "a", Summary: c.in,
		}}, nil, sources.Options{MaxSnippetChars: &c.limit})
		require.Equal(t, c.want, *items[0].Snippet, c.desc)
	}
}

func TestLargeContentIsLeftOut(t *testing.T) {
	huge := strings.Repeat("word ", 1_000_000)
	items := sources.Pack([]sources.Candidate{{ItemID: "a", Title: huge, URL: "https://example.org/" + huge,
		Content:  huge,
		Metadata: map[string]json.RawMessage{"note": json.RawMessage(`"` + huge + `"`)}}}, nil,
		sources.Options{MaxSnippetChars: new(1_000_000_000)})
	require.LessOrEqual(t, text.Len(*items[0].Title), sources.MaxTitle)
	require.LessOrEqual(t, text.Len(*items[0].Snippet), sources.MaxSnippetChars)
	require.Nil(t, items[0].URL)
	require.Less(t, len(written(t, items)), 12_000)
}

func TestUnsafeAddressesAreLeftOut(t *testing.T) {
	for url, kept := range map[string]bool{
		"https://example.org/a": true, "lake://tenant/a.txt": true, "/documents/1": true, "doc.pdf": true,
		"database:1":          true,
		"javascript:alert(1)": false, " JavaScript:alert(1)": false, "java\nscript:alert(1)": false,
		"\x01javascript:x":           false,
		"data:text/html;base64,AAAA": false, "vbscript:x": false, "  ": false,
	} {
		items := sources.Pack([]sources.Candidate{{ItemID: "a", URL: url}}, nil, sources.Options{})
		require.Equal(t, kept, items[0].URL != nil, "%q", url)
	}
}

func TestSafeSubset(t *testing.T) {
	keep := []string{"author", "year", "page", "source", "department", "lang", "category", "keywords", "monkey",
		"somebody", "compass", "published_at", "المؤلف", "id"}
	drop := []string{"content", "text", "embedding", "vector", "token", "password", "secret", "api_key", "API_KEY",
		"apiKey", "api-key", "ApiKey", "X-Api-Key",
		"access_token", "refreshToken", "client_secret", "page_content", "pageContent", "full_text", "raw_text",
		"dense_vector", "text_embeddings", "Authorization",
		"auth", "user.auth", "credentials", "private_key", "privateKey", "set-cookie", "db_pwd", "JWT", "html", "body",
		"p a s s w o r d", "ｐａｓｓｗｏｒｄ", "pass\u200bword",
		"كلمة المرور", "كلمة_السر", "context"}
	metadata := map[string]json.RawMessage{}
	for _, key := range append(keep, drop...) {
		metadata[key] = json.RawMessage(`"v"`)
	}
	got := sources.Pack([]sources.Candidate{{ItemID: "a", Metadata: metadata}}, nil, sources.Options{})[0].Metadata
	for _, key := range keep {
		require.Contains(t, got, key)
	}
	for _, key := range drop {
		require.NotContains(t, got, key)
	}
}

func TestAnchorsCiteTheChunk(t *testing.T) {
	chunk := strings.Repeat("Annual leave is 15 days. ", 40)
	items := sources.Pack([]sources.Candidate{{ItemID: "a"}},
		[]sources.Chunk{{ItemID: "a", Text: chunk, Score: new(0.9)}, {ItemID: "a", Text: "Short.", Score: new(0.8)}},
		sources.Options{SnippetsPerSource: new(2), MaxSnippetChars: new(40)})
	require.Equal(t, ledger.ChunkHash(chunk), *items[0].Snippets[0].ChunkHash,
		"of the whole chunk, not of what is shown")
	require.Equal(t, *items[0].Snippet, items[0].Snippets[0].Text)
	require.Len(t, ledger.Anchors("so [cite:"+*items[0].Snippets[1].ChunkHash+"]"), 1)
}

// Pack does not change its input and shares no memory with it.
func TestPackDoesNotChangeItsInput(t *testing.T) {
	in := read(t, full)
	before := written(t, in)
	items := sources.Pack(in.Candidates, in.Chunks, in.Options)
	*items[0].Score = -1
	items[0].Metadata["new"] = json.RawMessage(`1`)
	require.Equal(t, before, written(t, in))
}

func TestDeterminism(t *testing.T) {
	want := written(t, pack(t, full))
	for range 200 { // map iteration order differs each time
		require.Equal(t, want, written(t, pack(t, full)))
	}
}

const full = `{"candidates":[
	{"item_id":"b","score":0.5,"title":"B","metadata":{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"token":"x"}},
	{"item_id":"a","score":0.5,"summary":"sum"},{"item_id":"c","rank":1,"content":"con"},{"item_id":"b","score":0.1}],
	"evidence_chunks":[{"item_id":"b","text":"second","score":0.2},{"item_id":"b","text":"first","score":0.2},{"item_id":"b","text":"third"}],
	"options":{"snippets_per_source":3}}`
