package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"sanad/internal/domain/judge"
)

// Answers are what a reader said of some claims and passages, kept so that they need not be read again.
type Answers struct {
	Reader  string                `json:"reader"`  // digest of the one that said it
	Unknown map[string][]string   `json:"unknown"` // by claim: the words that it cannot see
	Pairs   map[string][3]float32 `json:"pairs"`   // by pairKey: supports, contradicts, neither

	mu sync.Mutex // of whoever adds to them
}

// pairKey names a claim with a passage.
func pairKey(claim, passage string) string {
	sum := sha256.Sum256([]byte(claim + "\x00" + passage))
	return hex.EncodeToString(sum[:8])
}

// Remembering returns the judge with answers of its own reader. It reads, and looks at its weights, only if it is asked
// about something else. Answers of another reader are of no use: the judge is returned as it is.
func (e *Embedded) Remembering(known *Answers) *Embedded {
	if e == nil || known.Reader != e.digest {
		return e
	}
	r := remembering{known, e.reader}
	out := *e
	out.reader = func() (judge.Reader, error) { return r, nil }
	return &out
}

// remembering is a reader that is asked only about what is not known.
type remembering struct {
	known *Answers
	rest  func() (judge.Reader, error)
}

// Digest is that of the reader which the answers are of.
func (r remembering) Digest() string { return r.known.Reader }

// Unknown returns the words that the reader cannot see.
func (r remembering) Unknown(claim string) ([]string, error) {
	if words, known := r.known.Unknown[claim]; known {
		return words, nil
	}
	rest, err := r.rest()
	if err != nil {
		return nil, err
	}
	return rest.Unknown(claim)
}

// Score returns what is known of all of the passages, else what the reader says of them.
func (r remembering) Score(ctx context.Context, claim string, passages []string) ([]judge.Logits, error) {
	out := make([]judge.Logits, len(passages))
	for i, p := range passages {
		known, is := r.known.Pairs[pairKey(claim, p)]
		if !is {
			rest, err := r.rest()
			if err != nil {
				return nil, err
			}
			return rest.Score(ctx, claim, passages)
		}
		out[i] = judge.Logits{Supports: known[0], Contradicts: known[1], Neither: known[2]}
	}
	return out, nil
}

// Recording returns the judge, which adds whatever its reader says to the answers.
func (e *Embedded) Recording() (*Embedded, *Answers) {
	to := &Answers{Reader: e.digest, Unknown: map[string][]string{}, Pairs: map[string][3]float32{}}
	out := *e
	out.reader = func() (judge.Reader, error) {
		r, err := e.reader()
		if err != nil {
			return nil, err
		}
		return recording{r, to}, nil
	}
	return &out, to
}

// recording is a reader whose answers are kept.
type recording struct {
	judge.Reader
	to *Answers
}

// Unknown asks the reader, and keeps its answer.
func (r recording) Unknown(claim string) ([]string, error) {
	words, err := r.Reader.Unknown(claim)
	r.to.mu.Lock()
	defer r.to.mu.Unlock()
	if err == nil {
		r.to.Unknown[claim] = slices.Clone(words)
	}
	return words, err
}

// Score asks the reader, and keeps its answers.
func (r recording) Score(ctx context.Context, claim string, passages []string) ([]judge.Logits, error) {
	out, err := r.Reader.Score(ctx, claim, passages)
	r.to.mu.Lock()
	defer r.to.mu.Unlock()
	for i := range out {
		r.to.Pairs[pairKey(claim, passages[i])] = [3]float32{out[i].Supports, out[i].Contradicts, out[i].Neither}
	}
	return out, err
}
