// Package files keeps whole files by key, in a folder or in a bucket: what one process writes, on whatever machine,
// every other one reads. Two writes on the same condition never both succeed.
package files

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"

	"gocloud.dev/blob"

	_ "sanad/internal/s3" // s3://
)

// MaxBytes is the size limit of a file.
const MaxBytes = 64 << 20

// Place keeps files by keys, which are paths with slashes that the caller has checked. It is safe for concurrent use.
type Place interface {
	// Create writes a file; ErrExists if the key is taken.
	Create(ctx context.Context, key string, data []byte) error
	// Get returns a file, and a version of it for Replace; ErrMissing if none.
	Get(ctx context.Context, key string) (data []byte, version string, err error)
	// Size returns the length of a file in bytes; ErrMissing if none.
	Size(ctx context.Context, key string) (int64, error)
	// Replace writes a file in the place of the one that has this version; ErrChanged if it has another one, or is gone.
	Replace(ctx context.Context, key string, data []byte, version string) error
	// Remove deletes a file; ErrMissing if none.
	Remove(ctx context.Context, key string) error
	// Keys returns the keys that begin with a prefix, in order.
	Keys(ctx context.Context, prefix string) ([]string, error)
	// Ready returns nil if the place can be reached, and otherwise the reason why not.
	Ready(ctx context.Context) error
	Close() error
}

// The errors that a place returns for a key.
var (
	ErrExists  = errors.New("a file already exists there")
	ErrMissing = errors.New("there is no file")
	ErrChanged = errors.New("the file has changed since it was read")
	ErrNoPlace = errors.New("a file is where the path needs a folder, or a folder where it needs a file")
	ErrTooLong = errors.New("a part of the path is too long for the file system")
	ErrLink    = errors.New("the path contains a link")
	ErrBig     = errors.New("the file exceeds the size limit")
)

// Open opens the place at a URL: file:///… is a folder, which is created if missing; anything else is a bucket, for
// which s3:// is compiled in (internal/s3).
func Open(ctx context.Context, address string) (Place, error) {
	dir, err := FolderOf(address)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		return OpenFolder(dir)
	}
	b, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, err
	}
	return &bucket{b}, nil
}

// FolderOf returns the folder that a URL file:///… names; "" if it is a bucket's.
func FolderOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("the address is not a URL")
	}
	if u.Scheme != "file" {
		return "", nil
	}
	if u.Host != "" || u.RawQuery != "" || !filepath.IsAbs(filepath.FromSlash(u.Path)) {
		return "", errors.New("a folder's address is file:// with an absolute path, and nothing after it")
	}
	return filepath.FromSlash(u.Path), nil
}

// readAll reads to the end; more than MaxBytes is an error.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		return nil, ErrBig
	}
	return data, err
}
