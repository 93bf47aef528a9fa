package app

import (
	"context"
	"errors"
	"sync"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/text"
	"sanad/internal/quota"
	"sanad/internal/reader"
	"sanad/internal/words"
)

// Embedded is the embedded judge with the reader that this process was started with. A nil one has no reader and
// compares words only. It is safe for concurrent use.
type Embedded struct {
	digest   string                       // of the reader, "" if it cannot be read
	reader   func() (judge.Reader, error) // opens it when it is first needed
	balances *judge.Balances              // that were found for it, nil for the shipped ones
	turns    *quota.Pool                  // of whoever reads
	chosen   bool                         // by the operator: its digest is that of what it was made from
	kernel   func() (name, failed string) // of the reader, nil if it is not known
}

// NewEmbedded returns a judge that reads with a file of weights, which is checked when a claim is first judged.
func NewEmbedded(weights string) *Embedded {
	r, err := reader.Open(weights)
	if err != nil {
		return &Embedded{reader: func() (judge.Reader, error) { return nil, err }}
	}
	pool := newTurns()
	return &Embedded{digest: r.Digest(), turns: pool, kernel: r.Kernel, reader: sync.OnceValues(func() (judge.Reader, error) {
		if err := r.Check(); err != nil {
			return nil, err
		}
		if err := judge.CheckReader(r.Digest()); err != nil {
			return nil, err
		}
		return turns{reads{r, r.Digest()}, pool}, nil
	})}
}

// EmbeddedWith returns a judge with a reader and the balances that were found for it.
func EmbeddedWith(r judge.Reader, b *judge.Balances) *Embedded {
	taking := turns{r, newTurns()}
	e := &Embedded{digest: r.Digest(), reader: func() (judge.Reader, error) { return taking, nil }, balances: b,
		turns: taking.pool}
	if by, ok := r.(interface{ Kernel() (name, failed string) }); ok {
		e.kernel = by.Kernel
	}
	return e
}

// NewChosen returns a judge that reads with a model of the operator's choice.
func NewChosen(r *reader.Reader) *Embedded { return ChosenWith(reads{r, r.Source()}) }

// ChosenWith returns a judge with a reader of the operator's choice.
func ChosenWith(r judge.Reader) *Embedded {
	e := EmbeddedWith(r, nil)
	e.chosen = true
	return e
}

// Chosen returns the digest of the operator's own reader, "" if the judge has none.
func (e *Embedded) Chosen() string {
	if e == nil || !e.chosen {
		return ""
	}
	return e.digest
}

// Judge returns the judge for no tenant: what a reader of the operator's choice says is not calibrated. If the weights
// are refused it compares words only, and Fault says why.
func (e *Embedded) Judge() judge.Embedded {
	if e == nil {
		return judge.NewEmbedded(nil)
	}
	r, err := e.reader()
	switch {
	case err != nil:
		return judge.NewEmbedded(nil)
	case e.chosen:
		return judge.NewChosen(r, nil)
	case e.balances != nil:
		return judge.NewEmbeddedWith(r, e.balances)
	}
	return judge.NewEmbedded(r)
}

// For returns the judge for a tenant, with the tenant's calibration of a reader of the operator's choice.
func (e *Embedded) For(ctx context.Context, store *db.Store, tenant string) (judge.Embedded, error) {
	if e.Chosen() == "" {
		return e.Judge(), nil
	}
	stored, err := store.ReaderCalibration(ctx, tenant, e.digest)
	switch {
	case err == nil:
	case domain.KindOf(err) == domain.NotFound:
		return e.Judge(), nil // it is not calibrated
	default:
		return judge.Embedded{}, err
	}
	calibrated, err := judge.ReadBalances([]byte(stored.Balances))
	if err != nil {
		return judge.Embedded{}, err
	}
	r, err := e.reader()
	return judge.NewChosen(r, calibrated), err
}

// Fault returns why the judge does without its reader, nil if it has one or was given none.
func (e *Embedded) Fault() error {
	if e == nil {
		return nil
	}
	_, err := e.reader()
	return err
}

// Kernel returns the name of the functions that the reader computes with, and of faster ones that were given up because
// they compute something else on this machine, "" if none. Both are "" without a reader.
func (e *Embedded) Kernel() (name, failed string) {
	if e == nil || e.kernel == nil {
		return "", ""
	}
	return e.kernel()
}

// warnings say that words only were compared although there is a reader, or that what it says is not calibrated.
func (e *Embedded) warnings(own judge.Embedded) []domain.Warning {
	switch {
	case e.Fault() != nil:
		return []domain.Warning{domain.Warn("judge", words.Msg("warning_no_reader"))}
	case e.Chosen() != "" && !own.Calibrated():
		return []domain.Warning{domain.Warn("judge", words.Msg("warning_reader_uncalibrated"))}
	}
	return nil
}

// reads is a reader as the judge needs it.
type reads struct {
	reader *reader.Reader
	digest string
}

// Digest names the model.
func (r reads) Digest() string { return r.digest }

// Kernel names the functions that compute.
func (r reads) Kernel() (name, failed string) { return r.reader.Kernel() }

// Score reads a claim with each passage.
func (r reads) Score(ctx context.Context, claim string, passages []string) ([]judge.Logits, error) {
	pairs := make([]reader.Pair, len(passages))
	for i, p := range passages {
		pairs[i] = reader.Pair{Passage: p, Claim: claim}
	}
	scores, err := r.reader.Score(ctx, pairs)
	if long := (*reader.TooLongError)(nil); errors.As(err, &long) {
		return nil, &judge.LongError{Claim: long.Claim, Passage: long.Pair}
	}
	if err != nil {
		return nil, err
	}
	out := make([]judge.Logits, len(scores))
	for i, s := range scores {
		out[i] = judge.Logits(s)
	}
	return out, nil
}

// Unknown returns the words that the vocabulary does not spell.
func (r reads) Unknown(s string) ([]string, error) {
	spans, err := r.reader.Unknown(s)
	out := make([]string, 0, len(spans))
	for _, span := range spans {
		out = append(out, text.Slice(s, text.Span{Start: span.From, End: span.To}))
	}
	return out, err
}
