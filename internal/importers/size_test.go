package importers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/strictjson"
)

// TestLocateManyClaims checks that claims in any order are found in a long answer within the budget, without a warning.
func TestLocateManyClaims(t *testing.T) {
	var answer strings.Builder
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&answer, "البند رقم %d يكلف %d يورو بالضبط. ", i, i*3)
	}
	b, l := newBuilder(Options{}), newLocator(answer.String())
	for i := n - 1; i >= 0; i-- { // in reverse order, so that none is after the last match
		words := fmt.Sprintf("البند رقم %d يكلف %d يورو", i, i*3)
		span := l.exact(words)
		require.NotNil(t, span, i)
		require.Equal(t, words, l.ruler.Slice(*span))
	}
	require.Nil(t, l.exact("nowhere"))
	require.Empty(t, b.warnings)
}

func TestLocateTakesTheNextPlace(t *testing.T) {
	gap := strings.Repeat("x", 2*ahead)
	l := newLocator("word" + gap + "word" + gap + "word" + gap)
	for _, want := range []int{0, 1, 2, 0, 1} {
		start := want * (4 + 2*ahead)
		require.Equal(t, text.Span{Start: start, End: start + 4}, *l.exact("word"))
	}
}

func TestLocateKeepsItsBudget(t *testing.T) {
	answer := strings.Repeat("ab", 500_000)
	b, l := newBuilder(Options{}), newLocator(answer)
	l.budget = 0 // else the tolerant search would find them
	found := 0
	for i := range 40 {
		l.from = len(answer)
		c := &ledger.Claim{Text: strings.Repeat("ba", i+1) + "b"}
		b.locate("claims[0]", c, l)
		if c.Span != nil {
			found++
		}
	}
	require.Greater(t, found, 5)
	require.Negative(t, min(l.room, l.budget))
	require.Len(t, b.warnings, 1)
	require.Contains(t, b.warnings[0].Msg, "to look for this one everywhere")
	l.from = 0
	require.NotNil(t, l.exact("ab"), "words that come next are found in spite of the spent budget")
}

// TestUnknownBytes checks that the unknown fields kept are limited in total, counting their names.
func TestUnknownBytes(t *testing.T) {
	const answer = `{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"documents":[],`
	half := strings.Repeat("x", 600_000)
	_ = read(t, answer+`"a":"`+half+`","b":[`+strings.Repeat(" ", 2<<20)+`]}`)
	for in, path := range map[string]string{
		answer + `"a":"` + half + `","b":{"k":"` + half + `"}}`:        "b",
		answer + `"a":["` + half + `","` + half + `"],"documents2":1}`: "a",
	} {
		_, err := Read([]byte(in), Options{})
		var e *domain.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, domain.TooLarge, e.Kind)
		require.Equal(t, path, e.Path)
		require.Contains(t, e.Text(), "1,048,576 bytes")
		require.Contains(t, e.Text(), "remove them")
		_, err = Read([]byte(in+"}"), Options{})
		require.ErrorIs(t, err, strictjson.ErrMalformed, "malformed JSON is reported before any limit")
	}
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf(`"%s%d":1`, strings.Repeat("k", 60_000), i))
	}
	_, err := Read([]byte(answer+strings.Join(many, ",")+"}"), Options{})
	require.Equal(t, domain.TooLarge, domain.KindOf(err), "the names of unknown fields count as well")

	s := judged(t)
	s.Extra = map[string]json.RawMessage{
		"a": json.RawMessage(`"` + half + `"`), "b": json.RawMessage(`"` + half + `"`),
	}
	_, err = Read(exported(t, s), Options{})
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, []any{domain.TooLarge, "sanad.extra.b"}, []any{e.Kind, e.Path})
}

// TestMalformedJSONIsReportedFirst checks that broken JSON is reported before an unknown format.
func TestMalformedJSONIsReportedFirst(t *testing.T) {
	for _, in := range []string{
		strings.Repeat("[", 65), strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 100_000), `[1,]`,
		`{"format":"ragas/v1","x":}`, `null x`, `"a`, `{"format":`,
		`{"format":"x","a":"\ud800"}`, "{\"format\":\"x\",\"a\":\"\xff\"}", "{\"x\":\"\\n\xc3\"}", "{\"x\":\"a\nb\"}",
		`{"x":{"a":1,"a":2}}`,
	} {
		_, err := Read([]byte(in), Options{})
		require.ErrorIs(t, err, strictjson.ErrMalformed, "%.40s: %v", in, err)
	}
}

// TestDigestByItemEqualsWhole checks that hashing item by item equals hashing the whole.
func TestDigestByItemEqualsWhole(t *testing.T) {
	empty := read(t, `{"format":"sanad.session/v1","session":{"answer":"a <b> c\u2028."},"documents":[],`+
		`"claims":[]}`).Session
	hostile := judged(t)
	strange := "a <b> & \"c\" \\u0041 \u2028\u2029 \x7f \x01\b\f\n\r\t / \ufffd é 😀 يومًا \u200f"
	small := 1e-7
	hostile.Documents[0].Title, hostile.Documents[0].SourceQuality = strange, &small
	hostile.Documents = append(hostile.Documents, ledger.Document{Key: strange, Position: len(hostile.Documents)})
	for i := range hostile.Documents[0].Chunks {
		hostile.Documents[0].Chunks[i].Text, hostile.Documents[0].Chunks[i].HeadingPath = strange, []string{"4",
			strange}
	}
	for i, figure := range []float64{math.Copysign(0, -1), 1e-7, 1e-6, 0.1 + 0.2, 1, 5e-324, 0.92} {
		c := ledger.Claim{
			Key: fmt.Sprint(i, strange), Text: strange, Position: len(hostile.Claims), Given: true,
			Span: &text.Span{Start: i, End: i + 2},
		}
		c.Matches = []ledger.Match{{
			Similarity: figure, Support: ledger.Full, Snippet: strange,
		}, {Similarity: figure, Contradicts: true, Support: ledger.None}}
		hostile.Claims = append(hostile.Claims, c)
	}
	for _, s := range []*ledger.Session{judged(t), &empty, hostile} {
		whole := map[string]any{}
		data, err := json.Marshal(canonicalHead{Format: SessionFormat, Extra: s.Extra, Session: canonicalSession{
			ExternalID: s.ExternalID, Title: s.Title, Query: s.Query, Mode: s.Mode, Answer: s.Answer, Lang: s.Lang,
			Model: s.Model, ModelVersion: s.ModelVersion, TraceID: s.TraceID, DecisionID: s.DecisionID,
		}})
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &whole))
		var documents []any
		for i := range s.Documents {
			d, chunks := &s.Documents[i], []canonicalChunk{}
			for j := range d.Chunks {
				c := &d.Chunks[j]
				chunks = append(chunks, canonicalChunk{
					HeadingPath: c.HeadingPath, ID: c.Key, Page: c.Page, Span: spanLike(c.Span), Text: c.Text,
				})
			}
			documents = append(documents, struct {
				canonicalDocument
				Chunks []canonicalChunk `json:"chunks"`
			}{canonicalDocument{
				Filename: d.Filename, ID: d.Key, Lang: d.Lang, PublishedAt: d.PublishedAt,
				SourceQuality: d.SourceQuality, Supersedes: d.Supersedes, Title: d.Title, URI: d.URI,
				ValidUntil: d.ValidUntil,
			}, chunks})
		}
		var claims []canonicalClaim
		for i := range s.Claims {
			claims = append(claims, canonicalOf(s, &s.Claims[i]))
		}
		whole["documents"], whole["claims"] = documents, claims
		data, err = json.Marshal(whole)
		require.NoError(t, err)
		data, err = jcs.Transform(data)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		require.Equal(t, hex.EncodeToString(sum[:]), Digest(s))
	}
}

// TestMemoryOfALargeImport checks that a large import allocates a small multiple of the input in total.
func TestMemoryOfALargeImport(t *testing.T) {
	var docs []string
	for i := range 4 {
		docs = append(docs, fmt.Sprintf(`{"id":"d%d","text":%q}`, i,
			strings.Repeat("The fee is five euros and a half. ", 100_000)))
	}
	refused := []byte(`{"format":"ragas/v1","documents":[` + strings.Join(docs, ",") + `]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(refused, Options{})
	runtime.ReadMemStats(&after)
	require.Equal(t, domain.Unsupported, domain.KindOf(err))
	require.Less(t, float64(after.TotalAlloc-before.TotalAlloc), 1.2*float64(len(refused)),
		"telling the format copies the input once")

	unknown := []byte(`{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"x":[` +
		strings.Join(docs, ",") + `]}`)
	runtime.ReadMemStats(&before)
	_, err = Read(unknown, Options{})
	runtime.ReadMemStats(&after)
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
	require.Less(t, float64(after.TotalAlloc-before.TotalAlloc), 1.4*float64(len(unknown)))
}

func TestNamesAreOneLine(t *testing.T) {
	r := read(t, `{"format":"sanad.session/v1","session":{"title":" Two\n lines\t","answer":"The fee is 5 euros."},"documents":[
		{"id":"a\nb","title":"A\r\nB\u2028C","text":"x"},{"filename":"a\nb.pdf","text":"y"},{"filename":"a\u202eb","text":"z"}]}`)
	s := &r.Session
	require.Equal(t, "Two lines", s.Title)
	require.Equal(t, []string{"A B C", "A B C", "a b.pdf", "ab"},
		[]string{s.Documents[0].Title, s.Documents[0].Filename, s.Documents[1].Filename, s.Documents[2].Filename})
	require.Len(t, r.Warnings, 1)
	require.Equal(t, "documents[2].filename", r.Warnings[0].Path)
}
