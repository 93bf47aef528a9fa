package published

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// model is a small model of numbers that look random, as train/golden_published.py makes it.
type model struct {
	config    map[string]any
	tokenizer string
	kind      string // of the numbers
	shapes    map[string][]int
	numbers   map[string][]float32
}

// tiny returns a model of a type.
func tiny(t testing.TB, modelType string) *model {
	f := families[modelType]
	m := &model{
		kind: "F32", shapes: map[string][]int{}, numbers: map[string][]float32{},
		config: map[string]any{
			"model_type": modelType, "architectures": []string{f.architecture}, "hidden_act": "gelu", "hidden_size": 64,
			"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 96, "max_position_embeddings": 130,
			"type_vocab_size": 2, "vocab_size": 3008, "layer_norm_eps": 1e-12,
			"id2label": map[string]string{"0": "entailment", "1": "neutral", "2": "contradiction"},
		},
	}
	variant := "uncased"
	if f.offset {
		variant = "xlmr"
		m.config["type_vocab_size"], m.config["layer_norm_eps"] = 1, 1e-5
	}
	m.tokenizer = changed(t, variant)
	m.fill(f)
	return m
}

// fill makes the tensors, as the sizes of the configuration ask.
func (m *model) fill(f family) {
	size := func(name string) int { return m.config[name].(int) }
	width, inner := size("hidden_size"), size("intermediate_size")
	classes := len(m.config["id2label"].(map[string]string))
	table := func(name string, rows int, spread float32) {
		m.set(f.prefix+name+".weight", 0, spread, rows, width)
	}
	norm := func(name string) {
		m.set(name+".weight", 1, 0.2, width)
		m.set(name+".bias", 0, 0.2, width)
	}
	dense := func(name string, rows, columns int) {
		m.set(name+".weight", 0, 0.3, rows, columns)
		m.set(name+".bias", 0, 0.1, rows)
	}
	table("embeddings.word_embeddings", size("vocab_size"), 1)
	table("embeddings.position_embeddings", size("max_position_embeddings"), 0.5)
	table("embeddings.token_type_embeddings", size("type_vocab_size"), 0.5)
	norm(f.prefix + "embeddings.LayerNorm")
	for i := range size("num_hidden_layers") {
		layer := fmt.Sprintf("%sencoder.layer.%d.", f.prefix, i)
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			dense(layer+name, width, width)
		}
		norm(layer + "attention.output.LayerNorm")
		dense(layer+"intermediate.dense", inner, width)
		dense(layer+"output.dense", width, inner)
		norm(layer + "output.LayerNorm")
	}
	if f.offset {
		dense("classifier.dense", width, width)
		dense("classifier.out_proj", classes, width)
		return
	}
	dense("bert.pooler.dense", width, width)
	dense("classifier", classes, width)
}

// set fills a tensor from its name: numbers of SplitMix64 that begin with the sum of the name's bytes.
func (m *model) set(name string, centre, spread float32, shape ...int) {
	count := 1
	for _, n := range shape {
		count *= n
	}
	state := uint64(0)
	for _, b := range []byte(name) {
		state = state*31 + uint64(b)
	}
	numbers := make([]float32, count)
	for i := range numbers {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		numbers[i] = centre + float32(float32(int32(uint32(z>>32)))/(1<<31)*spread)
	}
	m.numbers[name], m.shapes[name] = numbers, shape
}

// safetensors returns tensors of names as a file.
func (m *model) safetensors(names []string) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	for _, name := range names {
		from := len(data)
		for _, v := range m.numbers[name] {
			switch m.kind {
			case "F32":
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(v)>>16))
			case "F16":
				data = binary.LittleEndian.AppendUint16(data, toHalf(v))
			}
		}
		header[name] = map[string]any{"dtype": m.kind, "shape": m.shapes[name], "data_offsets": []int{from, len(data)}}
	}
	encoded, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(encoded))), encoded...), data...)
}

// toHalf cuts a number between 2^-14 and 2^15 to 16 bits; less becomes 0.
func toHalf(v float32) uint16 {
	bits := math.Float32bits(v)
	exponent := int(bits>>23&0xFF) - 127 + 15
	if exponent <= 0 {
		return uint16(bits >> 31 << 15)
	}
	return uint16(bits>>31<<15 | uint32(exponent)<<10 | bits>>13&0x3FF)
}

// names returns those of all tensors, in order.
func (m *model) names() []string {
	var names []string
	for name := range m.numbers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// write writes a folder as hubs publish it, and returns it.
func (m *model) write(t testing.TB) string {
	dir := t.TempDir()
	encoded, err := json.Marshal(m.config)
	require.NoError(t, err)
	put(t, dir, configFile, encoded)
	put(t, dir, tokenizerFile, []byte(m.tokenizer))
	put(t, dir, wholeFile, m.safetensors(m.names()))
	return dir
}

func put(t testing.TB, dir, name string, contents []byte) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), contents, 0o600))
}

// open imports a model and opens it.
func (m *model) open(t testing.TB) *Model {
	path, digest, err := Import(m.write(t), t.TempDir(), nil)
	require.NoError(t, err)
	r, err := Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	require.Equal(t, digest, r.Source())
	require.NoError(t, r.Check())
	return r
}
