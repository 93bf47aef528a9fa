// Package judge judges claims against the session's chunks. It returns matches; the verdict is decided by domain/ledger
// alone. See README.md for what it promises.
package judge

import (
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
