package importers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// samples returns the names of the sample files; we wrote them from the documented formats of the providers.
func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.json*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func sampleFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// readSample returns the sessions of a sample.
func readSample(t testing.TB, name string) *batch {
	t.Helper()
	b, err := readAll(sampleFile(t, "testdata/"+name), Options{})
	require.NoError(t, err, name)
	return b
}

func TestForeignSamples(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range foreignCases {
		t.Run(c.file, func(t *testing.T) {
			seen["testdata/"+c.file] = true
			b := readSample(t, c.file)
			var got []took
			var warnings []string
			for _, r := range b.Results {
				x := took{claims: len(r.Session.Claims), documents: len(r.Session.Documents), placed: r.Placed}
				for i := range r.Session.Claims {
					x.cited += min(1, len(r.Session.Claims[i].Citations))
				}
				got = append(got, x)
				require.Equal(t, c.format, r.Format)
				require.Equal(t, c.format, r.Session.Format)
				for _, w := range r.Warnings {
					warnings = append(warnings, w.Path+": "+w.Msg)
				}
			}
			require.Equal(t, c.sessions, got)
			var refused []string
			for _, e := range b.Refused {
				tidy(t, e)
				refused = append(refused, e.Path)
			}
			require.Equal(t, c.refused, refused)
			require.Contains(t, strings.Join(warnings, "\n"), c.warns)
		})
	}
	for _, name := range samples(t) {
		require.True(t, seen[name] || name == "testdata/intoto/alone.json" ||
			name == "testdata/langchain/documents.json", "no case reads %s", name)
	}
}

// TestForeignRoundTrip checks that every sample, judged and resolved, is exported and read back as the same session,
// and that reading is deterministic.
func TestForeignRoundTrip(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range foreignCases {
		for i, r := range readSample(t, c.file).Results {
			for range 5 {
				require.Equal(t, r, readSample(t, c.file).Results[i], c.file)
			}
			s := &r.Session
			judge.Run(s, judge.NewLexical(), at)
			s.ResolveCitations(nil)
			for j := range s.Claims {
				for _, x := range s.Claims[j].Citations {
					require.Equal(t, ledger.Resolved, x.Status, c.file)
				}
			}
			file := exported(t, s)
			back, err := Read(file, Options{})
			require.NoError(t, err, c.file)
			s.SetImported()
			copyStore(s, &back.Session)
			require.Equal(t, string(exported(t, s)), string(exported(t, &back.Session)), c.file)
			require.Equal(t, s.Digest, back.Session.Digest, c.file)
		}
	}
}

// upstreamOf returns the stored upstream record of a claim.
func upstreamOf(t *testing.T, r *Result, claim int) (out struct {
	Verdict   ledger.Verdict
	Label     string
	Reason    string
	Citations []struct{ Kind, Placed, Words, Document_id, Chunk_id string }
	Labels    []struct {
		Placed                   string
		Answer_start, Answer_end int
	}
}) {
	t.Helper()
	if raw, ok := r.Session.Extra[at("claims", claim, "upstream")]; ok {
		require.NoError(t, json.Unmarshal(raw, &out))
	}
	return out
}

// TestAnthropicKinds checks how each of Anthropic's five kinds of citation is placed.
func TestAnthropicKinds(t *testing.T) {
	r := readSample(t, "anthropic/en.json").Results[0]
	for i, want := range [][2]string{
		// a PDF's text is not in the request
		{"char_location", "exact"}, {"content_block_location", "exact"}, {"page_location", "not_placed"},
		{"search_result_location", "exact"}, {"web_search_result_location", "not_placed"},
	} {
		got := upstreamOf(t, r, i).Citations
		require.Len(t, got, 1)
		require.Equal(t, want, [2]string{got[0].Kind, got[0].Placed})
	}
	page := r.Session.Documents[2]
	require.Equal(t, "Handbook.pdf", page.Title)
	require.Equal(t, 7, page.Chunks[0].Page)
	require.Equal(t, "https://law.example/leave", r.Session.Documents[4].URI)
	var placed []string
	for _, c := range upstreamOf(t, readSample(t, "anthropic/damaged.json").Results[0], 0).Citations {
		placed = append(placed, c.Placed)
	}
	require.Equal(t, []string{"exact", "normalised", "fuzzy", "not_placed", "not_placed", "not_placed"}, placed)
}

// TestUpstreamVerdicts checks that verdicts of the file are stored as the upstream's, apart from the judge's.
func TestUpstreamVerdicts(t *testing.T) {
	for _, c := range []struct {
		file    string
		session int
		want    []string // verdict and label of each claim
	}{
		{"ragas/row.json", 0, []string{"supported 1", "not_found 0"}},
		{"ragtruth/rows.jsonl", 0,
			[]string{"contradicted Evident Conflict", "not_found Evident Baseless Info", "weak Subtle Baseless Info"}},
		{"lettucedetect/row.json", 0, []string{"contradicted contradiction", "not_found baseless", " "}},
		{"refchecker/rows.json", 0, []string{"contradicted Contradiction, Neutral", "not_found Neutral, Neutral"}},
		{"refchecker/rows.json", 1, []string{"supported Entailment"}},
		{"loki/report.json", 0, []string{"contradicted 0", "not_found No evidence found.", "weak 0.5"}},
		{"safe/facts.jsonl", 0, []string{"not_found Not Supported", "supported Supported", " Irrelevant"}},
		{"deepeval/case.json", 0, []string{"contradicted no", "not_found idk"}},
	} {
		r := readSample(t, c.file).Results[c.session]
		var got []string
		for i := range r.Session.Claims {
			u := upstreamOf(t, r, i)
			got = append(got, string(u.Verdict)+" "+u.Label)
			require.False(t, r.Session.Claims[i].Given, "the upstream's verdict was taken as given matches")
		}
		require.Equal(t, c.want, got, c.file)
	}
}

// TestUpstreamScores checks that scores of the whole answer are stored with the session.
func TestUpstreamScores(t *testing.T) {
	for file, want := range map[string]string{
		"openinference/trace.json": `[{"name":"faithfulness","value":0.5,"label":"unfaithful","note":"one of two"}]`,
		"otel/genai.json":          `[{"name":"groundedness","value":0.8,"label":"pass","note":"ok"}]`,
		"langfuse/trace.json": `[{"name":"faithfulness","value":0.4,"note":"half"},{"name":"tone","value":1,` +
			`"label":"good"}]`,
		"ragas/row.json": `[{"name":"faithfulness","value":0.5}]`,
		"deepeval/case.json": `[{"name":"tools called","label":"search"},{"name":"tools expected","label":"calc, ` +
			`search"}]`,
		"vercel/message.json": `[{"name":"approval: search","label":"approved","note":"ok"}]`,
	} {
		var got struct{ Scores json.RawMessage }
		require.NoError(t, json.Unmarshal(readSample(t, file).Results[0].Session.Extra["session.upstream"], &got))
		require.JSONEq(t, want, string(got.Scores), file)
	}
}

// TestForeignRefuses checks that input close to a format is refused with what was expected and the first wrong field.
func TestForeignRefuses(t *testing.T) {
	for _, c := range []struct {
		name, in string
		kind     domain.Kind
		path     string
		says     string
	}{
		{name: "unknown shape", in: `{"foo":1}`, kind: domain.Unsupported, path: "format", says: "Ragas"},
		{name: "unknown list", in: `[{"foo":1}]`, kind: domain.Unsupported, path: "format", says: "LettuceDetect"},
		{name: "list of texts", in: `["a"]`, kind: domain.Invalid, says: "send an object"},
		{
			name: "Ragas without response", in: `{"user_input":"q","retrieved_contexts":["a"]}`,
			kind: domain.Unsupported, path: "response", says: "This looks like Ragas rows, but the field is not there.",
		},
		{
			name: "RefChecker without reference", in: `{"response":"a b.","claims":[],"ys":[]}`,
			kind: domain.Unsupported, path: "reference", says: "RefChecker rows",
		},
		{
			name: "Ragas contexts a text", in: `{"user_input":"q","retrieved_contexts":"a","response":"b"}`,
			kind: domain.Invalid, path: "retrieved_contexts", says: "give a list",
		},
		{
			name: "Ragas context a number",
			in:   `{"user_input":"q","retrieved_contexts":["a",7],"response":"b"}`, kind: domain.Invalid,
			path: "retrieved_contexts[1]", says: "double quotes",
		},
		{
			name: "Anthropic offset a text",
			in: `{"role":"assistant","content":[{"type":"text","text":"a","citations":[{"type":"char_location",` +
				`"start_char_index":"5"}]}]}`,
			kind: domain.Invalid, path: "content[0].citations[0].start_char_index", says: "whole number",
		},
		{
			name: "Anthropic citation a text",
			in:   `{"role":"assistant","content":[{"type":"text","text":"a","citations":["x"]}]}`,
			kind: domain.Invalid, path: "content[0].citations[0]", says: "give an object",
		},
		{
			name: "no answer", in: `{"object":"response","output":[]}`, kind: domain.Invalid, path: "output",
			says: "no answer",
		},
		{
			name: "nothing checkable",
			in:   `{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"Hello!"}]}]}`,
			kind: domain.Invalid, path: "output", says: "No checkable statement",
		},
		{
			name: "OpenAI index a fraction",
			in: `{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"x",` +
				`"annotations":[{"type":"url_citation","start_index":1.5}]}]}]}`,
			kind: domain.Invalid, path: "output[0].content[0].annotations[0].start_index",
			says: "whole number",
		},
		{name: "spans without an answer", in: `{"resourceSpans":[]}`, kind: domain.Invalid, says: "no session"},
		{
			name: "attribute value a list",
			in:   `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":[]}]}]}]}]}`,
			kind: domain.Invalid, path: "resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value",
			says: "give an object",
		},
		{
			name: "several sessions",
			in:   `{"user_input":"q","response":"It is 5."}` + "\n" + `{"user_input":"r","response":"It is 6."}`,
			kind: domain.Invalid, says: "This file of Ragas rows contains 2 sessions, but",
		},
		{
			name: "second line broken",
			in:   `{"user_input":"q","response":"It is 5."}` + "\n" + `{"user_input":"r"`, kind: domain.Invalid,
			says: "Line 2",
		},
		{
			name: "no in-toto statement",
			in:   `{"answer":"It is 5.","statements":[{"predicateType":"x","_type":"y"}]}`, kind: domain.Invalid,
			path: "statements[0]._type", says: "in-toto",
		},
		{
			name: "statement alone", in: string(sampleFile(t, "testdata/intoto/alone.json")),
			kind: domain.Invalid, path: "answer", says: "no answer",
		},
		{
			name: "documents alone", in: string(sampleFile(t, "testdata/langchain/documents.json")),
			kind: domain.Invalid, path: "answer", says: "beside its sources",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read([]byte(c.in), Options{})
			tidy(t, err)
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind, err)
			require.Equal(t, c.path, e.Path, err)
			require.Contains(t, e.Text(), c.says)
			require.NotRegexp(t, `\b(rows|spans)\b`, words.In("ar").Plain(e.Message))
			require.LessOrEqual(t, len(e.Text()), 400)
		})
	}
}

// TestOwnRows checks that our own sessions may also come as JSONL or a list, and that a bad line is refused alone.
func TestOwnRows(t *testing.T) {
	line := strings.ReplaceAll(valid, "\n", " ")
	other := strings.Replace(line, "The fee is 5 euros.", "The fee is 6 euros.", 1)
	for _, in := range []string{line + "\n" + other + "\n" + session(`{"answer":5}`),
		"[" + line + "," + other + "," + session(`{"answer":5}`) + "]"} {
		b, err := readAll([]byte(in), Options{})
		require.NoError(t, err)
		require.Len(t, b.Results, 2)
		require.Equal(t, read(t, line).Session.Digest, b.Results[0].Session.Digest)
		require.Len(t, b.Refused, 1)
		require.Equal(t, "[2].session.answer", b.Refused[0].Path)
	}
	_, err := readAll([]byte(session(`{"answer":5}`)+session(`{"answer":6}`)), Options{})
	tidy(t, err)
}

// TestForeignLimits checks that the limits of an import apply to providers' files too.
func TestForeignLimits(t *testing.T) {
	long := strings.Repeat("It is five. ", 20)
	for _, c := range []struct {
		name, in, path string
	}{
		{"answer", `{"user_input":"q","response":"` + long + `"}`, "response"},
		{"documents", `{"user_input":"q","response":"It is five.","retrieved_contexts":["a","b","c"]}`,
			"retrieved_contexts[2]"},
		{"document", `{"user_input":"q","response":"It is five.","retrieved_contexts":["` + long + `"]}`,
			"retrieved_contexts[0]"},
		{"claims", `{"user_input":"q","response":"The fee is 5 euros. The tax is 6 euros. The rent is 7 euros."}`,
			"response"},
		{"chunks", `{"query":"q","answer":"It is five.","context":[{"page_content":"a","metadata":{"source":"s"}},` +
			`{"page_content":"b","metadata":{"source":"s"}},{"page_content":"c","metadata":{"source":"s"}},` +
			`{"page_content":"d","metadata":{"source":"s"}}]}`, "context[0]"},
	} {
		_, err := Read([]byte(c.in), small)
		require.Equal(t, domain.TooLarge, domain.KindOf(err), c.name)
		var e *domain.Error
		require.ErrorAs(t, err, &e, c.name)
		require.Equal(t, c.path, e.Path, c.name)
	}
	r, err := Read(sampleFile(t, "testdata/ragas/row.json"), Options{UnknownBytes: 120})
	require.NoError(t, err)
	require.Contains(t, r.Warnings[len(r.Warnings)-1].Msg, "too many details")
}
