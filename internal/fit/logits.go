package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/text"
	"sanad/internal/reader"
)

// remembering is a reader that keeps what it said of a pair in a file outside the repository, so that only new pairs
// take time. A file belongs to the digest of the weights.
type remembering struct {
	reader *reader.Reader
	mu     sync.Mutex
	known  map[[keySize]byte]judge.Logits
	file   *os.File
}

// A record of the file is the first bytes of a pair's SHA-256 and its three logits.
const (
	keySize    = 16
	recordSize = keySize + 3*4
)

// openReader opens weights with what is remembered of them.
func openReader(weights string) (*remembering, error) {
	data, err := os.ReadFile(weights)
	if err != nil {
		return nil, err
	}
	r, err := reader.Open(string(data))
	if err != nil {
		return nil, err
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "sanad-fit")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	m := &remembering{reader: r, known: map[[keySize]byte]judge.Logits{}}
	if m.file, err = os.OpenFile(filepath.Join(dir, r.Digest()+".logits"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, err
	}
	return m, m.recall()
}

// recall reads the file.
func (m *remembering) recall() error {
	data, err := io.ReadAll(m.file)
	for ; len(data) >= recordSize; data = data[recordSize:] {
		at := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(data[keySize+4*i:])) }
		m.known[[keySize]byte(data)] = judge.Logits{Supports: at(0), Contradicts: at(1), Neither: at(2)}
	}
	return err
}

// Digest is the reader's.
func (m *remembering) Digest() string { return m.reader.Digest() }

// Unknown returns the words that the vocabulary does not spell.
func (m *remembering) Unknown(s string) ([]string, error) {
	spans, err := m.reader.Unknown(s)
	var out []string
	for _, span := range spans {
		out = append(out, text.Slice(s, text.Span{Start: span.From, End: span.To}))
	}
	return out, err
}

// Score asks the reader about the pairs that are new.
func (m *remembering) Score(ctx context.Context, claim string, passages []string) ([]judge.Logits, error) {
	out := make([]judge.Logits, len(passages))
	for i, p := range passages {
		sum := sha256.Sum256([]byte(p + "\x00" + claim))
		key := [keySize]byte(sum[:])
		m.mu.Lock()
		l, ok := m.known[key]
		m.mu.Unlock()
		if !ok {
			scores, err := m.reader.Score(ctx, []reader.Pair{{Passage: p, Claim: claim}})
			if long := (*reader.TooLongError)(nil); errors.As(err, &long) {
				return nil, &judge.LongError{Claim: long.Claim, Passage: i}
			}
			if err != nil {
				return nil, err
			}
			l = judge.Logits(scores[0])
			if err := m.keep(key, l); err != nil {
				return nil, err
			}
		}
		out[i] = l
	}
	return out, nil
}

// keep writes what was said of a pair.
func (m *remembering) keep(key [keySize]byte, l judge.Logits) error {
	record := append(make([]byte, 0, recordSize), key[:]...)
	for _, v := range []float32{l.Supports, l.Contradicts, l.Neither} {
		record = binary.LittleEndian.AppendUint32(record, math.Float32bits(v))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[key] = l
	_, err := m.file.Write(record)
	return err
}
