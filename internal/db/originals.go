package db

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
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
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Original is an uploaded file, unchanged.
type Original struct {
	Document  int // index of its document in the session
	MediaType string
	Data      []byte
}

// OriginalMeta describes a stored original.
type OriginalMeta struct {
	Filename  string
	MediaType string
	Withdrawn string // why the document is out of use, "" if it is in use
	Size      int64
}

// HiddenFrom reports whether people of a role may not have the file (rule ER-3).
func (m *OriginalMeta) HiddenFrom(role domain.Role) bool {
	return (&ledger.Document{Withdrawn: m.Withdrawn}).HiddenFrom(role)
}

// originalsFolder returns the folder of the originals; "" if the bucket isn't a folder, or puts a prefix
// before its keys.
func originalsFolder(o Options) string {
	if o.Bucket == "" {
		return filepath.Join(o.Dir, "originals")
	}
	u, err := url.Parse(o.Bucket)
	if err != nil || u.Scheme != fileblob.Scheme || u.Query().Has("prefix") {
		return ""
	}
	if u.Host == "." { // fileblob's notation for a path below the working directory
		return filepath.FromSlash(strings.TrimPrefix(u.Path, "/"))
	}
	return filepath.FromSlash(u.Path)
}

// openBucket opens the bucket that o names, by default a private folder beside the database.
func openBucket(ctx context.Context, o Options) (*blob.Bucket, error) {
	if o.Bucket != "" {
		return blob.OpenBucket(ctx, o.Bucket)
	}
	return fileblob.OpenBucket(originalsFolder(o), &fileblob.Options{
		CreateDir: true, DirFileMode: 0o700, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
	})
}

// private returns the options to write a file that only its owner may read. fileblob leaves that to the umask.
func private(mediaType string) *blob.WriterOptions {
	return &blob.WriterOptions{ContentType: mediaType, BeforeWrite: func(as func(any) bool) error {
		var f *os.File
		if as(&f) { // a folder, no bucket
			return f.Chmod(0o600)
		}
		return nil
	}}
}

// ignoreMissing returns err, but nil for a file that was removed meanwhile.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Original opens the file that a document was made from; the caller closes it.
func (s *Store) Original(ctx context.Context, tenant, documentID string) (io.ReadCloser, OriginalMeta, error) {
	var key string
	var meta OriginalMeta
	err := s.Read(ctx, "Original", func(t *sqldb.Tx) error {
		return t.Row(`SELECT blob, filename, media_type, withdrawn FROM documents
			WHERE tenant_id = ? AND id = ? AND blob <> '' AND status = 'ready'`,
			[]any{tenant, documentID}, &key, &meta.Filename, &meta.MediaType, &meta.Withdrawn)
	})
	if err != nil {
		return nil, OriginalMeta{}, err
	}
	r, err := s.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, OriginalMeta{}, sqldb.Fail("Original", err)
	}
	meta.Size = r.Size()
	return r, meta, nil
}

// putOriginals writes the originals to the bucket, under the ids of tenant and document, and sets the key in the
// document. Even if it fails, it returns the keys written so far, for dropOriginals.
func (s *Store) putOriginals(ctx context.Context, tenant string, session *ledger.Session,
	originals []Original) (keys []string, err error) {
	for _, o := range originals {
		d := session.Document(o.Document)
		if d == nil {
			return keys, errors.New("an original belongs to no document")
		}
		key := tenant + "/" + d.ID
		keys = append(keys, key)
		if err := s.writeOriginal(ctx, key, o.Data, o.MediaType); err != nil {
			return keys, err
		}
		if err := s.syncOriginal(key); err != nil {
			return keys, err
		}
		sum := sha256.Sum256(o.Data)
		d.Blob, d.BlobSHA256, d.MediaType = key, hex.EncodeToString(sum[:]), o.MediaType
	}
	return keys, nil
}

// writeOriginal writes a file under a key that is new, and never over another file. If the answer to a first attempt
// was lost, the second one finds the same bytes.
func (s *Store) writeOriginal(ctx context.Context, key string, data []byte, mediaType string) error {
	o := private(mediaType)
	o.IfNotExist = true
	err := s.bucket.WriteAll(ctx, key, data, o)
	if gcerrors.Code(err) != gcerrors.FailedPrecondition {
		return err
	}
	there, readErr := s.bucket.ReadAll(ctx, key)
	if readErr == nil && bytes.Equal(there, data) {
		return nil
	}
	return errors.Join(err, readErr)
}

// syncOriginal syncs a file of the bucket's folder, and its directory entry, to disk. fileblob doesn't, so without this
// the database could name a file that a power failure removed.
func (s *Store) syncOriginal(key string) error {
	if s.originals == "" {
		return nil
	}
	path := filepath.Join(s.originals, filepath.FromSlash(key)) // a key is two UUIDs, which fileblob doesn't escape
	// fileblob writes one beside it by default
	attributes := path + ".attrs"
	for _, name := range []string{path, attributes, filepath.Dir(path), s.originals} {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) && name == attributes {
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// syncOriginalFolder syncs the folder of a deleted original to disk, so that a power failure does not bring it back.
func (s *Store) syncOriginalFolder(key string) error {
	if s.originals == "" {
		return nil
	}
	f, err := os.Open(filepath.Dir(filepath.Join(s.originals, filepath.FromSlash(key))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// dropOriginals removes what putOriginals wrote for a session that was not stored, even if ctx has ended.
func (s *Store) dropOriginals(ctx context.Context, keys []string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTimeout)
	defer cancel()
	for _, key := range keys {
		_ = s.bucket.Delete(ctx, key) // what remains is an orphan that no row names
	}
}

// dropUnstored is dropOriginals after a transaction failed with err, unless that may have stored what names them.
func (s *Store) dropUnstored(ctx context.Context, err error, keys []string) {
	if !sqldb.OutcomeUnknown(err) {
		s.dropOriginals(ctx, keys)
	}
}

const dropTimeout = 10 * time.Second
