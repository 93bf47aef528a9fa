package reader

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// The file of weights, all numbers little-endian, stored and embedded:
//
//	header      magic, version, then the fields of Shape and the vocabulary's length in bytes, uint32 each
//	form        in version 2 alone, a model of the operator's choice: the fields of Form and the length of the map of
//	            characters in bytes, uint32 each, and the SHA-256 of what the model was made from
//	vocabulary  pieces in the order of their ids, a line feed after each
//	unigram     in version 2, for Unigram: float64 score a piece, then the map of characters
//	tables      embeddings of pieces, positions and segments: float32 scale a row, then int8 rows
//	norm        of the embeddings: float32 gain and shift
//	layers      each: matrix of queries, keys and values (one below the other), matrix after the attention, norm, matrix
//	            into the inner width, matrix out of it, norm
//	head        matrix of the pooler, matrix of the classes
//	digest      SHA-256 of all that precedes
//
// A matrix is a float32 scale a row, a float32 bias a row, and panels of 32 rows. A panel runs along the columns: of
// four columns at a time it has 32 times 4 weights, so that every kernel reads it from front to back. Rows are filled
// up to whole panels with zeros. Tables, norms and matrices begin at multiples of 64 bytes.
const (
	magic        = "SANADRDR"
	version      = 1
	versionForm  = 2 // with a form
	headerFields = 9
	headerBytes  = len(magic) + 4 + 4*headerFields
	formBytes    = 4*(formFields+1) + sha256.Size
	mostCharsmap = 4 << 20
	sectionAlign = 64
)

// Classes is how many logits a pair has.
const Classes = 3

// Shape has the dimensions of a model.
type Shape struct {
	Pieces, Positions, Segments int // rows of the tables of embeddings
	Width                       int // of a token between layers
	Layers, Heads, Inner        int // Inner is the width within a layer's second half
	Classes                     int
}

// fields returns the dimensions in the order of the file.
func (s *Shape) fields() []*int {
	return []*int{&s.Pieces, &s.Positions, &s.Segments, &s.Width, &s.Layers, &s.Heads, &s.Inner, &s.Classes}
}

// check refuses dimensions that the encoder does not compute.
func (s Shape) check() error {
	within := func(value, least, most, step int) bool { return value >= least && value <= most && value%step == 0 }
	switch {
	case !within(s.Pieces, 4, mostPieces, 1), !within(s.Positions, 8, 1024, 1), !within(s.Segments, 1, 2, 1):
		return fmt.Errorf("reader: tables of %d pieces, %d positions and %d segments are not supported",
			s.Pieces, s.Positions, s.Segments)
	case !within(s.Width, 32, 1024, 32), !within(s.Inner, 32, 4096, 32), !within(s.Layers, 1, 24, 1):
		return fmt.Errorf("reader: %d layers of width %d and %d are not supported", s.Layers, s.Width, s.Inner)
	case !within(s.Heads, 1, 32, 1), s.Width%s.Heads != 0, !within(s.Width/s.Heads, 32, 128, 32):
		return fmt.Errorf("reader: %d heads of width %d are not supported", s.Heads, s.Width)
	case s.Classes != Classes:
		return fmt.Errorf("reader: %d classes are not supported; it has to be %d", s.Classes, Classes)
	}
	return nil
}

// A table has int8 rows, each with a scale.
type table struct {
	width  int
	scales string
	rows   []byte
}

// row returns a row of a table and its scale.
func (t *table) row(index int) ([]byte, float32) {
	return t.rows[index*t.width : (index+1)*t.width], floatAt(t.scales, index)
}

// normal has gain and shift of a layer normalisation.
type normal struct{ gain, shift []float32 }

// A matrix multiplies rows of width columns; each of its rows gives one value of the product. Rows are whole panels.
type matrix struct {
	rows, columns int
	scales, bias  []float32
	panels        []byte // int8 weights, in the file's own memory: never written to
}

// panel returns the weights of 32 rows of a matrix.
func (m *matrix) panel(index int) []byte {
	size := panelRows * m.columns
	return m.panels[index*size : (index+1)*size]
}

// layer has the weights of one layer.
type layer struct {
	attention, afterAttention matrix
	attentionNorm             normal
	inner, outer              matrix
	outerNorm                 normal
}

// weights are a decoded file. Scales, biases and norms were copied, int8 weights stay where they are.
type weights struct {
	Shape
	Form
	scores                      string  // of Unigram's pieces, float64
	leastScore                  float64 // of all pieces
	charsmap                    charsmap
	vocabulary                  *vocabulary
	pieces, positions, segments table
	embeddingNorm               normal
	layers                      []layer
	pooler, classes             matrix
}

// Faults of a file of weights.
var (
	ErrTruncated = errors.New("reader: the file of weights is cut off or too long")
	ErrChanged   = errors.New("reader: the file of weights does not have its own digest; it was changed")
)

// head is what stands before the vocabulary.
type head struct {
	Shape
	Form
	source                                string // digest, in hexadecimal; "" in version 1
	bytes, vocabularyBytes, charsmapBytes int    // bytes is of the header itself
}

// header reads what stands before the vocabulary, and refuses a file of another kind or length.
func header(file string) (h head, err error) {
	if len(file) < headerBytes+sha256.Size {
		return h, fmt.Errorf("%w: it has %d bytes", ErrTruncated, len(file))
	}
	if file[:len(magic)] != magic {
		return h, errors.New("reader: this is no file of weights")
	}
	at := len(magic) + 4
	for _, field := range append(h.fields(), &h.vocabularyBytes) {
		*field = int(uint32At(file, at))
		at += 4
	}
	h.Form = plain
	switch found := uint32At(file, len(magic)); {
	case found == versionForm && len(file) >= headerBytes+formBytes+sha256.Size:
		var numbers [formFields]uint32
		for i := range numbers {
			numbers[i] = uint32At(file, at+4*i)
		}
		h.setNumbers(numbers)
		at += 4 * formFields
		h.charsmapBytes = int(uint32At(file, at))
		h.source = hex.EncodeToString([]byte(file[at+4 : at+4+sha256.Size]))
		at += 4 + sha256.Size
	case found != version:
		return h, fmt.Errorf("reader: the file of weights has version %d; this program reads %d and %d",
			found, version, versionForm)
	}
	h.bytes = at
	if err := errors.Join(h.Shape.check(), h.Form.check(h.Pieces)); err != nil {
		return h, err
	}
	if h.vocabularyBytes > len(file) || h.charsmapBytes > min(len(file), mostCharsmap) {
		return h, fmt.Errorf("%w: its vocabulary has %d bytes, its character map %d", ErrTruncated,
			h.vocabularyBytes, h.charsmapBytes)
	}
	sizes := &section{}
	sizes.weights(h)
	if want := sizes.at + sha256.Size; want != len(file) {
		return h, fmt.Errorf("%w: it has %d bytes, its dimensions ask for %d", ErrTruncated, len(file), want)
	}
	return h, nil
}

// digest returns the digest that a file of weights says it has, in hexadecimal.
func digest(file string) string { return hex.EncodeToString([]byte(file[len(file)-sha256.Size:])) }

// decode reads a file whose header was read, and checks its digest.
func decode(file string, h head) (*weights, error) {
	body := len(file) - sha256.Size
	if sum := sha256.Sum256(bytesOf(file[:body])); string(sum[:]) != file[body:] {
		return nil, ErrChanged
	}
	from := &section{file: file}
	w := from.weights(h)
	if from.err != nil {
		return nil, from.err
	}
	if err := w.setVocabulary(file[h.bytes:h.bytes+h.vocabularyBytes], h.source == ""); err != nil {
		return nil, err
	}
	if found := len(w.vocabulary.ends); found != h.Pieces {
		return nil, fmt.Errorf("reader: the vocabulary has %d pieces, the table %d", found, h.Pieces)
	}
	return w, w.checkUnigram()
}

// setVocabulary reads the pieces. In version 1 the marks are found by their names, else the form has them.
func (w *weights) setVocabulary(lines string, named bool) (err error) {
	if named {
		w.vocabulary, err = newVocabulary(lines)
		return err
	}
	if w.vocabulary, err = newPieces(lines); err == nil {
		w.vocabulary.unknown, w.vocabulary.begin = int32(w.Form.Unknown), int32(w.Form.Begin)
		w.vocabulary.separator = int32(w.Form.Separator)
	}
	return err
}

// checkUnigram looks at what Unigram needs, and finds the least score.
func (w *weights) checkUnigram() error {
	if !w.charsmap.valid() {
		return errors.New("reader: the character map is damaged")
	}
	for id := range len(w.scores) / 8 {
		score := w.score(int32(id))
		if !(math.Abs(score) < 1e6) {
			return fmt.Errorf("reader: piece %d has the score %v", id, score)
		}
		w.leastScore = min(w.leastScore, score)
	}
	return nil
}

// A section reads a file from front to back. Without a file it only counts bytes.
type section struct {
	file string
	at   int
	err  error
}

// weights reads all that follows the header.
func (s *section) weights(h head) *weights {
	shape := h.Shape
	s.at = h.bytes + h.vocabularyBytes
	w := &weights{Shape: shape, Form: h.Form}
	if h.Tokenizer == Unigram {
		w.scores = s.take(8 * shape.Pieces)
	}
	w.charsmap = charsmap(s.take(h.charsmapBytes))
	w.pieces = s.table(shape.Pieces, shape.Width)
	w.positions = s.table(shape.Positions, shape.Width)
	w.segments = s.table(shape.Segments, shape.Width)
	w.embeddingNorm = s.normal(shape.Width)
	for range shape.Layers {
		w.layers = append(w.layers, layer{
			attention:      s.matrix(3*shape.Width, shape.Width),
			afterAttention: s.matrix(shape.Width, shape.Width),
			attentionNorm:  s.normal(shape.Width),
			inner:          s.matrix(shape.Inner, shape.Width),
			outer:          s.matrix(shape.Width, shape.Inner),
			outerNorm:      s.normal(shape.Width),
		})
	}
	w.pooler = s.matrix(shape.Width, shape.Width)
	w.classes = s.matrix(shape.Classes, shape.Width)
	return w
}

func (s *section) table(rows, width int) table {
	s.align()
	scales := s.take(4 * rows)
	if s.file != "" {
		s.floats(scales)
	}
	return table{width: width, scales: scales, rows: bytesOf(s.take(rows * width))}
}

func (s *section) normal(width int) normal {
	s.align()
	return normal{gain: s.floats(s.take(4 * width)), shift: s.floats(s.take(4 * width))}
}

func (s *section) matrix(rows, columns int) matrix {
	s.align()
	rows = wholePanels(rows)
	m := matrix{rows: rows, columns: columns, scales: s.floats(s.take(4 * rows)), bias: s.floats(s.take(4 * rows))}
	s.align()
	m.panels = bytesOf(s.take(rows * columns))
	return m
}

// align moves to the next multiple of 64.
func (s *section) align() { s.at = (s.at + sectionAlign - 1) &^ (sectionAlign - 1) }

// take returns the next bytes. The header has made sure that they are there.
func (s *section) take(size int) string {
	s.at += size
	if s.file == "" {
		return ""
	}
	return s.file[s.at-size : s.at]
}

// floats decodes numbers, and refuses what is not finite or so large that sums could overflow.
func (s *section) floats(encoded string) []float32 {
	values := make([]float32, len(encoded)/4)
	for i := range values {
		values[i] = floatAt(encoded, i)
		if !(math.Abs(float64(values[i])) < 1e6) && s.err == nil {
			s.err = fmt.Errorf("reader: the file of weights has the number %v", values[i])
		}
	}
	return values
}

// wholePanels rounds a number of rows up to whole panels.
func wholePanels(rows int) int { return (rows + panelRows - 1) / panelRows * panelRows }

func uint32At(file string, at int) uint32 {
	return binary.LittleEndian.Uint32([]byte(file[at : at+4]))
}

func floatAt(encoded string, index int) float32 {
	return math.Float32frombits(uint32At(encoded, 4*index))
}

// bytesOf returns the bytes of a string without copying them. They may be mapped read-only: nothing may write to them.
func bytesOf(text string) []byte {
	return unsafe.Slice(unsafe.StringData(text), len(text)) //nolint:gosec // nothing writes to them
}
