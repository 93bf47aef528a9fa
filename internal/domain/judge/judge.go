// Package judge judges claims against the session's chunks. It returns matches; the verdict is decided by domain/ledger
// alone. See README.md for what it promises.
package judge

import (
	"context"
	"errors"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Judge turns a claim and the session's chunks into matches, best similarity first. It returns relevant matches
// only. An error means that the claim could not be judged: it stays unjudged, with the error's safe text as cause.
// Judge is called from several goroutines at once.
type Judge interface {
	Name() string
	Version() string
	Parameters() map[string]string
	Judge(c *ledger.Claim, x *Index) ([]ledger.Match, error)
}

// unjudged returns the error for a claim that cannot be judged.
func unjudged(id string) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "judge", Message: words.Msg(id)}
}

// Cause is what users may read of why a claim is unjudged.
func Cause(err error) domain.Message {
	var e *domain.Error
	if errors.As(err, &e) && e.Text() != "" {
		return e.Message
	}
	return words.Msg("note_failed")
}

// Reader is a model that reads a passage and a claim together. It is safe for concurrent use, and what it says of a pair
// depends on the pair alone.
type Reader interface {
	// Digest names the model: another model has another one.
	Digest() string
	// Score returns what the model says of a claim with each of the passages, in their order. It refuses what is too long
	// with a LongError, and stops between two passages when ctx is done.
	Score(ctx context.Context, claim string, passages []string) ([]Logits, error)
	// Unknown returns the words of a text that the model cannot see.
	Unknown(text string) ([]string, error)
}

// Logits are what a model says of a passage and a claim.
type Logits struct{ Supports, Contradicts, Neither float32 }

// support and contradiction say by how much the model prefers the one answer to the better one of the others.
func (l Logits) support() float64       { return float64(l.Supports - max(l.Contradicts, l.Neither)) }
func (l Logits) contradiction() float64 { return float64(l.Contradicts - max(l.Supports, l.Neither)) }

// LongError says that a claim, or a passage beside it, has more tokens than the model reads.
type LongError struct {
	Claim   bool
	Passage int // its index, where it is not the claim
}

func (e *LongError) Error() string {
	if e.Claim {
		return "judge: the claim is too long for the reader"
	}
	return "judge: a passage is too long for the reader"
}
