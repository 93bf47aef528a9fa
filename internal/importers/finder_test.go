package importers

import (
	"encoding/json"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// The text at the given offsets counts, in whichever unit it matches; otherwise the words are searched for.
func TestWordsPlace(t *testing.T) {
	const s = "🙂 مدة الإجازة ١٥ يوماً. Leave is 15 days. Leave is 15 days. Last."
	first, second := 24, 42 // code points of "Leave"
	u16 := func(cp int) int { return len(utf16.Encode([]rune(s)[:cp])) }
	u8 := func(cp int) int { return len(string([]rune(s)[:cp])) }
	n := func(i int) *int { return &i }
	const leave = "Leave is 15 days."
	for _, c := range []struct {
		name string
		q    quoted
		kind text.PlacementKind
		at   int // where it begins
	}{
		{
			name: "code points", q: quoted{words: leave, from: n(second), to: n(second + 17)},
			kind: text.Exact, at: second,
		},
		{
			name: "the last character for the end",
			q:    quoted{words: leave, from: n(second), to: n(second + 16)}, kind: text.Exact, at: second,
		},
		{
			name: "UTF-16 units, not told",
			q:    quoted{words: leave, from: n(u16(second)), to: n(u16(second + 17))}, kind: text.Exact,
			at: second,
		},
		{
			name: "UTF-8 bytes, not told",
			q:    quoted{words: leave, from: n(u8(second)), to: n(u8(second + 17))}, kind: text.Exact, at: second,
		},
		{
			name: "UTF-8 bytes",
			q:    quoted{words: leave, from: n(u8(second)), to: n(u8(second + 17)), in: utf8Bytes},
			kind: text.Exact, at: second,
		},
		{
			name: "bytes inside a character", q: quoted{words: leave, from: n(1), to: n(18), in: utf8Bytes},
			kind: text.Exact, at: first,
		},
		{name: "no numbers: the first place", q: quoted{words: leave}, kind: text.Exact, at: first},
		{
			name: "a start alone: the nearest place", q: quoted{words: leave, from: n(second + 2)},
			kind: text.Exact, at: second,
		},
		{
			name: "wrong numbers: the nearest place",
			q:    quoted{words: leave, from: n(second - 3), to: n(second + 5)}, kind: text.Exact, at: second,
		},
		{
			name: "numbers far outside", q: quoted{words: leave, from: n(1 << 40), to: n(1 << 41)},
			kind: text.Exact, at: second,
		},
		{name: "numbers below 0", q: quoted{words: leave, from: n(-5), to: n(3)}, kind: text.Exact, at: first},
		{name: "numbers turned round", q: quoted{words: leave, from: n(30), to: n(3)}, kind: text.Exact, at: first},
		{
			name: "white space around the words",
			q:    quoted{words: " " + leave + "\n", from: n(second), to: n(second + 17)}, kind: text.Exact,
			at: second,
		},
		{
			name: "normalised at the numbers",
			q:    quoted{words: "LEAVE  is 15 days.", from: n(second), to: n(second + 17)}, kind: text.Normalised,
			at: second,
		},
		{name: "normalised somewhere", q: quoted{words: "مدة الاجازة 15 يوما"}, kind: text.Normalised, at: 2},
		{
			name: "right numbers, other words",
			q:    quoted{words: "Leave is 16 days.", from: n(second), to: n(second + 17)}, kind: text.NotPlaced,
		},
		{name: "no words", q: quoted{words: " ", from: n(0), to: n(4)}, kind: text.NotPlaced},
	} {
		got := newFinder(s, newSpend()).place(c.q)
		require.Equal(t, c.kind, got.Kind, c.name)
		require.Equal(t, c.at, got.Span.Start, c.name)
		if c.kind == text.Exact {
			require.Equal(t, leave, text.Slice(s, got.Span), c.name)
		}
	}
	spent := newFinder(s, &spend{})
	require.Equal(t, text.NotPlaced, spent.place(quoted{words: leave}).Kind, "no budget is left for a search")
	require.Equal(t, text.Exact, spent.place(quoted{
		words: leave, from: n(first), to: n(first + 17),
	}).Kind, "a place given by offsets costs no budget")
}

// placedRecord is a markRecord as decoded from its JSON.
type placedRecord struct {
	Kind        string
	Placed      text.PlacementKind
	Words       string
	DocumentID  string `json:"document_id"`
	ChunkID     string `json:"chunk_id"`
	Start, End  *int
	AnswerStart *int `json:"answer_start"`
	AnswerEnd   *int `json:"answer_end"`
}

// In every sample, an exactly placed mark has its words at the recorded offsets of the answer or the source.
func TestRecordsPointAtTheirWords(t *testing.T) {
	seen := 0
	for _, c := range foreignCases {
		for _, r := range readSample(t, c.file).Results {
			for i := range r.Session.Claims {
				var rec struct{ Citations, Labels []placedRecord }
				if raw, ok := r.Session.Extra[at("claims", i, "upstream")]; ok {
					require.NoError(t, json.Unmarshal(raw, &rec), c.file)
				}
				for _, m := range append(rec.Citations, rec.Labels...) {
					if m.Placed == text.Exact && pointsAt(r, &m) {
						seen++
					} else if m.Placed == text.Exact {
						require.Equal(t, "content_block_location", m.Kind, "%s: %s is not where it is said to be",
							c.file, m.Words)
					}
				}
			}
		}
	}
	require.Greater(t, seen, 15)
}

// pointsAt reports whether a record's words are at its offsets, in the answer or in its chunk.
func pointsAt(r *Result, m *placedRecord) bool {
	if m.AnswerStart != nil && text.Slice(r.Session.Answer, text.Span{
		Start: *m.AnswerStart, End: *m.AnswerEnd,
	}) == m.Words {
		return true
	}
	for _, d := range r.Session.Documents {
		for _, c := range d.Chunks {
			if d.Key == m.DocumentID && c.Key == m.ChunkID && m.Start != nil &&
				text.Slice(c.Text, text.Span{Start: *m.Start - c.Span.Start, End: *m.End - c.Span.Start}) == m.Words {
				return true
			}
		}
	}
	return false
}

// A marker after the full stop belongs to the statement before it; one inside a statement belongs to that.
func TestMarkersBelongToTheirStatements(t *testing.T) {
	r := read(t, `{"object":"response","output":[{"type":"message","content":[{"type":"output_text","text":"Leave is 15 days. (https://a.example) Notice is 14 days (https://b.example). Pay is monthly.","annotations":[
	 {"type":"url_citation","url":"https://a.example","start_index":18,"end_index":37},{"type":"url_citation","url":"https://b.example"}]}]}]}`)
	var urls []string
	for i := range r.Session.Claims {
		for _, c := range upstreamOf(t, r, i).Citations {
			urls = append(urls, r.Session.Claims[i].Text+" ← "+c.Words)
		}
	}
	require.Equal(t, []string{"Leave is 15 days ← (https://a.example)",
		"Notice is 14 days (https://b.example) ← https://b.example"}, urls)
}
