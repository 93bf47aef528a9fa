package reader

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testTokenizer has the small vocabulary of testdata.
func testTokenizer(t testing.TB) *tokenizer {
	lines, err := os.ReadFile("testdata/vocabulary.txt")
	require.NoError(t, err)
	vocabulary, err := newVocabulary(string(lines))
	require.NoError(t, err)
	return &tokenizer{vocabulary: vocabulary, form: &plain}
}

// TestTokensAsPublished compares with what the published tokenizer makes of 3,003 texts (train/golden_tokens.py).
func TestTokensAsPublished(t *testing.T) {
	file, err := os.Open("testdata/tokens.jsonl.gz")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	unpacked, err := gzip.NewReader(file)
	require.NoError(t, err)
	tokenizer, compared := testTokenizer(t), 0
	for rows := json.NewDecoder(unpacked); rows.More(); compared++ {
		var row struct {
			Text  string
			IDs   []int32
			Spans []int
		}
		require.NoError(t, rows.Decode(&row))
		var ids []int32
		var spans []int
		for _, token := range tokenizer.appendTokens(nil, row.Text) {
			ids, spans = append(ids, token.id), append(spans, token.span.From, token.span.To)
		}
		assert.Equal(t, fmt.Sprint(row.IDs), fmt.Sprint(ids), "%q", row.Text)
		assert.Equal(t, fmt.Sprint(row.Spans), fmt.Sprint(spans), "%q", row.Text)
	}
	assert.Equal(t, 3003, compared)
}

// TestCodePointsAsPublished compares what becomes of each code point within a word with the published tokenizer.
func TestCodePointsAsPublished(t *testing.T) {
	file, err := os.Open("testdata/codepoints.txt")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	classes := map[rune]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var first, last rune
		var class string
		_, err := fmt.Sscanf(lines.Text(), "%X %X %s", &first, &last, &class)
		require.NoError(t, err)
		for r := first; r <= last; r++ {
			classes[r] = class
		}
	}
	differ := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		var made []string
		words(&plain, "a"+string(r)+"b", nil, func(word []char) {
			text := ""
			for _, c := range word {
				text += string(c.r)
			}
			made = append(made, text)
		})
		class := ""
		switch joined := strings.Join(made, " "); {
		case joined == "ab":
			class = "dropped"
		case joined == "a b":
			class = "space"
		case len(made) == 3:
			class = "alone"
		}
		if class != classes[r] && differ < 20 {
			differ++
			t.Errorf("%U: %q, published %q", r, class, classes[r])
		}
	}
}

func TestInvalidUTF8IsDropped(t *testing.T) {
	tokenizer := testTokenizer(t)
	want := tokenizer.appendTokens(nil, "the \ufffd\ufffdclaim \ufffd")
	assert.Equal(t, want, tokenizer.appendTokens(nil, "the \xff\xc3claim \xe2"))
	require.Len(t, want, 2)
	assert.Equal(t, Span{6, 11}, want[1].span)
}

func TestTokensOfLongTexts(t *testing.T) {
	tokenizer := testTokenizer(t)
	assert.Len(t, tokenizer.appendTokens(nil, strings.Repeat("the ", 10_000)), 10_000)
	one := tokenizer.appendTokens(nil, strings.Repeat("x", 1_000_000))
	assert.Equal(t, []token{{tokenizer.unknown, Span{0, 1_000_000}}}, one)
	one = tokenizer.appendTokens(nil, strings.Repeat("é", 1_000_000))
	assert.Equal(t, []token{{tokenizer.unknown, Span{0, 1_000_000}}}, one)
	assert.Less(t, cap(tokenizer.chars), 200, "a long word is not kept")
}

func TestTokenizerKeepsItsBuffers(t *testing.T) {
	tokenizer := testTokenizer(t)
	text := strings.Repeat("The reviewer signs what was checked, naïve or not. ", 20)
	tokens := tokenizer.appendTokens(nil, text)
	assert.LessOrEqual(t, testing.AllocsPerRun(10, func() { tokenizer.appendTokens(tokens[:0], text) }), 2.0)
}

func TestVocabularyRefused(t *testing.T) {
	const whole = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##a\n"
	_, err := newVocabulary(whole)
	require.NoError(t, err)
	for name, lines := range map[string]string{
		"empty":         "",
		"no last line":  strings.TrimSuffix(whole, "\n"),
		"twice":         whole + "a\n",
		"empty piece":   whole + "\n",
		"not UTF-8":     whole + "\xff\n",
		"too long":      whole + strings.Repeat("a", 256) + "\n",
		"no [SEP]":      strings.ReplaceAll(whole, "[SEP]", "[sep]"),
		"far too large": strings.Repeat("a\n", mostPieces+1),
	} {
		_, err := newVocabulary(lines)
		assert.ErrorContains(t, err, "vocabulary", name)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("The claim \u0130s [SEP] a\u0301\x00\xff 한국 漢字")
	tokenizer := testTokenizer(f)
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, token := range tokenizer.appendTokens(nil, text) {
			assert.Less(t, token.span.From, token.span.To)
			assert.GreaterOrEqual(t, token.span.From, end-1, "two pieces share at most one code point, that of a ligature")
			end = token.span.To
		}
		assert.LessOrEqual(t, end, utf8.RuneCountInString(text))
	})
}

func BenchmarkTokens(b *testing.B) {
	tokenizer := testTokenizer(b)
	text := strings.Repeat("The reviewer signs what was checked against its sources. ", 20)
	tokens := tokenizer.appendTokens(nil, text)
	for b.Loop() {
		tokens = tokenizer.appendTokens(tokens[:0], text)
	}
	b.ReportMetric(float64(len(tokens)*b.N)/b.Elapsed().Seconds(), "tokens/s")
}
