package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
)

// Answering is what a program's request asks of a change; the zero value asks nothing. For a document that is added,
// Check is not asked: there was none before.
type Answering struct {
	Key     string                                             // of the receipt, "" if none
	Check   func(*library.Document) error                      // of the document as it was; not of a new one
	Receipt func(*library.Document) (*receipts.Receipt, error) // of the document as it is now
}

// checked reports what Check finds.
func (a *Answering) checked(d *library.Document) error {
	if a.Check == nil {
		return nil
	}
	return a.Check(d)
}

// AddLibraryDocument stores a document with its first version. d has its name, folder and tags, v its name of the file,
// media type, reader and passages. If the library has the file already, the error is a *library.Taken.
func (store *Store) AddLibraryDocument(ctx context.Context, by access.Actor, d *library.Document, v *library.Version,
	data []byte, a Answering) (*library.Document, error) {
	out := *d
	out.ID, out.Version, out.CreatedBy, out.CreatedAt = store.NewID(), 1, by.ID, store.Now().UTC()
	out.ChangedAt = out.CreatedAt
	err := store.addVersion(ctx, "AddLibraryDocument", by, out.ID, v, data, a, func(t *sqldb.Tx) (*library.Document, error) {
		n := 0
		err := t.Row("SELECT count(*) FROM library_documents WHERE tenant_id = ?", []any{by.Tenant}, &n)
		if err != nil {
			return nil, err
		}
		if n >= library.MaxDocuments {
			return nil, domain.Refuse(domain.Conflict, "", "refused_library_full", "N", library.MaxDocuments)
		}
		return &out, store.insert(t, by, &out)
	})
	return sqldb.OrZero(&out, err)
}

// insert stores the row of a new document.
func (store *Store) insert(t *sqldb.Tx, by access.Actor, d *library.Document) error {
	tags, err := tagsText(d)
	if err != nil {
		return err
	}
	_, err = t.Exec(`INSERT INTO library_documents (tenant_id, id, version, created_at, created_by, changed_at, name_key,
		search_key, folder, name, tags) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, by.Tenant, d.ID, d.Version,
		sqldb.Stamp(d.CreatedAt), d.CreatedBy, sqldb.Stamp(d.ChangedAt), d.NameKey(), d.SearchKey(), d.Folder, d.Name, tags)
	auditlog.Record(t, by.Tenant, auditlog.Wrote("library_documents", []any{d.ID}))
	return err
}

// AddLibraryVersion stores a newer version of a document. It changes no session: each keeps the version that it was made
// of. If the library has the file already, the error is a *library.Taken.
func (store *Store) AddLibraryVersion(ctx context.Context, by access.Actor, id string, v *library.Version,
	data []byte, a Answering) (*library.Document, error) {
	var out *library.Document
	err := store.addVersion(ctx, "AddLibraryVersion", by, id, v, data, a, func(t *sqldb.Tx) (_ *library.Document, err error) {
		if out, err = document(t, by.Tenant, id); err != nil {
			return nil, err
		}
		if err := a.checked(out); err != nil {
			return nil, err
		}
		if out.Version >= library.MaxVersions {
			return nil, domain.Refuse(domain.Conflict, "", "refused_library_versions", "N", library.MaxVersions)
		}
		out.Version, out.ChangedAt = out.Version+1, store.Now().UTC()
		_, err = t.Exec("UPDATE library_documents SET version = ?, changed_at = ? WHERE tenant_id = ? AND id = ?",
			out.Version, sqldb.Stamp(out.ChangedAt), by.Tenant, id)
		auditlog.Record(t, by.Tenant, auditlog.Wrote("library_documents", []any{id}, "version", "changed_at"))
		return out, err
	})
	return sqldb.OrZero(out, err)
}

// addVersion stores a file in the bucket, and then its version in one transaction with what before does, which returns
// the document as it is with that version, and with the receipt. The file is removed if that fails.
func (store *Store) addVersion(ctx context.Context, op string, by access.Actor, id string, v *library.Version,
	data []byte, a Answering, before func(t *sqldb.Tx) (*library.Document, error)) error {
	sum := sha256.Sum256(data)
	v.SHA256, v.Size = hex.EncodeToString(sum[:]), int64(len(data))
	v.Blob, v.CreatedBy, v.CreatedAt = by.Tenant+"/"+store.NewID(), by.ID, store.Now().UTC()
	// before the file is written: whoever sends one again is told at once
	if err := store.Read(ctx, op, func(t *sqldb.Tx) error { return freshFile(t, by.Tenant, v.SHA256) }); err != nil {
		return err
	}
	if err := errors.Join(store.Needs.Files.Put(ctx, v.Blob, data, v.MediaType), store.Needs.Files.Sync(v.Blob)); err != nil {
		store.Needs.Files.Drop(ctx, v.Blob)
		return sqldb.Fail(op, err)
	}
	err := store.Write(ctx, sqldb.OfTenant(by.Tenant), op, func(t *sqldb.Tx) error {
		if err := errors.Join(reads.TenantExists(t, by.Tenant),
			store.Unanswered(t, by.Tenant, &receipts.Receipt{Key: a.Key})); err != nil {
			return err
		}
		if err := freshFile(t, by.Tenant, v.SHA256); err != nil {
			return err
		}
		d, err := before(t)
		if err != nil {
			return err
		}
		v.No = d.Version
		passages, err := sqldb.JSONText(v.Passages)
		if err != nil {
			return err
		}
		_, err = t.Exec(`INSERT INTO library_versions (tenant_id, document_id, n, blob, sha256, size, created_at,
			created_by, media_type, text_by, filename, passages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, '[]'))`,
			by.Tenant, id, v.No, v.Blob, v.SHA256, v.Size, sqldb.Stamp(v.CreatedAt), v.CreatedBy, v.MediaType, v.TextBy,
			v.Filename, passages)
		if err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("library_versions", []any{id, v.No}))
		if err := store.AppendEvent(t, by, event(eventOf(v.No), id, map[string]any{"version": v.No, "size": v.Size,
			"file_commitment": auditlog.HideWith("library", id, v.SHA256)})); err != nil {
			return err
		}
		return store.answered(t, by.Tenant, d, a)
	})
	if err != nil {
		store.Needs.Files.DropUnstored(ctx, err, v.Blob)
	}
	return err
}

func eventOf(version int) string {
	if version == 1 {
		return "library.added"
	}
	return "library.version_added"
}

func event(action, id string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "library", ObjectID: id, Details: details}
}

// freshFile returns a *library.Taken if a version of the tenant's library is this file.
func freshFile(t *sqldb.Tx, tenant, sum string) error {
	taken := &library.Taken{}
	err := t.Row(`SELECT d.id, v.n, d.name FROM library_versions v
		JOIN library_documents d ON d.tenant_id = v.tenant_id AND d.id = v.document_id
		WHERE v.tenant_id = ? AND v.sha256 = ?`, []any{tenant, sum}, &taken.ID, &taken.No, &taken.Name)
	if sqldb.NoRow(err) {
		return nil
	}
	if err == nil {
		err = sqldb.AsIs(taken)
	}
	return err
}

// ChangeLibraryDocument sets the name, folder and tags of a document to what to makes of them as they are.
func (store *Store) ChangeLibraryDocument(ctx context.Context, by access.Actor, id string,
	to func(is *library.Document) (*library.Document, error), a Answering) (*library.Document, error) {
	var out *library.Document
	err := store.Write(ctx, sqldb.OfTenant(by.Tenant), "ChangeLibraryDocument", func(t *sqldb.Tx) (err error) {
		if err := store.Unanswered(t, by.Tenant, &receipts.Receipt{Key: a.Key}); err != nil {
			return err
		}
		if out, err = document(t, by.Tenant, id); err != nil {
			return err
		}
		if err := a.checked(out); err != nil {
			return err
		}
		is := *out
		next, err := to(&is)
		if err != nil {
			return err
		}
		was := *out
		out.Name, out.Folder, out.Tags = next.Name, next.Folder, next.Tags
		if out.SearchKey() != was.SearchKey() || out.Name != was.Name || out.Folder != was.Folder {
			if err := store.saveNamed(t, by, out); err != nil {
				return err
			}
		}
		return store.answered(t, by.Tenant, out, a)
	})
	return sqldb.OrZero(out, err)
}

// saveNamed stores the name, folder and tags of a document.
func (store *Store) saveNamed(t *sqldb.Tx, by access.Actor, d *library.Document) error {
	tags, err := tagsText(d)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE library_documents SET name = ?, name_key = ?, search_key = ?, folder = ?, tags = ?
		WHERE tenant_id = ? AND id = ?`, d.Name, d.NameKey(), d.SearchKey(), d.Folder, tags, by.Tenant, d.ID)
	if err != nil {
		return err
	}
	auditlog.Record(t, by.Tenant, auditlog.Wrote("library_documents", []any{d.ID}, "name", "name_key", "search_key",
		"folder", "tags"))
	return store.AppendEvent(t, by, event("library.changed", d.ID, map[string]any{
		"name_commitment": auditlog.HideWith("library", d.ID, d.Name)}))
}

// answered keeps the receipt of a change, if one is asked for.
func (store *Store) answered(t *sqldb.Tx, tenant string, d *library.Document, a Answering) error {
	if a.Receipt == nil {
		return nil
	}
	receipt, err := a.Receipt(d)
	if err != nil {
		return err
	}
	return store.KeepReceipt(t, tenant, receipt, store.Now())
}
