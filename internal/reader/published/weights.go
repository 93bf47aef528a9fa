package published

import (
	"fmt"
	"slices"
	"strings"

	"sanad/internal/reader"
	"sanad/internal/words"
)

// weights gives the tensors of a folder under the names of BERT, with the classes in the reader's order.
type weights struct {
	family  family
	labels  []string
	tensors map[string]tensor
	places  map[string]placed // by the name of BERT
	buffer  []float32
}

// placed is where a tensor that the reader asks for stands.
type placed struct {
	name string // in the folder
	tensor
	skip int // numbers before the first that is used
}

// place finds all tensors of a model, and refuses one that is missing, has another shape, or is not known.
func (w *weights) place(c *config, shape reader.Shape) error {
	w.places = map[string]placed{}
	width, inner, classes := int64(shape.Width), int64(shape.Inner), int64(len(w.labels))
	type want struct {
		name  string
		skip  int
		shape []int64
	}
	var wanted []want
	dense := func(name string, rows, columns int64) {
		wanted = append(wanted, want{name + ".weight", 0, []int64{rows, columns}}, want{name + ".bias", 0, []int64{rows}})
	}
	norm := func(name string) {
		wanted = append(wanted, want{name + ".weight", 0, []int64{width}}, want{name + ".bias", 0, []int64{width}})
	}
	wanted = append(wanted,
		want{"embeddings.word_embeddings.weight", 0, []int64{int64(c.Pieces), width}},
		want{"embeddings.position_embeddings.weight", c.skipped(w.family) * shape.Width, []int64{int64(c.Positions), width}},
		want{"embeddings.token_type_embeddings.weight", 0, []int64{int64(c.Segments), width}})
	norm("embeddings.LayerNorm")
	for i := range shape.Layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		for _, name := range []string{"self.query", "self.key", "self.value", "output.dense"} {
			dense(layer+"attention."+name, width, width)
		}
		norm(layer + "attention.output.LayerNorm")
		dense(layer+"intermediate.dense", inner, width)
		dense(layer+"output.dense", width, inner)
		norm(layer + "output.LayerNorm")
	}
	dense("pooler.dense", width, width)
	dense("classifier", classes, width)
	used := map[string]bool{}
	for _, one := range wanted {
		name := w.published(one.name)
		t, found := w.tensors[name]
		switch {
		case !found:
			return refuse(wholeFile, mendCopy, words.Msg("reader_tensor_missing", "Name", name))
		case !slices.Equal(t.shape, one.shape):
			return refuse(t.file.name, mendCopy, words.Msg("reader_shape", "Name", name, "Shape", shown(fmt.Sprint(t.shape)),
				"File", configFile, "Want", fmt.Sprint(one.shape)))
		case t.kind != "F32" && t.kind != "F16" && t.kind != "BF16":
			return refuse(t.file.name, mendFloat, words.Msg("reader_numbers", "Name", name, "Type", shown(t.kind)))
		}
		w.places[one.name] = placed{name: name, tensor: t, skip: one.skip}
		used[name] = true
	}
	for name, t := range w.tensors {
		if !used[name] && !strings.HasSuffix(name, "embeddings.position_ids") && !strings.HasPrefix(name, "roberta.pooler.") {
			return refuse(t.file.name, mendOther, words.Msg("reader_tensor_unknown", "Name", shown(name)))
		}
	}
	return nil
}

// published returns the name of a tensor in the folder. Old models have gamma and beta for the weight and the bias of a
// norm.
func (w *weights) published(name string) string {
	base, last := name[:strings.LastIndex(name, ".")], name[strings.LastIndex(name, "."):]
	if head, found := w.family.heads[base]; found {
		return head + last
	}
	full := w.family.prefix + name
	if old := w.family.prefix + base + map[string]string{".weight": ".gamma", ".bias": ".beta"}[last]; strings.HasSuffix(base, "LayerNorm") {
		if _, there := w.tensors[full]; !there {
			if _, there := w.tensors[old]; there {
				return old
			}
		}
	}
	return full
}

// absent is the bias of the class that a model of two classes lacks: its probability is 0.
const absent = -1e4

// Numbers is as reader.Source asks.
func (w *weights) Numbers(name string, size, from, count int) ([]float32, error) {
	if name == "classifier.weight" || name == "classifier.bias" {
		return w.classes(name, size/reader.Classes)
	}
	return w.read(name, from, count)
}

// read reads numbers of a tensor.
func (w *weights) read(name string, from, count int) ([]float32, error) {
	at := w.places[name]
	if cap(w.buffer) < count {
		w.buffer = make([]float32, count)
	}
	numbers := w.buffer[:count]
	if err := at.numbers(numbers, at.skip+from); err != nil {
		return nil, err
	}
	for i, v := range numbers {
		if !(v > -1e6 && v < 1e6) {
			return nil, refuse(at.file.name, mendCopy, words.Msg("reader_number", "Name", at.name, "Value", fmt.Sprint(v), "N", from+i))
		}
	}
	return numbers, nil
}

// classes returns the rows of the classes in the reader's order, each of a width.
func (w *weights) classes(name string, width int) ([]float32, error) {
	numbers, err := w.read(name, 0, len(w.labels)*width)
	if err != nil {
		return nil, err
	}
	var ordered []float32
	for _, label := range order {
		switch class := slices.Index(w.labels, label); {
		case class >= 0:
			ordered = append(ordered, numbers[class*width:(class+1)*width]...)
		case width == 1:
			ordered = append(ordered, absent)
		default:
			ordered = append(ordered, make([]float32, width)...)
		}
	}
	return ordered, nil
}
