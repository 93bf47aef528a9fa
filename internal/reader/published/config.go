package published

import (
	"slices"
	"strconv"
	"strings"

	"sanad/internal/reader"
	"sanad/internal/words"
)

// config is what is read of config.json.
type config struct {
	Architectures []string          `json:"architectures"`
	Type          string            `json:"model_type"`
	Act           string            `json:"hidden_act"`
	Places        string            `json:"position_embedding_type"`
	Width         int               `json:"hidden_size"`
	Layers        int               `json:"num_hidden_layers"`
	Heads         int               `json:"num_attention_heads"`
	Inner         int               `json:"intermediate_size"`
	Positions     int               `json:"max_position_embeddings"`
	Segments      int               `json:"type_vocab_size"`
	Pieces        int               `json:"vocab_size"`
	Pad           *int              `json:"pad_token_id"`
	Epsilon       *float64          `json:"layer_norm_eps"`
	Labels        map[string]string `json:"id2label"`
	Quantised     any               `json:"quantization_config"`
	Decoder       bool              `json:"is_decoder"`
}

const configFile = "config.json"

// mostPositions is how many positions of a model are used; a pair is never longer.
const mostPositions = 512

// family is what models of one architecture have in common.
type family struct {
	architecture string
	prefix       string            // of the names of tensors
	heads        map[string]string // names of BERT to those of the head
	offset       bool              // positions begin after the id of the padding
}

// families by model_type.
var families = func() map[string]family {
	roberta := map[string]string{"pooler.dense": "classifier.dense", "classifier": "classifier.out_proj"}
	return map[string]family{
		"bert":        {architecture: "BertForSequenceClassification", prefix: "bert.", heads: map[string]string{"classifier": "classifier"}},
		"roberta":     {architecture: "RobertaForSequenceClassification", prefix: "roberta.", heads: roberta, offset: true},
		"xlm-roberta": {architecture: "XLMRobertaForSequenceClassification", prefix: "roberta.", heads: roberta, offset: true},
	}
}()

// family returns the family of a model, and refuses another architecture by name.
func (c *config) family() (family, error) {
	found, known := families[c.Type]
	if !known || !slices.Equal(c.Architectures, []string{found.architecture}) {
		return family{}, refuse(configFile, mendOther, words.Msg("reader_architecture",
			"Name", shown(strings.Join(c.Architectures, ", ")), "Type", shown(c.Type)))
	}
	switch {
	case c.Places != "" && c.Places != "absolute":
		return family{}, refuse(configFile, mendOther, words.Msg("reader_positions", "Name", shown(c.Places)))
	case c.Quantised != nil:
		return family{}, refuse(configFile, mendFloat, words.Msg("reader_quantised"))
	case c.Decoder:
		return family{}, refuse(configFile, mendOther, words.Msg("reader_decoder"))
	}
	return found, nil
}

// pad returns the id of the padding, which is 1 in RoBERTa and 0 in BERT unless the file has another one.
func (c *config) pad(f family) int {
	switch {
	case c.Pad != nil:
		return *c.Pad
	case f.offset:
		return 1
	}
	return 0
}

// skipped returns how many rows of the table of positions are never used.
func (c *config) skipped(f family) int {
	if f.offset {
		return c.pad(f) + 1
	}
	return 0
}

// gelu returns the form of the activation.
func (c *config) gelu() (int, error) {
	switch c.Act {
	case "gelu":
		return reader.ExactGELU, nil
	case "gelu_new", "gelu_pytorch_tanh":
		return reader.TanhGELU, nil
	}
	return 0, refuse(configFile, mendOther, words.Msg("reader_activation", "Name", shown(c.Act)))
}

// shape returns the dimensions of the model with a number of pieces, and refuses a model that is too large.
func (c *config) shape(f family, pieces int) (reader.Shape, error) {
	for name, value := range map[string]int{
		"hidden_size": c.Width, "num_hidden_layers": c.Layers, "intermediate_size": c.Inner, "vocab_size": c.Pieces,
		"max_position_embeddings": c.Positions, "type_vocab_size": c.Segments, "pad_token_id": c.pad(f) + 1,
	} {
		if value < 1 || value > 1<<20 {
			return reader.Shape{}, refuse(configFile, mendOther, words.Msg("reader_dimension", "Name", name, "N", value))
		}
	}
	numbers := int64(c.Width) * int64(c.Pieces+c.Positions+c.Segments)
	numbers += int64(c.Layers) * int64(c.Width) * int64(4*c.Width+2*c.Inner)
	if numbers > mostNumbers {
		return reader.Shape{}, refuse(configFile, mendOther, words.Msg("reader_parameters", "N", int(numbers/1_000_000),
			"Most", mostNumbers/1_000_000))
	}
	return reader.Shape{
		Pieces: pieces, Positions: min(c.Positions-c.skipped(f), mostPositions), Segments: min(c.Segments, 2),
		Width: c.Width, Layers: c.Layers, Heads: c.Heads, Inner: c.Inner, Classes: reader.Classes,
	}, nil
}

// Labels of a model's classes, by their ids.
const (
	Supports    = "supports"
	Contradicts = "contradicts"
	Neither     = "neither"
)

// order is in which order the reader has its logits.
var order = []string{Supports, Contradicts, Neither}

// spellings are how published models name their classes, without case, spaces and signs.
var spellings = map[string]string{
	"entailment": Supports, "entails": Supports, "entailed": Supports, "support": Supports, "supports": Supports,
	"supported":     Supports,
	"contradiction": Contradicts, "contradicts": Contradicts, "contradicted": Contradicts, "contradictory": Contradicts,
	"refutes": Contradicts, "refuted": Contradicts, "refute": Contradicts,
	"neutral": Neither, "neither": Neither, "notentailment": Neither, "nonentailment": Neither, "notentailed": Neither,
	"notsupported": Neither, "unsupported": Neither, "notenoughinfo": Neither, "nei": Neither,
}

var mendLabels = words.Msg("reader_mend_labels")

// ParseLabels reads labels as an operator gives them: supports, contradicts and neither, or their usual spellings, in
// the order of the ids of the model's classes, with commas between them. None at all means those of config.json.
func ParseLabels(text string) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	return known("", strings.Split(text, ","))
}

// known returns labels by their usual spellings. It refuses what is no three of them, or no two of which one supports.
func known(file string, names []string) ([]string, error) {
	var labels []string
	for _, name := range names {
		label := spellings[strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))]
		if label == "" {
			return nil, refuse(file, mendLabels, words.Msg("reader_label", "Name", shown(name)))
		}
		if slices.Contains(labels, label) {
			return nil, refuse(file, mendLabels, words.Msg("reader_label_twice", "Name", label))
		}
		labels = append(labels, label)
	}
	if len(labels) < 2 || len(labels) > len(order) || !slices.Contains(labels, Supports) ||
		len(labels) == 2 && !slices.Contains(labels, Neither) {
		return nil, refuse(file, words.Msg("reader_mend_either", "One", mendOther, "Other", mendLabels),
			words.Msg("reader_classes", "List", shown(strings.Join(names, ", "))))
	}
	return labels, nil
}

// labels returns those of config.json, or those given if there are any.
func (c *config) labels(given []string) ([]string, error) {
	if len(given) > 0 {
		labels, err := known("", given)
		if err == nil && len(c.Labels) > 0 && len(labels) != len(c.Labels) {
			return nil, refuse(configFile, words.Msg("reader_mend_one_label"),
				words.Msg("reader_label_count", "Most", len(c.Labels), "N", len(labels)))
		}
		return labels, err
	}
	names := make([]string, min(len(c.Labels), 10))
	for id := range names {
		name, found := c.Labels[strconv.Itoa(id)]
		if !found {
			return nil, refuse(configFile, mendLabels, words.Msg("reader_label_missing", "N", id))
		}
		names[id] = name
	}
	return known(configFile, names)
}
