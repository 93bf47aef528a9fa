package published

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/reader"
	"sanad/internal/words"
)

// TestLogitsAsPublished compares with what torch computes in float32 of 200 pairs a model. Their numbers look random,
// so that logits are often nearly equal: only there may the class be another one.
func TestLogitsAsPublished(t *testing.T) {
	var stored map[string][]struct {
		Passage, Claim string
		Tokens         int
		Logits         []float32
	}
	require.NoError(t, json.Unmarshal(unzipped(t, "testdata/logits.json.gz"), &stored))
	models := map[string]*model{"bert": tiny(t, "bert"), "xlm-roberta": tiny(t, "xlm-roberta"), "tanh": tiny(t, "bert")}
	models["tanh"].config["hidden_act"] = "gelu_new"
	models["tanh"].config["id2label"] = map[string]string{"0": "entailment", "1": "not_entailment"}
	models["tanh"].fill(families["bert"])
	for name, m := range models {
		rows, r := stored[name], m.open(t)
		require.Len(t, rows, 200, name)
		same, off, most := 0, 0.0, 0.0
		for _, row := range rows {
			passage, err := r.Tokens(row.Passage)
			require.NoError(t, err)
			claim, err := r.Tokens(row.Claim)
			require.NoError(t, err)
			require.Equal(t, row.Tokens, passage+claim+r.Shape().Positions-r.MostPassage(0), row.Passage)
			scores, err := r.Score(context.Background(), []reader.Pair{{Passage: row.Passage, Claim: row.Claim}})
			require.NoError(t, err)
			got := []float32{scores[0].Supports, scores[0].Neither, scores[0].Contradicts}
			if name == "tanh" {
				assert.Less(t, got[2], float32(-9000), "a class that the model lacks")
				got = got[:2]
			}
			if class := largest(row.Logits); largest(got) == class {
				same++
			} else {
				assert.Less(t, row.Logits[class]-row.Logits[largest(got)], float32(0.1), row.Passage)
			}
			for i, logit := range row.Logits {
				d := math.Abs(float64(got[i] - logit))
				off, most = off+d/float64(len(got)*len(rows)), max(most, d)
			}
		}
		t.Logf("%s: %d of %d of the same class; logits differ by %.4f on average, %.4f at most", name, same, len(rows), off, most)
		assert.GreaterOrEqual(t, same, 198, name)
		assert.Less(t, off, 0.015, name)
		assert.Less(t, most, 0.08, name)
	}
}

func largest(logits []float32) (index int) {
	for i, v := range logits {
		if v > logits[index] {
			index = i
		}
	}
	return index
}

// score returns the logits of one pair.
func score(t *testing.T, r *Model) reader.Logits {
	scores, err := r.Score(context.Background(), []reader.Pair{{Passage: "The reviewer signs.", Claim: "It is signed."}})
	require.NoError(t, err)
	return scores[0]
}

// TestNumbersOfAllKinds reads the same model as float16, bfloat16 and in three files.
func TestNumbersOfAllKinds(t *testing.T) {
	m := tiny(t, "xlm-roberta")
	want := score(t, m.open(t))
	for kind, off := range map[string]float64{"F16": 0.05, "BF16": 0.2} {
		m.kind = kind
		got := score(t, m.open(t))
		assert.NotEqual(t, want, got, kind)
		assert.InDelta(t, want.Supports, got.Supports, off, kind)
		assert.InDelta(t, want.Neither, got.Neither, off, kind)
	}
	m.kind = "F32"
	path, _, err := Import(m.sharded(t), t.TempDir(), nil)
	require.NoError(t, err)
	r, err := Open(path)
	require.NoError(t, err)
	assert.Equal(t, want, score(t, r))
	require.NoError(t, r.Close())
}

// sharded writes a folder with its tensors in three files.
func (m *model) sharded(t testing.TB) string {
	dir := m.write(t)
	require.NoError(t, os.Remove(filepath.Join(dir, wholeFile)))
	index := map[string]string{}
	names := m.names()
	for i, part := range [][]string{names[:5], names[5:20], names[20:]} {
		file := "model-0000" + string(rune('1'+i)) + "-of-00003.safetensors"
		put(t, dir, file, m.safetensors(part))
		for _, name := range part {
			index[name] = file
		}
	}
	encoded, err := json.Marshal(map[string]any{"weight_map": index})
	require.NoError(t, err)
	put(t, dir, indexFile, encoded)
	return dir
}

// TestSameFolderIsImportedOnce holds that a second import writes nothing, and that what is damaged is written again.
func TestSameFolderIsImportedOnce(t *testing.T) {
	dir, data := tiny(t, "bert").write(t), t.TempDir()
	path, digest, err := Import(dir, data, nil)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(data, "readers", digest+".bin"), path)
	first, err := os.Stat(path)
	require.NoError(t, err)
	again, same, err := Import(dir, data, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{path, digest}, []string{again, same})
	second, err := os.Stat(path)
	require.NoError(t, err)
	assert.True(t, os.SameFile(first, second))

	require.NoError(t, os.Truncate(path, first.Size()-1))
	_, err = Open(path)
	require.ErrorIs(t, err, reader.ErrTruncated)
	_, _, err = Import(dir, data, nil)
	require.NoError(t, err)
	r, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, r.Check())
	require.NoError(t, r.Close())

	_, other, err := Import(dir, data, []string{"contradiction", "entailment", "neutral"})
	require.NoError(t, err)
	assert.NotEqual(t, digest, other, "other labels are another reader")
	files, err := os.ReadDir(filepath.Join(data, "readers"))
	require.NoError(t, err)
	assert.Len(t, files, 2, "nothing is left beside")
}

// TestLabels holds that the logits stand where their labels say.
func TestLabels(t *testing.T) {
	dir, data := tiny(t, "bert").write(t), t.TempDir()
	logits := func(labels string) reader.Logits {
		given, err := ParseLabels(labels)
		require.NoError(t, err)
		path, _, err := Import(dir, data, given)
		require.NoError(t, err)
		r, err := Open(path)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, r.Close()) })
		return score(t, r)
	}
	published := logits("")
	assert.Equal(t, published, logits("ENTAILMENT, neutral, contradicts"))
	assert.Equal(t, reader.Logits{Supports: published.Contradicts, Contradicts: published.Supports, Neither: published.Neither},
		logits("refuted,not-enough-info,supported"))
	for labels, reason := range map[string]string{
		"a,b,c": `"a" is unknown`, "supports": "must be", "supports,supports": "two classes", "supports,contradicts": "must be",
		"neutral,contradiction": "must be", "supports,neither,contradicts,neither": "two classes",
	} {
		_, err := ParseLabels(labels)
		assert.ErrorContains(t, err, reason, labels)
	}
}

// TestRefusals changes a model in ways that damage or malice would, and holds that each is refused with its file and
// reason.
func TestRefusals(t *testing.T) {
	type M = *model
	config := func(name string, value any) func(M) { return func(m M) { m.config[name] = value } }
	tokenizer := func(from, to string) func(M) {
		return func(m M) {
			require.Contains(t, m.tokenizer, from)
			m.tokenizer = strings.Replace(m.tokenizer, from, to, 1)
		}
	}
	const word = "roberta.embeddings.word_embeddings.weight"
	for reason, change := range map[string]func(M){
		`config.json: the architecture "XLMRobertaForSequenceClassification" of the model type "deberta-v2"`: config("model_type", "deberta-v2"),
		`config.json: the architecture "XLMRobertaModel"`:                                                    config("architectures", []string{"XLMRobertaModel"}),
		"config.json: position embeddings of the type":                                                       config("position_embedding_type", "relative_key"),
		`config.json: the activation "relu"`:                                                                 config("hidden_act", "relu"),
		"config.json: the model is already quantised":                                                        config("quantization_config", map[string]any{"bits": 4}),
		"config.json: the model has 401 million":                                                             config("num_hidden_layers", 14_000),
		"config.json: hidden_size is -1":                                                                     config("hidden_size", -1),
		"the model is not supported: reader: 5 heads":                                                        config("num_attention_heads", 5),
		"from 1e-13 to 1e-2":                                                                                 config("layer_norm_eps", 1),
		`config.json: the label "LABEL_0" is unknown`:                                                        config("id2label", map[string]string{"0": "LABEL_0", "1": "LABEL_1"}),
		"config.json: id2label lacks class 0":                                                                config("id2label", map[string]string{"7": "neutral"}),
		"config.json: is not the expected JSON":                                                              config("num_hidden_layers", "two"),
		"tokenizer.json: has 3002 pieces, but the model has 9000":                                            config("vocab_size", 9000),
		"tokenizer.json: has 3002 pieces, but the model has 100":                                             config("vocab_size", 100),
		`tokenizer.json: a tokenizer of the kind "BPE"`:                                                      tokenizer(`"model":{"type":"Unigram"`, `"model":{"type":"BPE"`),
		"tokenizer.json: byte fallback":                                                                      tokenizer(`"byte_fallback":false`, `"byte_fallback":true`),
		"tokenizer.json: the normaliser Lowercase":                                                           tokenizer(`{"type":"Precompiled"`, `{"type":"Lowercase"`),
		"tokenizer.json: the character map cannot be decoded":                                                tokenizer(`"precompiled_charsmap":"`, `"precompiled_charsmap":"!`),
		"the character map, 15 bytes, is damaged":                                                            tokenizer(`"precompiled_charsmap":"`, `"precompiled_charsmap":"`+"AAAAAAAAAAAAAAAAAAAA"+`","x":"`),
		"tokenizer.json: for Unigram the pre-tokenizer":                                                      tokenizer(`"type":"Metaspace"`, `"type":"Whitespace"`),
		"tokenizer.json: the added token":                                                                    tokenizer(`"special":true`, `"special":false`),
		`tokenizer.json: the added token "<s>" has the id 900`:                                               tokenizer(`"added_tokens":[{"id":0`, `"added_tokens":[{"id":900`),
		"tokenizer.json: the template of a pair":                                                             tokenizer(`{"Sequence":{"id":"B","type_id":0}}`, `{"Sequence":{"id":"A","type_id":0}}`),
		"tokenizer.json: is nested more than 16 levels deep":                                                 tokenizer(`"truncation":null`, `"truncation":`+strings.Repeat("[", 90_000)+strings.Repeat("]", 90_000)),
		"tokenizer.json: the tokenizer names no piece":                                                       tokenizer(`"unk_id":3,`, `"unk_id":3000000,`),
		"reader: the vocabulary has \"a\" twice":                                                             func(m M) { m.twice(t) },
		"model.safetensors: the tensor classifier.dense.bias is missing":                                     func(m M) { delete(m.numbers, "classifier.dense.bias") },
		"model.safetensors: the tensor classifier.out_proj.bias has the shape [4]; config.json requires [3]": func(m M) {
			m.set("classifier.out_proj.bias", 0, 1, 4)
		},
		`model.safetensors: the tensor "roberta.encoder.layer.0.adapter.weight" is unknown`: func(m M) {
			m.set("roberta.encoder.layer.0.adapter.weight", 0, 1, 4)
		},
		"model.safetensors: the tensor " + word + " has the value NaN at position 77": func(m M) { m.numbers[word][77] = float32(math.NaN()) },
		"roberta.encoder.layer.1.output.dense.weight has the value +Inf": func(m M) {
			m.numbers["roberta.encoder.layer.1.output.dense.weight"][9] = float32(math.Inf(1))
		},
	} {
		m := tiny(t, "xlm-roberta")
		change(m)
		data := t.TempDir()
		_, _, err := Import(m.write(t), data, nil)
		assertRefused(t, err, reason)
		left, _ := filepath.Glob(filepath.Join(data, "readers", "*"))
		assert.Empty(t, left, reason)
	}
}

// assertRefused holds that an error says a reason and what mends it, and that both can be said in Arabic.
func assertRefused(t *testing.T, err error, reason string) {
	t.Helper()
	var refused *domain.Error
	if assert.ErrorAs(t, err, &refused, reason) {
		assert.ErrorContains(t, err, reason)
		assert.Contains(t, refused.Text(), "; ", reason)
		assert.Regexp(t, `\p{Arabic}.*؛ \p{Arabic}`, words.In("ar").Plain(refused.Message), reason)
	}
}

// twice gives the vocabulary a piece that it has.
func (m *model) twice(t *testing.T) {
	var whole map[string]any
	require.NoError(t, json.Unmarshal([]byte(m.tokenizer), &whole))
	vocabulary := whole["model"].(map[string]any)["vocab"].([]any)
	vocabulary[100].([]any)[0], vocabulary[101].([]any)[0] = "a", "a"
	encoded, err := json.Marshal(whole)
	require.NoError(t, err)
	m.tokenizer = string(encoded)
}

// TestDamagedTensorsAreRefused changes the file of tensors itself.
func TestDamagedTensorsAreRefused(t *testing.T) {
	m := tiny(t, "bert")
	dir, whole := m.write(t), m.safetensors(m.names())
	size := binary.LittleEndian.Uint64(whole)
	header, data := string(whole[8:8+size]), whole[8+size:]
	file := func(header string, data []byte) []byte {
		return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
	}
	for reason, contents := range map[string][]byte{
		"is cut off":                                whole[:4],
		"says that its header has":                  append(binary.LittleEndian.AppendUint64(nil, 1<<62), whole[8:]...),
		"is cut off or too long":                    whole[:len(whole)-1],
		"is not the expected JSON":                  file("{]", nil),
		"is nested more than":                       file(strings.Repeat(`{"a":`, 99), data),
		"does not fit its place":                    file(strings.Replace(header, `"shape":[3]`, `"shape":[9]`, 1), data),
		"overlaps another one":                      file(strings.Replace(header, `"data_offsets":[0,256]`, `"data_offsets":[256,512]`, 1), data),
		"(F32, shape [-3])":                         file(strings.Replace(header, `"shape":[3]`, `"shape":[-3]`, 1), data),
		"shape [2147483648 2147483648 2147483648])": file(strings.Replace(header, `"shape":[3]`, `"shape":[2147483648,2147483648,2147483648]`, 1), data),
		"is a Git LFS pointer, not the file itself": []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
	} {
		put(t, dir, wholeFile, contents)
		_, _, err := Import(dir, t.TempDir(), nil)
		require.ErrorContains(t, err, "model.safetensors: ", reason)
		require.ErrorContains(t, err, reason)
	}
	for _, kind := range []string{"I32", "U32"} {
		put(t, dir, wholeFile, file(strings.ReplaceAll(header, `"F32"`, `"`+kind+`"`), data))
		_, _, err := Import(dir, t.TempDir(), nil)
		assert.ErrorContains(t, err, "has the data type "+kind)
	}
}

// TestHostileFolders are folders that are none, too large, or lead elsewhere.
func TestHostileFolders(t *testing.T) {
	fails := func(reason, dir string) {
		_, _, err := Import(dir, t.TempDir(), nil)
		assertRefused(t, err, reason)
	}
	fails("the folder cannot be opened", filepath.Join(t.TempDir(), "none"))
	fails("config.json: the folder does not have this file", t.TempDir())
	m := tiny(t, "bert")

	dir := m.write(t)
	require.NoError(t, os.Truncate(filepath.Join(dir, wholeFile), 10<<30)) // sparse
	fails("model.safetensors: has 10737418240 bytes", dir)
	require.NoError(t, os.Remove(filepath.Join(dir, wholeFile)))
	fails("model.safetensors: the folder has neither", dir)
	require.NoError(t, os.Mkdir(filepath.Join(dir, wholeFile), 0o700))
	fails("model.safetensors: is not a regular file", dir)

	dir = m.write(t)
	outside := filepath.Join(t.TempDir(), "tokenizer.json")
	require.NoError(t, os.Rename(filepath.Join(dir, tokenizerFile), outside))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, tokenizerFile)))
	fails("tokenizer.json: cannot be opened", dir)

	dir = m.sharded(t)
	require.NoError(t, os.Remove(filepath.Join(dir, "model-00002-of-00003.safetensors")))
	fails("model-00002-of-00003.safetensors: the folder does not have this file", dir)
	put(t, dir, indexFile, []byte(`{"weight_map":{"a":"../../secret.safetensors"}}`))
	fails("model.safetensors.index.json: names", dir)

	dir = m.sharded(t)
	twice := maps.Clone(m.numbers)
	put(t, dir, "model-00002-of-00003.safetensors", m.safetensors(m.names()[:20]))
	require.Len(t, m.numbers, len(twice))
	fails("is in two files", dir)
}

// TestHostileFileIsRefused changes each number of the header, as one would who can also make the digest again: the file
// is refused, or read without harm.
func TestHostileFileIsRefused(t *testing.T) {
	path, _, err := Import(tiny(t, "xlm-roberta").write(t), t.TempDir(), nil)
	require.NoError(t, err)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	refused := 0
	const first, numbers = 8, 20 // of the header, of four bytes each
	for number := range numbers {
		for _, value := range []uint32{0, 2, 7, 1 << 20, 1 << 31, math.MaxUint32} {
			file := append([]byte(nil), whole[:len(whole)-sha256.Size]...)
			binary.LittleEndian.PutUint32(file[first+4*number:], value)
			sum := sha256.Sum256(file)
			r, err := reader.Open(string(append(file, sum[:]...)))
			if err == nil {
				err = r.Check()
			}
			if err != nil {
				refused++
				continue
			}
			_, err = r.Score(context.Background(), []reader.Pair{{Passage: "e\u0301 ａ\r\n\x00", Claim: "a claim"}})
			require.NoError(t, err)
		}
	}
	assert.Greater(t, refused, 90)
}

func FuzzFolder(f *testing.F) {
	m := tiny(f, "xlm-roberta")
	config, err := json.Marshal(m.config)
	require.NoError(f, err)
	whole := m.safetensors(m.names())
	f.Add(config, []byte(`{"model":{"type":"Unigram"}}`), whole[:6000])
	f.Fuzz(func(t *testing.T, config, tokenizer, tensors []byte) {
		dir := t.TempDir()
		put(t, dir, configFile, config)
		put(t, dir, tokenizerFile, tokenizer)
		put(t, dir, wholeFile, append(tensors, whole[min(len(tensors), len(whole)):]...))
		if path, _, err := Import(dir, t.TempDir(), nil); err == nil {
			r, err := Open(path)
			require.NoError(t, err)
			require.NoError(t, r.Check())
			require.NoError(t, r.Close())
		}
	})
}
