// Package readertest makes a small model from a seed, for tests that need a reader but no true verdicts.
package readertest

import (
	"fmt"
	"math/rand/v2"

	"sanad/internal/reader"
)

// Weights returns a file of weights of about 100 KB. Its vocabulary spells what is written in Latin and Arabic letters
// and in digits, letter by letter.
func Weights(seed uint64) string {
	file, err := reader.Build(model(seed))
	if err != nil {
		panic(err) // all that it is made of stands in model
	}
	return string(file)
}

// model is the model of a seed.
func model(seed uint64) reader.Model {
	pieces := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789ابتثجحخدذرزسشصضطظعغفقكلمنهويةى" {
		pieces = append(pieces, string(r), "##"+string(r))
	}
	for _, r := range `.,;:!?'"()[]-–%/@#$&*+=<>،؛؟` {
		pieces = append(pieces, string(r))
	}
	model := reader.Model{
		Shape: reader.Shape{Pieces: len(pieces), Positions: 512, Segments: 2, Width: 64, Layers: 2, Heads: 2, Inner: 96,
			Classes: reader.Classes},
		Vocabulary: pieces,
		Tensors:    map[string][]float32{},
	}
	random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // the same model is wanted each time
	fill := func(name string, size int, centre, spread float32) {
		values := make([]float32, size)
		for i := range values {
			values[i] = centre + spread*(2*random.Float32()-1)
		}
		model.Tensors[name] = values
	}
	norm := func(name string) {
		fill(name+".weight", model.Width, 1, 0.2)
		fill(name+".bias", model.Width, 0, 0.2)
	}
	dense := func(name string, rows, columns int) {
		fill(name+".weight", rows*columns, 0, 0.3)
		fill(name+".bias", rows, 0, 0.1)
	}
	fill("embeddings.word_embeddings.weight", model.Pieces*model.Width, 0, 1)
	fill("embeddings.position_embeddings.weight", model.Positions*model.Width, 0, 0.5)
	fill("embeddings.token_type_embeddings.weight", model.Segments*model.Width, 0, 0.5)
	norm("embeddings.LayerNorm")
	for i := range model.Layers {
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			dense(layer+name, model.Width, model.Width)
		}
		norm(layer + "attention.output.LayerNorm")
		dense(layer+"intermediate.dense", model.Inner, model.Width)
		dense(layer+"output.dense", model.Width, model.Inner)
		norm(layer + "output.LayerNorm")
	}
	dense("pooler.dense", model.Width, model.Width)
	dense("classifier", model.Classes, model.Width)
	return model
}
