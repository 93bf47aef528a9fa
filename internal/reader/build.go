package reader

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// Model is a model in float32, with its tensors under the names that published models of the BERT family have, rows
// first.
type Model struct {
	Shape
	Vocabulary []string
	Tensors    map[string][]float32
}

// Build returns the file of weights of a model, each row of a tensor quantised with its own scale. A tensor that is
// missing or has another size is refused, and numbers that are not finite are.
func Build(m Model) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	vocabulary := strings.Join(m.Vocabulary, "\n") + "\n"
	if _, err := newVocabulary(vocabulary); err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := build(&file, m.Shape, nil, vocabulary, tensors(m.Tensors)); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// tensors are all in memory.
type tensors map[string][]float32

// Numbers is as Source asks.
func (t tensors) Numbers(name string, size, from, count int) ([]float32, error) {
	tensor := t[name]
	if len(tensor) != size {
		return nil, fmt.Errorf("reader: tensor %s has %d numbers instead of %d", name, len(tensor), size)
	}
	return tensor[from : from+count], nil
}

// Source gives the numbers of a model piece by piece, so that a large one is never in memory as a whole.
type Source interface {
	// Numbers returns count numbers of a tensor of a size, from a place on. They are valid until the next call.
	Numbers(name string, size, from, count int) ([]float32, error)
}

// Chosen is a model of the operator's choice.
type Chosen struct {
	Shape
	Form
	Pieces   []string // Shape.Pieces of them, in the order of their ids
	Marks    []int    // ids of pieces that no text has
	Scores   []float64
	Charsmap []byte
	Digest   [sha256.Size]byte // of what the model is made from
	Source   Source
}

// Check refuses a model that the reader does not compute.
func (c *Chosen) Check() error {
	if err := c.Shape.check(); err != nil {
		return err
	}
	if len(c.Pieces) != c.Shape.Pieces || c.Tokenizer == Unigram && len(c.Scores) != len(c.Pieces) {
		return fmt.Errorf("reader: %d pieces with %d scores do not fit a table of %d",
			len(c.Pieces), len(c.Scores), c.Shape.Pieces)
	}
	_, err := c.lines()
	return err
}

// Write writes the file of weights of the model, as Build does.
func (c *Chosen) Write(to io.Writer) error {
	if err := c.Check(); err != nil {
		return err
	}
	lines, err := c.lines()
	if err != nil {
		return err
	}
	return build(to, c.Shape, c, lines, c.Source)
}

// lines returns the pieces, each on its line, with the marks hidden.
func (c *Chosen) lines() (string, error) {
	if err := c.Form.check(len(c.Pieces)); err != nil {
		return "", err
	}
	var lines strings.Builder
	marks := map[int]bool{}
	for _, id := range c.Marks {
		marks[id] = true
	}
	for id, piece := range c.Pieces {
		if strings.ContainsAny(piece, "\n\x00") {
			return "", fmt.Errorf("reader: piece %d of the vocabulary, %q, has a line feed or a zero", id, piece)
		}
		if marks[id] {
			piece = hidden + piece
		}
		lines.WriteString(piece + "\n")
	}
	if _, err := newPieces(lines.String()); err != nil {
		return "", err
	}
	if !charsmap(c.Charsmap).valid() || len(c.Charsmap) > mostCharsmap {
		return "", fmt.Errorf("reader: the character map, %d bytes, is damaged or too large", len(c.Charsmap))
	}
	return lines.String(), nil
}

// build writes a file of weights; chosen is nil for version 1.
func build(to io.Writer, m Shape, chosen *Chosen, vocabulary string, source Source) error {
	if err := m.check(); err != nil {
		return err
	}
	sum := sha256.New()
	b := &builder{file: bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20), source: source}
	b.write([]byte(magic))
	if chosen == nil {
		b.number(version)
	} else {
		b.number(versionForm)
	}
	for _, field := range m.fields() {
		b.number(uint32(*field))
	}
	b.number(uint32(len(vocabulary)))
	if chosen != nil {
		for _, number := range chosen.Form.numbers() {
			b.number(number)
		}
		b.number(uint32(len(chosen.Charsmap)))
		b.write(chosen.Digest[:])
	}
	b.write([]byte(vocabulary))
	if chosen != nil && chosen.Tokenizer == Unigram {
		for _, score := range chosen.Scores {
			b.write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(score)))
		}
		b.write(chosen.Charsmap)
	}
	b.model(m)
	if b.err != nil {
		return b.err
	}
	if err := b.file.Flush(); err != nil {
		return err
	}
	_, err := to.Write(sum.Sum(nil))
	return err
}

// model writes all that follows the vocabulary.
func (b *builder) model(m Shape) {
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
}

// builder writes a file from front to back. It keeps the first fault, and writes nothing after it.
type builder struct {
	file   *bufio.Writer
	at     int
	source Source
	err    error
}

func (b *builder) write(bytes []byte) {
	if b.err == nil {
		b.at += len(bytes)
		_, b.err = b.file.Write(bytes)
	}
}

// numbers returns numbers of a tensor, or zeros after a fault.
func (b *builder) numbers(name string, size, from, count int) []float32 {
	if b.err == nil {
		var numbers []float32
		numbers, b.err = b.source.Numbers(name, size, from, count)
		for _, v := range numbers {
			if !(math.Abs(float64(v)) < 1e6) {
				b.err = fmt.Errorf("reader: tensor %s has the number %v", name, v)
				break
			}
		}
		if b.err == nil {
			return numbers
		}
	}
	return make([]float32, count)
}

func (b *builder) tensor(name string, size int) []float32 { return b.numbers(name, size, 0, size) }

func (b *builder) number(v uint32) { b.write(binary.LittleEndian.AppendUint32(nil, v)) }

func (b *builder) floats(values []float32) {
	for _, v := range values {
		b.number(math.Float32bits(v))
	}
}

func (b *builder) align() {
	b.write(make([]byte, -b.at&(sectionAlign-1)))
}

// tableRows is how many rows of a table are in memory at a time.
const tableRows = 1024

// table writes the scales of all rows, then their numbers: it reads the tensor twice.
func (b *builder) table(name string, rows, width int) {
	b.align()
	pass := func(write func(scales []float32, ints []int8)) {
		for first := 0; first < rows && b.err == nil; first += tableRows {
			count := min(tableRows, rows-first)
			write(quantiseRows(b.numbers(name, rows*width, first*width, count*width), width))
		}
	}
	pass(func(scales []float32, _ []int8) { b.floats(scales) })
	pass(func(_ []float32, ints []int8) { b.ints(ints) })
}

func (b *builder) ints(ints []int8) {
	bytes := make([]byte, len(ints))
	for i, v := range ints {
		bytes[i] = byte(v)
	}
	b.write(bytes)
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
	panels := make([]int8, 0, len(ints))
	for panel := 0; panel < whole; panel += panelRows {
		for column := 0; column < columns; column += quad {
			for row := panel; row < panel+panelRows; row++ {
				panels = append(panels, ints[row*columns+column:row*columns+column+quad]...)
			}
		}
	}
	b.ints(panels)
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
