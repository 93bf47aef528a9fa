package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"gocloud.dev/gcerrors"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
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
func (m *OriginalMeta) HiddenFrom(role access.Role) bool {
	return (&ledger.Document{Withdrawn: m.Withdrawn}).HiddenFrom(role)
}

// Original opens the file that a document was made from; the caller closes it.
func (store *Store) Original(ctx context.Context, tenant, documentID string) (io.ReadCloser, OriginalMeta, error) {
	var key string
	var meta OriginalMeta
	err := store.Read(ctx, "Original", func(t *sqldb.Tx) error {
		return t.Row(`SELECT blob, filename, media_type, withdrawn FROM documents
			WHERE tenant_id = ? AND id = ? AND blob <> '' AND status = 'ready'`,
			[]any{tenant, documentID}, &key, &meta.Filename, &meta.MediaType, &meta.Withdrawn)
	})
	if err != nil {
		return nil, OriginalMeta{}, err
	}
	r, err := store.Needs.Files.NewReader(ctx, key, nil)
	if err != nil {
		return nil, OriginalMeta{}, sqldb.Fail("Original", err)
	}
	meta.Size = r.Size()
	return r, meta, nil
}

// putOriginals writes the originals to the bucket, under the ids of tenant and document, and sets the key in the
// document. A file of the library is not written again: its document has the key of the version. Even if it fails, it
// returns the keys written so far, for Drop.
func (store *Store) putOriginals(ctx context.Context, tenant string, session *ledger.Session,
	originals []Original) (keys []string, err error) {
	for _, o := range originals {
		d := session.Document(o.Document)
		if d == nil {
			return keys, errors.New("an original belongs to no document")
		}
		sum := sha256.Sum256(o.Data)
		d.BlobSHA256, d.MediaType = hex.EncodeToString(sum[:]), o.MediaType
		if shared, err := store.ofLibrary(ctx, tenant, d); err != nil || shared {
			if err != nil {
				return keys, err
			}
			continue
		}
		key := tenant + "/" + d.ID
		keys = append(keys, key)
		if err := store.Needs.Files.Put(ctx, key, o.Data, o.MediaType); err != nil {
			return keys, err
		}
		if err := store.Needs.Files.Sync(key); err != nil {
			return keys, err
		}
		d.Blob = key
	}
	return keys, nil
}

// ofLibrary sets the key of a document whose file is that of a version of the library, and reports whether it is. A file
// within such a file, as one attached to a mail, is not.
func (store *Store) ofLibrary(ctx context.Context, tenant string, d *ledger.Document) (is bool, err error) {
	if d.Library.ID == "" {
		return false, nil
	}
	err = store.Read(ctx, "ofLibrary", func(t *sqldb.Tx) error {
		v, err := store.Needs.Library.VersionIn(t, tenant, d.Library)
		if err != nil {
			return goneFromLibrary(err)
		}
		if is = v.SHA256 == d.BlobSHA256; is {
			d.Blob = v.Blob
		}
		return nil
	})
	return is, err
}

// stillInLibrary refuses documents whose version was erased from the library since it was read.
func (store *Store) stillInLibrary(t *sqldb.Tx, tenant string, documents []ledger.Document) error {
	for i := range documents {
		d := &documents[i]
		if d.Library.ID == "" || d.Blob == "" {
			continue
		}
		if _, err := store.Needs.Library.VersionIn(t, tenant, d.Library); err != nil {
			return goneFromLibrary(err)
		}
	}
	return nil
}

// documentsOf returns the documents that files are given for.
func documentsOf(session *ledger.Session, originals []Original) (out []ledger.Document) {
	for _, o := range originals {
		out = append(out, *session.Document(o.Document))
	}
	return out
}

func goneFromLibrary(err error) error {
	if sqldb.NoRow(err) {
		return domain.Refuse(domain.Conflict, "documents", "refused_library_gone")
	}
	return err
}

// verifyOriginals compares the original files of a session's documents with the digests that were stored with them.
func (store *Store) verifyOriginals(ctx context.Context, tenant, id string) (faults []audit.ContentFault, err error) {
	type original struct{ document, key, digest string }
	var all []original
	err = store.Read(ctx, "VerifySession", func(t *sqldb.Tx) error {
		all, err = sqldb.Collect(t, `SELECT d.id, d.blob, d.blob_sha256 FROM documents d JOIN sessions s
			ON s.tenant_id = d.tenant_id AND s.no = d.session_no
			WHERE s.tenant_id = ? AND s.id = ? AND d.blob <> ''
			ORDER BY d.position`, []any{tenant, id},
			func(r sqldb.Scanner, o *original) error { return r.Scan(&o.document, &o.key, &o.digest) })
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		digest, err := store.originalDigest(ctx, o.key)
		switch {
		case gcerrors.Code(err) == gcerrors.NotFound:
			digest = "it is gone"
		case err != nil:
			return nil, sqldb.Fail("VerifySession", err)
		}
		if digest == o.digest {
			continue
		}
		still := 0 // it may have been erased meanwhile, since the list was read
		err = store.Read(ctx, "OriginalStands", func(t *sqldb.Tx) error {
			return t.Row("SELECT count(*) FROM documents WHERE tenant_id = ? AND id = ? AND blob = ?",
				[]any{tenant, o.document, o.key}, &still)
		})
		if err != nil {
			return nil, err
		}
		if still > 0 {
			faults = append(faults, audit.ContentFault{Tenant: tenant, Session: id, Kind: audit.FaultFile,
				Part:     "documents",
				Document: o.document, Detail: digest})
		}
	}
	return faults, nil
}

// originalDigest returns the SHA-256 of an original in the bucket, in hex.
func (store *Store) originalDigest(ctx context.Context, key string) (string, error) {
	r, err := store.Needs.Files.NewReader(ctx, key, nil)
	if err != nil {
		return "", err
	}
	defer r.Close() //nolint:errcheck // opened for reading only
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
