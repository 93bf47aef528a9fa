package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"

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
	r, err := s.Needs.Files.NewReader(ctx, key, nil)
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
		if err := s.Needs.Files.Put(ctx, key, o.Data, o.MediaType); err != nil {
			return keys, err
		}
		if err := s.Needs.Files.Sync(key); err != nil {
			return keys, err
		}
		sum := sha256.Sum256(o.Data)
		d.Blob, d.BlobSHA256, d.MediaType = key, hex.EncodeToString(sum[:]), o.MediaType
	}
	return keys, nil
}
