package packs

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// AttachToPack adds a file to a draft. The caller has found its media type by its content; size and digest are measured
// here.
func (s *Store) AttachToPack(ctx context.Context, a access.Actor, packID string, revision int, file pack.Attachment,
	data []byte, reason string, as Answering) (*PackView, error) {
	file.Size, file.SHA256, file.Key = int64(len(data)), pack.Digest(data), a.Tenant+"/"+s.NewID()
	kept := false
	err := s.Needs.Files.Put(ctx, file.Key, data, file.MediaType)
	defer func() {
		if !kept {
			s.Needs.Files.Drop(ctx, file.Key)
		}
	}()
	if err != nil {
		return nil, sqldb.Fail("AttachToPack", err)
	}
	if err := s.Needs.Files.Sync(file.Key); err != nil {
		return nil, sqldb.Fail("AttachToPack", err)
	}
	v, err := s.changePack(ctx, "AttachToPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
		if err := p.view.Chain.Edit(a, revision); err != nil {
			return err
		}
		before := p.view.Content
		if err := p.view.Content.Attach(file); err != nil {
			return err
		}
		if err := addAttachment(t, a.Tenant, packID, file); err != nil {
			return err
		}
		return s.saveEdit(t, a, p, &before, reason)
	})
	kept = err == nil || sqldb.OutcomeUnknown(err)
	return v, err
}

// DetachFromPack removes a file from a draft; its bytes go when nothing else refers to them.
func (s *Store) DetachFromPack(ctx context.Context, a access.Actor, packID string, revision int, sha256, reason string,
	as Answering) (*PackView, error) {
	var loose []string
	v, err := s.changePack(ctx, "DetachFromPack", a, packID, as, func(t *sqldb.Tx, p *storedPack) error {
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
		return s.saveEdit(t, a, p, &before, reason)
	})
	if err != nil {
		return nil, err
	}
	s.Needs.Files.Drop(ctx, loose...)
	return v, nil
}

// unreferenced returns the files of the bucket that neither a pack nor a document refers to.
func unreferenced(t *sqldb.Tx, tenant string, keys []string) (out []string, err error) {
	for _, key := range keys {
		n := 0
		err := t.Row(`SELECT (SELECT count(*) FROM pack_attachments WHERE tenant_id = ? AND blob = ?)
			+ (SELECT count(*) FROM documents WHERE tenant_id = ? AND blob = ?)`, []any{tenant, key, tenant, key}, &n)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			out = append(out, key)
		}
	}
	return out, nil
}
