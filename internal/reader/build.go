package reader

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// Model is a model in float32, with its tensors under the names that published models of the BERT family have, rows first.
type Model struct {
	Shape
	Vocabulary []string
	Tensors    map[string][]float32
}

// Build returns the file of weights of a model, each row of a tensor quantised with its own scale. A tensor that is missing
// or has another size is refused, and numbers that are not finite are.
func Build(m Model) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	b := &builder{tensors: m.Tensors}
	vocabulary := strings.Join(m.Vocabulary, "\n") + "\n"
	if _, err := newVocabulary(vocabulary); err != nil {
		return nil, err
	}
	b.file.WriteString(magic)
	b.number(version)
	for _, field := range m.fields() {
		b.number(uint32(*field))
	}
	b.number(uint32(len(vocabulary)))
	b.file.WriteString(vocabulary)
	b.table("embeddings.word_embeddings.weight", m.Pieces, m.Width)
	b.table("embeddings.position_embeddings.weight", m.Positions, m.Width)
	b.table("embeddings.token_type_embeddings.weight", m.Segments, m.Width)
	b.normal("embeddings.LayerNorm", m.Width)
	for i := range m.Layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		b.matrix(m.Width, m.Width, layer+"attention.self.query", layer+"attention.self.key", layer+"attention.self.value")
		b.matrix(m.Width, m.Width, layer+"attention.output.dense")
		b.normal(layer+"attention.output.LayerNorm", m.Width)
		b.matrix(m.Inner, m.Width, layer+"intermediate.dense")
		b.matrix(m.Width, m.Inner, layer+"output.dense")
		b.normal(layer+"output.LayerNorm", m.Width)
	}
	b.matrix(m.Width, m.Width, "pooler.dense")
	b.matrix(m.Classes, m.Width, "classifier")
	if b.err != nil {
		return nil, b.err
	}
	sum := sha256.Sum256(b.file.Bytes())
	b.file.Write(sum[:])
	return b.file.Bytes(), nil
}

// builder writes a file from front to back. It keeps the first fault.
type builder struct {
	file    bytes.Buffer
	tensors map[string][]float32
	err     error
}

// tensor returns a tensor, or zeros of its size after a fault.
func (b *builder) tensor(name string, size int) []float32 {
	tensor := b.tensors[name]
	if len(tensor) == size {
		for _, v := range tensor {
			if !(math.Abs(float64(v)) < 1e6) {
				b.fault(fmt.Errorf("reader: tensor %s has the number %v", name, v))
			}
		}
		return tensor
	}
	b.fault(fmt.Errorf("reader: tensor %s has %d numbers instead of %d", name, len(tensor), size))
	return make([]float32, size)
}

func (b *builder) fault(err error) {
	if b.err == nil {
		b.err = err
	}
}

func (b *builder) number(v uint32) { b.file.Write(binary.LittleEndian.AppendUint32(nil, v)) }

func (b *builder) floats(values []float32) {
	for _, v := range values {
		b.number(math.Float32bits(v))
	}
}

func (b *builder) align() {
	b.file.Write(make([]byte, -b.file.Len()&(sectionAlign-1)))
}

func (b *builder) table(name string, rows, width int) {
	b.align()
	scales, ints := quantiseRows(b.tensor(name, rows*width), width)
	b.floats(scales)
	for _, v := range ints {
		b.file.WriteByte(byte(v))
	}
}

func (b *builder) normal(name string, width int) {
	b.align()
	b.floats(b.tensor(name+".weight", width))
	b.floats(b.tensor(name+".bias", width))
}

// matrix writes one matrix of several, each with the same number of rows, one below the other.
func (b *builder) matrix(rows, columns int, names ...string) {
	b.align()
	var weights, bias []float32
	for _, name := range names {
		weights = append(weights, b.tensor(name+".weight", rows*columns)...)
		bias = append(bias, b.tensor(name+".bias", rows)...)
	}
	whole := wholePanels(len(bias))
	weights = append(weights, make([]float32, (whole-len(bias))*columns)...)
	bias = append(bias, make([]float32, whole-len(bias))...)
	scales, ints := quantiseRows(weights, columns)
	b.floats(scales)
	b.floats(bias)
	b.align()
	for panel := 0; panel < whole; panel += panelRows {
		for column := 0; column < columns; column += quad {
			for row := panel; row < panel+panelRows; row++ {
				for _, v := range ints[row*columns+column : row*columns+column+quad] {
					b.file.WriteByte(byte(v))
				}
			}
		}
	}
}

// quantiseRows quantises rows of a width.
func quantiseRows(tensor []float32, width int) (scales []float32, ints []int8) {
	ints = make([]int8, len(tensor))
	for at := 0; at < len(tensor); at += width {
		scale, _ := quantiseRow(ints[at:at+width], tensor[at:at+width])
		scales = append(scales, scale)
	}
	return scales, ints
}
