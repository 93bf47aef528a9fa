package reader_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/reader"
	"sanad/internal/reader/readertest"
)

func TestTestModelIsSmall(t *testing.T) {
	assert.InDelta(t, 100_000, len(readertest.Weights(1)), 50_000)
}

// TestTruncatedFileIsRefusedWhenItIsOpened cuts the file everywhere near its ends, and here and there between.
func TestTruncatedFileIsRefusedWhenItIsOpened(t *testing.T) {
	file := readertest.Weights(1)
	for cut := range len(file) {
		if cut > 200 && cut < len(file)-200 && cut%997 != 0 {
			continue
		}
		_, err := reader.Open(file[:cut])
		require.Error(t, err, "%d bytes", cut)
	}
	_, err := reader.Open(file[:len(file)-1])
	require.ErrorIs(t, err, reader.ErrTruncated)
	_, err = reader.Open(file + "x")
	require.ErrorIs(t, err, reader.ErrTruncated)
}

// TestChangedFileIsRefusedWhenItIsUsed changes one bit.
func TestChangedFileIsRefusedWhenItIsUsed(t *testing.T) {
	for _, at := range []int{60, 500, 50_000, -1} {
		file := []byte(readertest.Weights(1))
		file[(at+len(file))%len(file)] ^= 1
		r, err := reader.Open(string(file))
		require.NoError(t, err)
		_, err = r.Score(context.Background(), []reader.Pair{{Passage: "a", Claim: "b"}})
		require.ErrorIs(t, err, reader.ErrChanged, "%d", at)
		_, err = r.Tokens("a")
		require.ErrorIs(t, err, reader.ErrChanged)
		require.ErrorIs(t, r.Check(), reader.ErrChanged)
	}
}

// signed returns a file with its digest made again, as one who changes it on purpose would.
func signed(file []byte) string {
	body := file[:len(file)-sha256.Size]
	sum := sha256.Sum256(body)
	return string(append(body, sum[:]...))
}

func TestHostileFileIsRefused(t *testing.T) {
	const fields = 12 // bytes before the dimensions
	for field, values := range [][]uint32{
		{0, 1 << 30}, {0, 1 << 20}, {0, 3}, {0, 33, 1 << 31}, {0, 1000}, {0, 3, 1 << 16}, {0, 31, 1 << 20}, {2, 4},
		{0, 1 << 31, 0xFFFFFFFF},
	} {
		for _, value := range values {
			file := []byte(readertest.Weights(1))
			binary.LittleEndian.PutUint32(file[fields+4*field:], value)
			r, err := reader.Open(signed(file))
			if err == nil {
				err = r.Check()
			}
			require.Error(t, err, "field %d as %d", field, value)
		}
	}
	file := []byte(readertest.Weights(1))
	file[0] = 'x'
	_, err := reader.Open(signed(file))
	require.ErrorContains(t, err, "no file of weights")
	file = []byte(readertest.Weights(1))
	file[8] = 9
	_, err = reader.Open(signed(file))
	require.ErrorContains(t, err, "version 9")
	for _, bad := range []uint32{0x7FC00000, 0x7F800000, 0x60000000} { // not a number, infinite, huge
		file = []byte(readertest.Weights(1))
		binary.LittleEndian.PutUint32(file[len(file)-sha256.Size-32*64-64:], bad) // in the biases of the classes
		r, err := reader.Open(signed(file))
		require.NoError(t, err)
		require.ErrorContains(t, r.Check(), "has the number")
	}
}

func TestBuildRefuses(t *testing.T) {
	shape := reader.Shape{Pieces: 4, Positions: 8, Segments: 1, Width: 32, Layers: 1, Heads: 1, Inner: 32, Classes: 3}
	_, err := reader.Build(reader.Model{Shape: shape, Vocabulary: []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]"}})
	require.ErrorContains(t, err, "embeddings.word_embeddings.weight has 0 numbers instead of 128")
	shape.Heads = 3
	_, err = reader.Build(reader.Model{Shape: shape})
	require.ErrorContains(t, err, "3 heads")
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(readertest.Weights(1))[:4096], uint16(12), uint32(1))
	whole := readertest.Weights(1)
	f.Fuzz(func(t *testing.T, begin []byte, at uint16, value uint32) {
		file := []byte(whole)
		copy(file, begin)
		binary.LittleEndian.PutUint32(file[at:], value)
		r, err := reader.Open(signed(file))
		if err == nil && r.Check() == nil {
			_, err = r.Score(context.Background(), []reader.Pair{{Passage: "a passage", Claim: "a claim"}})
			assert.NoError(t, err)
		}
	})
}
