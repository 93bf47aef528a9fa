// Package originals keeps uploaded files unchanged in a bucket, by default a folder beside the database. It knows no
// table.
package originals

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"

	"sanad/internal/db/sqldb"
)

// Files is the bucket of the originals; nobody may use it before Open.
type Files struct {
	*blob.Bucket
	Folder string // the bucket's folder; "" if the bucket is not a folder, or if it puts a prefix before its keys
}

// Folder returns the folder of the originals; "" if the bucket isn't a folder, or puts a prefix
// before its keys.
func Folder(address, dir string) string {
	if address == "" {
		return filepath.Join(dir, "originals")
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != fileblob.Scheme || u.Query().Has("prefix") {
		return ""
	}
	if u.Host == "." { // fileblob's notation for a path below the working directory
		return filepath.FromSlash(strings.TrimPrefix(u.Path, "/"))
	}
	return filepath.FromSlash(u.Path)
}

// Open opens the bucket at an address, by default a private folder in dir.
func (files *Files) Open(ctx context.Context, address, dir string) (err error) {
	files.Folder = Folder(address, dir)
	if address != "" {
		files.Bucket, err = blob.OpenBucket(ctx, address)
		return err
	}
	files.Bucket, err = fileblob.OpenBucket(files.Folder, &fileblob.Options{
		CreateDir: true, DirFileMode: 0o700, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
	})
	return err
}

// Private returns the options to write a file that only its owner may read. fileblob leaves that to the umask.
func Private(mediaType string) *blob.WriterOptions {
	return &blob.WriterOptions{ContentType: mediaType, BeforeWrite: func(as func(any) bool) error {
		var f *os.File
		if as(&f) { // a folder, no bucket
			return f.Chmod(0o600)
		}
		return nil
	}}
}

// Put writes a file under a key that is new, and never over another file. If the answer to a first attempt
// was lost, the second one finds the same bytes.
func (files *Files) Put(ctx context.Context, key string, data []byte, mediaType string) error {
	o := Private(mediaType)
	o.IfNotExist = true
	err := files.WriteAll(ctx, key, data, o)
	if gcerrors.Code(err) != gcerrors.FailedPrecondition {
		return err
	}
	there, readErr := files.ReadAll(ctx, key)
	if readErr == nil && bytes.Equal(there, data) {
		return nil
	}
	return errors.Join(err, readErr)
}

// Sync syncs a file of the bucket's folder, and its directory entry, to disk. fileblob doesn't, so without this
// the database could name a file that a power failure removed.
func (files *Files) Sync(key string) error {
	if files.Folder == "" {
		return nil
	}
	path := filepath.Join(files.Folder, filepath.FromSlash(key)) // a key is two UUIDs, which fileblob doesn't escape
	// fileblob writes one beside it by default
	attributes := path + ".attrs"
	for _, name := range []string{path, attributes, filepath.Dir(path), files.Folder} {
		part, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) && name == attributes {
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(part.Sync(), part.Close()); err != nil {
			return err
		}
	}
	return nil
}

// SyncFolder syncs the folder of a deleted original to disk, so that a power failure does not bring it back.
func (files *Files) SyncFolder(key string) error {
	if files.Folder == "" {
		return nil
	}
	dir, err := os.Open(filepath.Dir(filepath.Join(files.Folder, filepath.FromSlash(key))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Drop removes files whose rows were not stored, even if ctx has ended.
func (files *Files) Drop(ctx context.Context, keys ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTimeout)
	defer cancel()
	for _, key := range keys {
		_ = files.Delete(ctx, key) // what remains is an orphan that no row names
	}
}

// DropUnstored is Drop after a transaction failed with err, unless that may have stored what names them.
func (files *Files) DropUnstored(ctx context.Context, err error, keys ...string) {
	if !sqldb.OutcomeUnknown(err) {
		files.Drop(ctx, keys...)
	}
}

const dropTimeout = 10 * time.Second
