package reader

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/logits.json again, by the portable kernel")

// TestLogitsAreTheSameOnEveryMachine compares logits of a made model with stored ones, to the bit, by each kernel that
// the machine has.
func TestLogitsAreTheSameOnEveryMachine(t *testing.T) {
	weights, sequences := smallModel(t)
	compute := func(k kernel) (logits []string) {
		e := &encoder{weights: weights, kernel: k}
		for _, sequence := range sequences {
			logits = append(logits, fmt.Sprintf("%08x", bits32(e.logits(sequence, len(sequence)/2))))
		}
		return logits
	}
	const path = "testdata/logits.json"
	if *update {
		encoded, err := json.MarshalIndent(compute(portable), "", " ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, append(encoded, '\n'), 0o600))
	}
	stored, err := os.ReadFile(path)
	require.NoError(t, err)
	var want []string
	require.NoError(t, json.Unmarshal(stored, &want))
	for _, k := range append(otherKernels(t), portable) {
		require.Equal(t, want, compute(k), k.name)
	}
}

func bits32(logits [Classes]float32) [Classes]uint32 { return [Classes]uint32(bits(logits[:])) }

// smallModel returns a model of a fixed sequence of numbers, and 32 sequences of tokens of many lengths.
func smallModel(t *testing.T) (*weights, [][]int32) {
	random := generator(7)
	m := Model{
		Shape:      Shape{Pieces: 40, Positions: 160, Segments: 2, Width: 64, Layers: 2, Heads: 2, Inner: 96, Classes: Classes},
		Vocabulary: []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}, Tensors: map[string][]float32{},
	}
	for len(m.Vocabulary) < m.Pieces {
		m.Vocabulary = append(m.Vocabulary, fmt.Sprint("p", len(m.Vocabulary)))
	}
	for {
		// which tensors it asks for, and their sizes, is what it complains of
		file, err := Build(m)
		if err == nil {
			head, err := header(string(file))
			require.NoError(t, err)
			decoded, err := decode(string(file), head)
			require.NoError(t, err)
			return decoded, smallSequences(&random)
		}
		var name string
		var found, size int
		_, scanErr := fmt.Sscanf(err.Error(), "reader: tensor %s has %d numbers instead of %d", &name, &found, &size)
		require.NoError(t, scanErr, "%v", err)
		tensor := make([]float32, size)
		for i := range tensor {
			tensor[i] = float32(int32(random.next())) / (1 << 31) * 0.5
		}
		m.Tensors[name] = tensor
	}
}

func smallSequences(random *generator) (sequences [][]int32) {
	for i := range 32 {
		sequence := make([]int32, 1+i*5)
		for j := range sequence {
			sequence[j] = int32(random.next() % 40)
		}
		sequences = append(sequences, sequence)
	}
	return sequences
}
