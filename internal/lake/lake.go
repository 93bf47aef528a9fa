// Package lake keeps artifacts by tenant and path: what evidence bundles are made of, and the bundles themselves (rule B-13).
// What is written once is never written over, and no path leads out of its tenant's part.
package lake

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // s3://

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
)

// MaxBytes is the largest artifact that is written or read.
const MaxBytes = 64 << 20

// Lake is all tenants' artifacts: a folder, or a bucket. It is safe for concurrent use.
type Lake struct{ place place }

// place is where artifacts lie, by whole keys.
type place interface {
	put(ctx context.Context, key string, data []byte) error // errExists where there is one
	get(ctx context.Context, key string) ([]byte, error)    // errMissing where there is none
	ready(ctx context.Context) error
	close() error
}

// What a place says of a key.
var (
	errExists  = errors.New("there is an artifact already")
	errMissing = errors.New("there is no artifact")
	errNoPlace = errors.New("an artifact stands where a folder is needed, or the other way round")
	errTooLong = errors.New("a part of the path is longer than the folder takes")
	errLink    = errors.New("a link stands in the way")
	errBig     = errors.New("the artifact is larger than is read")
)

// Open opens the lake at a URL: "" for the folder standard, which is made where it is missing; file:///… for another
// folder; else a bucket of gocloud.dev, of which s3:// is compiled in.
func Open(ctx context.Context, address, standard string) (*Lake, error) {
	if address == "" {
		return openFolder(standard)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the lake's address is no URL")
	}
	if u.Scheme != "file" {
		b, err := blob.OpenBucket(ctx, address)
		if err != nil {
			return nil, err
		}
		return &Lake{&bucket{b}}, nil
	}
	if u.Host != "" || u.RawQuery != "" || !filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return nil, errors.New("the address of a lake in a folder is file:// with an absolute path and nothing behind it")
	}
	return openFolder(filepath.FromSlash(u.Path))
}

func openFolder(dir string) (*Lake, error) {
	f, err := newFolder(dir)
	if err != nil {
		return nil, err
	}
	return &Lake{f}, nil
}

// Close closes the lake.
func (l *Lake) Close() error { return l.place.close() }

// Ready tells whether the lake can be reached: nil, or why not.
func (l *Lake) Ready(ctx context.Context) error { return l.place.ready(ctx) }

// Of is a tenant's part of the lake. Without a tenant it has nothing and takes nothing.
func (l *Lake) Of(tenant string) *Area { return &Area{l.place, tenant + "/", isName(tenant)} }

func isName(tenant string) bool {
	return bundle.CheckPath(tenant) == nil && !strings.ContainsAny(tenant, "/.")
}

// Area is one tenant's part of a lake.
type Area struct {
	place  place
	prefix string
	named  bool
}

// Put writes an artifact where there is none. created is false where the same bytes are there already; others are a
// Conflict, and stay.
func (a *Area) Put(ctx context.Context, path string, data []byte) (created bool, err error) {
	if err := a.check(path); err != nil {
		return false, err
	}
	if len(data) > MaxBytes {
		return false, domain.TooLargef("", "An artifact has at most %d MiB.", MaxBytes>>20)
	}
	err = a.place.put(ctx, a.prefix+path, data)
	if !errors.Is(err, errExists) {
		return err == nil, told(ctx, "Put", err)
	}
	there, err := a.Get(ctx, path)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(there, data) {
		return false, domain.Conflictf("Something else is in the lake at this path; what is there is never written over.")
	}
	return false, nil
}

// Get reads an artifact, whole.
func (a *Area) Get(ctx context.Context, path string) ([]byte, error) {
	if err := a.check(path); err != nil {
		return nil, err
	}
	data, err := a.place.get(ctx, a.prefix+path)
	return data, told(ctx, "Get", err)
}

// Load gives what a bundle is built with.
func (a *Area) Load(ctx context.Context) bundle.Load {
	return func(path string) ([]byte, error) { return a.Get(ctx, path) }
}

func (a *Area) check(path string) error {
	if !a.named {
		return domain.NotFoundf("There is no such part of the lake.")
	}
	return bundle.CheckPath(path)
}

// told makes what a place says fit to be shown. What is none of ours is Internal: nothing of it is shown.
func told(ctx context.Context, op string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errMissing):
		return domain.NotFoundf("There is no such artifact in the lake.")
	case errors.Is(err, errNoPlace):
		return domain.Conflictf("An artifact is in the lake where this path has a folder, or the other way round.")
	case errors.Is(err, errTooLong):
		return domain.Invalidf("", "A part of this path is longer than the lake takes.")
	case errors.Is(err, errLink):
		return domain.Invalidf("", "This path leads over a link; links are not followed.")
	case errors.Is(err, errBig):
		return domain.TooLargef("", "This artifact has more than %d MiB.", MaxBytes>>20)
	}
	return &domain.Error{Kind: domain.Internal, Op: "lake." + op, Msg: "The lake could not do this; try again.", Err: err}
}
