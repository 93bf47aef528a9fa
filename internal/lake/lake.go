// Package lake stores artifacts by tenant and path: the sources of evidence bundles, and the bundles (rule B-13).
// An artifact is never overwritten, and no path leads out of its tenant's part.
package lake

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/files"
	"sanad/internal/words"
)

// MaxBytes is the size limit of an artifact.
const MaxBytes = files.MaxBytes

// Lake holds the artifacts of all tenants, in a folder or a bucket. It is safe for concurrent use.
type Lake struct{ place files.Place }

// Open opens the lake at a URL. "" means the folder standard, which is created if missing; the others are those of
// files.Open.
func Open(ctx context.Context, address, standard string) (*Lake, error) {
	place, err := open(ctx, address, standard)
	if err != nil {
		return nil, err
	}
	return &Lake{place}, nil
}

func open(ctx context.Context, address, standard string) (files.Place, error) {
	if address == "" {
		return files.OpenFolder(standard)
	}
	return files.Open(ctx, address)
}

// Close closes the lake.
func (l *Lake) Close() error { return l.place.Close() }

// Ready returns nil if the lake can be reached, and otherwise the reason why not.
func (l *Lake) Ready(ctx context.Context) error { return l.place.Ready(ctx) }

// Of returns a tenant's part of the lake. For an empty tenant it is an area that has nothing and accepts nothing.
func (l *Lake) Of(tenant string) *Area { return &Area{l.place, tenant + "/", isName(tenant)} }

func isName(tenant string) bool {
	return bundle.CheckPath(tenant) == nil && !strings.ContainsAny(tenant, "/.")
}

// Area is one tenant's part of a lake.
type Area struct {
	place  files.Place
	prefix string
	named  bool
}

// Put writes an artifact. If the same bytes are already stored, created is false; so it is when a service wrote them
// and its answer was lost. If other bytes are stored, they stay and the error is a Conflict.
func (a *Area) Put(ctx context.Context, path string, data []byte) (created bool, err error) {
	if err := a.check(path); err != nil {
		return false, err
	}
	if len(data) > MaxBytes {
		return false, domain.Refuse(domain.TooLarge, "", "refused_lake_most", "N", MaxBytes>>20)
	}
	err = a.place.Create(ctx, a.prefix+path, data)
	if !errors.Is(err, files.ErrExists) {
		return err == nil, publicError(ctx, "Put", err)
	}
	there, err := a.Get(ctx, path)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(there, data) {
		return false, domain.Refuse(domain.Conflict, "", "refused_lake_taken")
	}
	return false, nil
}

// Get reads a whole artifact.
func (a *Area) Get(ctx context.Context, path string) ([]byte, error) {
	if err := a.check(path); err != nil {
		return nil, err
	}
	data, _, err := a.place.Get(ctx, a.prefix+path)
	return data, publicError(ctx, "Get", err)
}

// Size returns the length of an artifact in bytes, without reading it.
func (a *Area) Size(ctx context.Context, path string) (int64, error) {
	if err := a.check(path); err != nil {
		return 0, err
	}
	n, err := a.place.Size(ctx, a.prefix+path)
	return n, publicError(ctx, "Size", err)
}

// Remove deletes an artifact for good; one that is not there is no error. Only an erasure does this (rule ER-1).
func (a *Area) Remove(ctx context.Context, path string) error {
	if err := a.check(path); err != nil {
		return err
	}
	err := a.place.Remove(ctx, a.prefix+path)
	if errors.Is(err, files.ErrMissing) {
		return nil
	}
	return publicError(ctx, "Remove", err)
}

// Load returns the function with which a bundle's builder reads artifacts.
func (a *Area) Load(ctx context.Context) bundle.Load {
	return func(path string) ([]byte, error) { return a.Get(ctx, path) }
}

func (a *Area) check(path string) error {
	if !a.named {
		return domain.Refuse(domain.NotFound, "", "refused_lake_part")
	}
	return bundle.CheckPath(path)
}

// publicError returns an error whose text may be shown. An error that is not from this package becomes Internal, and
// its text is not shown.
func publicError(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, files.ErrMissing):
		return domain.Refuse(domain.NotFound, "", "refused_lake_none")
	case errors.Is(err, files.ErrNoPlace):
		return domain.Refuse(domain.Conflict, "", "refused_lake_place")
	case errors.Is(err, files.ErrTooLong):
		return domain.Refuse(domain.Invalid, "", "refused_lake_long")
	case errors.Is(err, files.ErrLink):
		return domain.Refuse(domain.Invalid, "", "refused_lake_link")
	case errors.Is(err, files.ErrBig):
		return domain.Refuse(domain.TooLarge, "", "refused_lake_big", "N", MaxBytes>>20)
	}
	return &domain.Error{Kind: domain.Internal, Op: "lake." + op, Message: words.Msg("refused_lake_failed"),
		Err: err}
}
