package packs

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
)

// ofDecision selects the session that a decision names, for originalsFor.
const ofDecision = `s.id = (SELECT x.session_id FROM decisions x WHERE x.tenant_id = s.tenant_id AND x.decision_id = ?)`

// originalsFor returns the stored originals of the documents of a session, with their digests, as attachments of a
// pack. which is a condition that id meets. It runs before the pack's transaction, since stored documents never change.
func (s *Store) originalsFor(ctx context.Context, which, tenant, id string) (out []pack.Attachment, err error) {
	err = s.Read(ctx, "originalsFor", func(t *sqldb.Tx) error {
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
		if err := s.measure(ctx, &out[i]); err != nil {
			return nil, sqldb.Fail("originalsFor", err)
		}
	}
	return out, nil
}

// measure reads a file of the bucket to find its size and digest.
func (s *Store) measure(ctx context.Context, a *pack.Attachment) error {
	r, err := s.Needs.Files.NewReader(ctx, a.Key, nil)
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
func (s *Store) PackAttachment(ctx context.Context,
	tenant, packID, digest string) (io.ReadCloser, pack.Attachment, error) {
	var a pack.Attachment
	err := s.Read(ctx, "PackAttachment", func(t *sqldb.Tx) error {
		return t.Row(`SELECT blob, name, media_type, size, sha256 FROM pack_attachments
			WHERE tenant_id = ? AND pack_id = ? AND sha256 = ? LIMIT 1`,
			[]any{tenant, packID, digest}, &a.Key, &a.Name, &a.MediaType, &a.Size, &a.SHA256)
	})
	if err != nil {
		return nil, pack.Attachment{}, err
	}
	r, err := s.Needs.Files.NewReader(ctx, a.Key, nil)
	if err != nil {
		return nil, pack.Attachment{}, sqldb.Fail("PackAttachment", err)
	}
	return r, a, nil
}
