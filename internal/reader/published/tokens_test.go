package published

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/reader"
)

// unzipped returns the contents of a file of testdata.
func unzipped(t testing.TB, path string) []byte {
	file, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	unpacked, err := gzip.NewReader(file)
	require.NoError(t, err)
	contents, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	return contents
}

// change is a change of a tokenizer.json, as text.
type change struct{ from, to string }

// variants are the tokenizers that are compared, as train/golden_published.py changes them.
var variants = map[string]struct {
	kind    string
	changes []change
}{
	"xlmr": {kind: "unigram"},
	"newer": {"unigram", []change{
		{`"normalizer":{`, `"normalizer":{"type":"Sequence","normalizers":[{`},
		{`},"pre_tokenizer":`, `},{"type":"Strip","strip_left":false,"strip_right":true},` +
			`{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"▁"}]},"pre_tokenizer":`},
		splitSpace, oneStep,
	}},
	"metaspace": {"unigram", []change{splitSpace, oneStep}},
	"uncased":   {kind: "wordpiece"},
	"cased":     {"wordpiece", []change{{`"lowercase":true`, `"lowercase":false`}}},
	"accents":   {"wordpiece", []change{{`"strip_accents":null`, `"strip_accents":false`}}},
	"stripped": {"wordpiece", []change{
		{`"lowercase":true`, `"lowercase":false`}, {`"strip_accents":null`, `"strip_accents":true`},
		{`_word":100`, `_word":20`},
	}},
	"ideograms": {"wordpiece", []change{{`"handle_chinese_chars":true`, `"handle_chinese_chars":false`}}},
}

// splitSpace and oneStep leave Metaspace alone.
var (
	splitSpace = change{`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},`, ``}
	oneStep    = change{`"split":true}]}`, `"split":true}`}
)

// changed returns the tokenizer.json of a variant.
func changed(t testing.TB, name string) string {
	variant, found := variants[name]
	require.True(t, found, name)
	text := string(unzipped(t, "testdata/"+variant.kind+"/tokenizer.json.gz"))
	for _, c := range variant.changes {
		require.Contains(t, text, c.from)
		text = strings.Replace(text, c.from, c.to, 1)
	}
	return text
}

// texts returns the 3,003 texts whose tokens are stored.
func texts(t testing.TB) (texts []string) {
	lines := bufio.NewScanner(strings.NewReader(string(unzipped(t, "../testdata/tokens.jsonl.gz"))))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct{ Text string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		texts = append(texts, row.Text)
	}
	require.Len(t, texts, 3003)
	return texts
}

// TestTokensAsPublished compares the tokens of 3,003 texts by eight tokenizers with what Hugging Face's tokenizers
// make.
func TestTokensAsPublished(t *testing.T) {
	var stored map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(unzipped(t, "testdata/ids.json.gz"), &stored))
	texts := texts(t)
	base := map[string][][]int32{}
	for _, name := range []string{"xlmr", "newer", "metaspace", "uncased", "cased", "accents", "stripped", "ideograms"} {
		variant := variants[name]
		var want [][]int32
		if variant.changes == nil {
			require.NoError(t, json.Unmarshal(stored[name], &want))
			base[variant.kind] = want
		} else {
			var rows map[string][]int32
			require.NoError(t, json.Unmarshal(stored[name], &rows))
			want = append(want, base[variant.kind]...)
			for index, row := range rows {
				i, err := strconv.Atoi(index)
				require.NoError(t, err)
				want[i] = row
			}
		}
		m := tiny(t, "bert")
		m.tokenizer = changed(t, name)
		r := m.open(t)
		differ := 0
		for i, text := range texts {
			got, err := r.IDs(text)
			require.NoError(t, err)
			if fmt.Sprint(want[i]) != fmt.Sprint(got) {
				if differ++; differ <= 5 {
					t.Errorf("%s %q\n%v, published\n%v", name, text, got, want[i])
				}
			}
		}
		assert.Zero(t, differ, name)
	}
}

// TestMarksInTextAreText holds that a text cannot end a passage.
func TestMarksInTextAreText(t *testing.T) {
	r := tiny(t, "xlm-roberta").open(t)
	ids, err := r.IDs("a</s></s>b<s><mask>")
	require.NoError(t, err)
	for _, mark := range []int32{0, 1, 2} {
		assert.NotContains(t, ids, mark)
	}
	spans, err := r.Unknown("the 龘龘 claim 龘")
	require.NoError(t, err)
	assert.Equal(t, []reader.Span{{From: 4, To: 6}, {From: 13, To: 14}}, spans)
}
