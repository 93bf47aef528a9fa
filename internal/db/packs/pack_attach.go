package packs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
)

// NewFile is a file that is to be attached: the file of a version of a document of the library, the newest for number 0,
// which pack and library share in the bucket; or, where Library names none, its bytes.
type NewFile struct {
	Name      string // "" for the one that the file has in the library
	MediaType string // of bytes, by their content
	Data      []byte
	Library   library.Ref
}

// AttachToPack adds files to a draft, all of them or none.
func (store *Store) AttachToPack(ctx context.Context, a access.Actor, packID string, revision int, files []NewFile,
	reason string, as Answering) (*PackView, error) {
	all, put, err := store.putFiles(ctx, a.Tenant, files)
	kept := false
	defer func() {
		if !kept {
			store.Needs.Files.Drop(ctx, put...)
		}
	}()
	if err != nil {
		return nil, sqldb.Fail("AttachToPack", err)
	}
	v, err := store.changePack(ctx, "AttachToPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Edit(a, revision); err != nil {
			return err
		}
		before := p.view.Content
		for i := range files {
			file, err := store.attaching(t, a.Tenant, &files[i], all[i])
			if err != nil {
				return err
			}
			if err := p.view.Content.Attach(file); err != nil {
				return err
			}
			if err := addAttachment(t, a.Tenant, packID, file); err != nil {
				return err
			}
		}
		return store.saveEdit(t, a, p, &before, reason)
	})
	kept = err == nil || sqldb.OutcomeUnknown(err)
	return v, err
}

// putFiles writes those of the files that are bytes into the bucket, and returns each as it is to be attached, with its
// size and digest, and the keys that it made, also with an error.
func (store *Store) putFiles(ctx context.Context, tenant string,
	files []NewFile) (all []pack.Attachment, keys []string, err error) {
	all = make([]pack.Attachment, len(files))
	for i := range files {
		f := &files[i]
		if f.Library.ID != "" {
			continue
		}
		all[i] = pack.Attachment{Name: f.Name, MediaType: f.MediaType, Size: int64(len(f.Data)), SHA256: pack.Digest(f.Data),
			Key: tenant + "/" + store.NewID()}
		keys = append(keys, all[i].Key)
		if err := store.Needs.Files.Put(ctx, all[i].Key, f.Data, f.MediaType); err != nil {
			return nil, keys, err
		}
		if err := store.Needs.Files.Sync(all[i].Key); err != nil {
			return nil, keys, err
		}
	}
	return all, keys, nil
}

// attaching returns a file as a pack has it: put, unless it is of the library.
func (store *Store) attaching(t *sqldb.Tx, tenant string, f *NewFile, put pack.Attachment) (pack.Attachment, error) {
	if f.Library.ID == "" {
		return put, nil
	}
	v, err := store.Needs.Library.VersionIn(t, tenant, f.Library)
	if sqldb.NoRow(err) {
		err = domain.Refuse(domain.Invalid, "library", "refused_library_none")
	}
	return pack.Attachment{Name: cmp.Or(f.Name, v.Filename), MediaType: v.MediaType, Size: v.Size, SHA256: v.SHA256,
		Key: v.Blob}, err
}

// DetachFromPack removes a file from a draft; its bytes go when nothing else refers to them.
func (store *Store) DetachFromPack(ctx context.Context, a access.Actor, packID string, revision int, sha256,
	reason string,
	as Answering) (*PackView, error) {
	var loose []string
	v, err := store.changePack(ctx, "DetachFromPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Edit(a, revision); err != nil {
			return err
		}
		before := p.view.Content
		if _, err := p.view.Content.Detach(sha256); err != nil {
			return err
		}
		if err := auditlog.DeletedRows(t, a.Tenant, "pack_attachments", " AND r.pack_id = ?2 AND r.sha256 = ?3", packID,
			sha256); err != nil {
			return err
		}
		keys, err := sqldb.Collect(t, `DELETE FROM pack_attachments
			WHERE tenant_id = ? AND pack_id = ? AND sha256 = ? RETURNING blob`,
			[]any{a.Tenant, packID, sha256}, func(r sqldb.Scanner, key *string) error { return r.Scan(key) })
		if err != nil {
			return err
		}
		if loose, err = unreferenced(t, a.Tenant, keys); err != nil {
			return err
		}
		return store.saveEdit(t, a, p, &before, reason)
	})
	if err != nil {
		return nil, err
	}
	store.Needs.Files.Drop(ctx, loose...)
	return v, nil
}

// unreferenced returns the files of the bucket that neither a pack nor a document, also of the library, refers to.
func unreferenced(t *sqldb.Tx, tenant string, keys []string) (out []string, err error) {
	for _, key := range keys {
		n := 0
		err := t.Row(`SELECT (SELECT count(*) FROM pack_attachments WHERE tenant_id = ? AND blob = ?)
			+ (SELECT count(*) FROM documents WHERE tenant_id = ? AND blob = ?)
			+ (SELECT count(*) FROM library_versions WHERE tenant_id = ? AND blob = ?)`,
			[]any{tenant, key, tenant, key, tenant, key}, &n)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			out = append(out, key)
		}
	}
	return out, nil
}

// ofDecision selects the session that a decision names, for originalsFor.
const ofDecision = `s.id = (SELECT x.session_id FROM decisions x WHERE x.tenant_id = s.tenant_id AND x.decision_id = ?)`

// originalsFor returns the stored originals of the documents of a session, with their digests, as attachments of a
// pack. which is a condition that id meets. It runs before the pack's transaction, since stored documents never change.
func (store *Store) originalsFor(ctx context.Context, which, tenant, id string) (out []pack.Attachment, err error) {
	err = store.Read(ctx, "originalsFor", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT d.blob, d.filename, d.title, d.key, d.media_type FROM sessions s
			JOIN documents d ON d.tenant_id = s.tenant_id AND d.session_no = s.no
			WHERE s.tenant_id = ? AND `+which+` AND d.blob <> '' AND d.status = 'ready' ORDER BY d.position`,
			[]any{tenant, id}, func(r sqldb.Scanner, a *pack.Attachment) error {
				var title, key string
				err := r.Scan(&a.Key, &a.Name, &title, &key, &a.MediaType)
				a.Name = cmp.Or(a.Name, title, key)
				return err
			})
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		if err := store.measure(ctx, &out[i]); err != nil {
			return nil, sqldb.Fail("originalsFor", err)
		}
	}
	return out, nil
}

// measure reads a file of the bucket to find its size and digest.
func (store *Store) measure(ctx context.Context, a *pack.Attachment) error {
	r, err := store.Needs.Files.NewReader(ctx, a.Key, nil)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read
	sum := sha256.New()
	if a.Size, err = io.Copy(sum, r); err != nil {
		return err
	}
	a.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// addAttachments stores the attachments of a new draft.
func addAttachments(t *sqldb.Tx, tenant, packID string, all []pack.Attachment) error {
	for n, a := range all {
		_, err := t.Exec(`INSERT INTO pack_attachments (tenant_id, pack_id, n, blob, name, media_type, size, sha256)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			tenant, packID, n, a.Key, a.Name, a.MediaType, a.Size, a.SHA256)
		if err != nil {
			return err
		}
		auditlog.Record(t, tenant, auditlog.Wrote("pack_attachments", []any{packID, n}))
	}
	return nil
}

// loadAttachments reads the attachments of a pack with their keys in the bucket.
func loadAttachments(t *sqldb.Tx, tenant, packID string) ([]pack.Attachment, error) {
	return sqldb.Collect(t, `SELECT blob, name, media_type, size, sha256 FROM pack_attachments
		WHERE tenant_id = ? AND pack_id = ? ORDER BY n`,
		[]any{tenant, packID}, func(r sqldb.Scanner, a *pack.Attachment) error {
			return r.Scan(&a.Key, &a.Name, &a.MediaType, &a.Size, &a.SHA256)
		})
}

// PackAttachment opens an attachment of a pack by its SHA-256 in hex. The caller closes it, and compares the
// digest if needed.
func (store *Store) PackAttachment(ctx context.Context,
	tenant, packID, digest string) (io.ReadCloser, pack.Attachment, error) {
	var a pack.Attachment
	err := store.Read(ctx, "PackAttachment", func(t *sqldb.Tx) error {
		return t.Row(`SELECT blob, name, media_type, size, sha256 FROM pack_attachments
			WHERE tenant_id = ? AND pack_id = ? AND sha256 = ? LIMIT 1`,
			[]any{tenant, packID, digest}, &a.Key, &a.Name, &a.MediaType, &a.Size, &a.SHA256)
	})
	if err != nil {
		return nil, pack.Attachment{}, err
	}
	r, err := store.Needs.Files.NewReader(ctx, a.Key, nil)
	if err != nil {
		return nil, pack.Attachment{}, sqldb.Fail("PackAttachment", err)
	}
	return r, a, nil
}

// addAttachment stores a file after those that a pack has.
func addAttachment(t *sqldb.Tx, tenant, packID string, file pack.Attachment) error {
	n := 0
	err := t.Row(`INSERT INTO pack_attachments (tenant_id, pack_id, n, blob, name, media_type, size, sha256)
		SELECT ?, ?, coalesce(max(n) + 1, 0), ?, ?, ?, ?, ? FROM pack_attachments
		WHERE tenant_id = ? AND pack_id = ? RETURNING n`, []any{
		tenant, packID, file.Key, file.Name, file.MediaType, file.Size, file.SHA256, tenant, packID}, &n)
	auditlog.Record(t, tenant, auditlog.Wrote("pack_attachments", []any{packID, n}))
	return err
}
