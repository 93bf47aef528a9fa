package readertest

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folder is a model as hubs publish it, which a test may change before it writes it.
type Folder struct {
	Config    map[string]any
	Tokenizer map[string]any
	Tensors   map[string][]float32 // by their published names
}

// Published returns the model of a seed as hubs publish it. It has two classes: entailment and not entailment.
func Published(seed uint64) *Folder {
	m := model(seed)
	ids := map[string]int{}
	for id, piece := range m.Vocabulary {
		ids[piece] = id
	}
	f := &Folder{
		Config: map[string]any{
			"model_type": "bert", "architectures": []string{"BertForSequenceClassification"}, "hidden_act": "gelu",
			"hidden_size": m.Width, "num_hidden_layers": m.Layers, "num_attention_heads": m.Heads, "intermediate_size": m.Inner,
			"max_position_embeddings": m.Positions, "type_vocab_size": m.Segments, "vocab_size": m.Pieces,
			"id2label": map[string]string{"0": "entailment", "1": "not_entailment"},
		},
		Tokenizer: map[string]any{
			"normalizer": map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
				"lowercase": true},
			"pre_tokenizer":  map[string]any{"type": "BertPreTokenizer"},
			"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", 2}, "sep": []any{"[SEP]", 3}},
			"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
				"max_input_chars_per_word": 100, "vocab": ids},
		},
		Tensors: map[string][]float32{},
	}
	for name, numbers := range m.Tensors {
		if rest, is := strings.CutPrefix(name, "classifier."); is {
			numbers = numbers[:len(numbers)/m.Classes*2]
			f.Tensors["classifier."+rest] = numbers
			continue
		}
		f.Tensors["bert."+name] = numbers
	}
	return f
}

// shape returns the shape of a tensor.
func (f *Folder) shape(name string) []int {
	numbers := len(f.Tensors[name])
	width, inner := f.Config["hidden_size"].(int), f.Config["intermediate_size"].(int)
	switch {
	case strings.HasSuffix(name, ".bias"), strings.Contains(name, "LayerNorm"):
		return []int{numbers}
	case strings.HasSuffix(name, "output.dense.weight") && numbers == width*inner:
		return []int{width, inner}
	}
	return []int{numbers / width, width}
}

// Write writes the model to a folder.
func (f *Folder) Write(dir string) error {
	config, err := json.Marshal(f.Config)
	if err != nil {
		return err
	}
	tokenizer, err := json.Marshal(f.Tokenizer)
	if err != nil {
		return err
	}
	tensors, err := f.safetensors()
	if err != nil {
		return err
	}
	for name, contents := range map[string][]byte{"config.json": config, "tokenizer.json": tokenizer,
		"model.safetensors": tensors} {
		if err := os.WriteFile(filepath.Join(dir, name), contents, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// safetensors returns all tensors as a file.
func (f *Folder) safetensors() ([]byte, error) {
	header, data := map[string]any{}, []byte(nil)
	for _, name := range slices.Sorted(maps.Keys(f.Tensors)) {
		from := len(data)
		for _, v := range f.Tensors[name] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": f.shape(name), "data_offsets": []int{from, len(data)}}
	}
	encoded, err := json.Marshal(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(encoded))), encoded...), data...), err
}
