package weights_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/reader"
	"sanad/internal/reader/weights"
)

// line is what internal/reader/train/golden_logits.py wrote of a pair.
type line struct {
	Passage, Claim string
	IDs            []int32   // tokens of the passage
	Logits         []float32 // of torch in float32; none where only tokens are compared
}

// sameClass is the share of pairs that int8 and float32 have to agree on.
const sameClass = 0.99

// TestReaderSaysWhatTorchSays compares the reader in int8 with torch in float32: tokens, and the class of each pair.
// GOLDEN and READER name other files than the shipped ones.
func TestReaderSaysWhatTorchSays(t *testing.T) {
	file := weights.File
	if path := os.Getenv("READER"); path != "" {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		file = string(content)
	}
	r, err := reader.Open(file)
	require.NoError(t, err)
	path := "testdata/golden.jsonl.gz"
	if other := os.Getenv("GOLDEN"); other != "" {
		path = other
	}
	var pairs []reader.Pair
	var want []int
	for _, l := range lines(t, path) {
		ids, err := r.IDs(l.Passage)
		require.NoError(t, err)
		require.Equal(t, l.IDs, ids, l.Passage)
		if len(l.Logits) == reader.Classes {
			pairs = append(pairs, reader.Pair{Passage: l.Passage, Claim: l.Claim})
			want = append(want, class(l.Logits))
		}
	}
	got, err := r.Score(context.Background(), pairs)
	require.NoError(t, err)
	same := 0
	for i, logits := range got {
		if class([]float32{logits.Supports, logits.Contradicts, logits.Neither}) == want[i] {
			same++
		} else {
			t.Log("other class:", pairs[i], logits)
		}
	}
	t.Logf("%d of %d pairs have the class of float32", same, len(pairs))
	require.GreaterOrEqual(t, float64(same), sameClass*float64(len(pairs)))
}

func lines(t *testing.T, path string) (all []line) {
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	content, err := gzip.NewReader(file)
	require.NoError(t, err)
	for decoder := json.NewDecoder(content); ; {
		var l line
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		if l.IDs == nil {
			l.IDs = []int32{}
		}
		all = append(all, l)
	}
	require.GreaterOrEqual(t, len(all), 450)
	return all
}

// class returns the index of the largest number.
func class(logits []float32) (largest int) {
	for i, logit := range logits {
		if logit > logits[largest] {
			largest = i
		}
	}
	return largest
}

// TestCardNamesTheWeights: the model card is about this file.
func TestCardNamesTheWeights(t *testing.T) {
	card, err := os.ReadFile("../../../docs/reader.md")
	require.NoError(t, err)
	require.Contains(t, string(card), fmt.Sprintf("%x", sha256.Sum256([]byte(weights.File))))
}
