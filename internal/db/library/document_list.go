package library

import (
	"context"
	"encoding/json"
	"io"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/library"
)

const documentColumns = "d.id, d.version, d.created_at, d.created_by, d.changed_at, d.folder, d.name, d.tags"

func scanDocument(r sqldb.Scanner, d *library.Document) error {
	return r.Scan(&d.ID, &d.Version, sqldb.TimeInto(&d.CreatedAt), &d.CreatedBy, sqldb.TimeInto(&d.ChangedAt),
		&d.Folder, &d.Name, sqldb.JSONInto(&d.Tags))
}

// tagsText is the stored form of a document's tags.
func tagsText(d *library.Document) (any, error) {
	tags, err := sqldb.JSONText(d.Tags)
	if tags == nil {
		tags = "[]"
	}
	return tags, err
}

// LibraryDocuments lists up to q.Limit documents of a tenant by name; next is the After of the following page, "" after
// the last one.
func (store *Store) LibraryDocuments(ctx context.Context, tenant string,
	q library.Query) (rows []library.Document, next string, err error) {
	w := sqldb.Conditions{}
	w.Add("d.tenant_id = ?", tenant)
	if q.Folder != "" {
		w.Add("d.folder = ?", q.Folder)
	}
	for _, term := range q.Terms() {
		w.Add("instr(d.search_key, ?) > 0", term)
	}
	l := sqldb.List[library.Document]{
		Columns: documentColumns, From: "library_documents d", Where: w, After: q.After, Limit: q.Limit,
		Order: sqldb.ListOrder{Name: "library", Column: "d.name_key", Fits: sqldb.IsText, Table: "library_documents",
			Alias: "d", Id: "id", Number: "no", Uuids: true, Mismatch: "refused_next_list"},
		Scan:  scanDocument,
		Place: func(d *library.Document) (any, string) { return d.NameKey(), d.ID },
	}
	return l.Read(ctx, store.DB, "LibraryDocuments", tenant)
}

// maxFolders bounds the folders that a page offers.
const maxFolders = 500

// LibraryFolders lists the folders of a tenant's library by name.
func (store *Store) LibraryFolders(ctx context.Context, tenant string) (out []string, err error) {
	err = store.Read(ctx, "LibraryFolders", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT DISTINCT folder FROM library_documents WHERE tenant_id = ? AND folder <> ''
			ORDER BY folder LIMIT ?`, []any{tenant, maxFolders}, sqldb.ScanText)
		return err
	})
	return out, err
}

// LibraryDocument returns a document with its versions, the newest first, without their text.
func (store *Store) LibraryDocument(ctx context.Context, tenant,
	id string) (d *library.Document, versions []library.Version, err error) {
	err = store.Read(ctx, "LibraryDocument", func(t *sqldb.Tx) error {
		if d, err = document(t, tenant, id); err != nil {
			return err
		}
		versions, err = sqldb.Collect(t, "SELECT "+versionColumns+
			" FROM library_versions v WHERE v.tenant_id = ? AND v.document_id = ? ORDER BY v.n DESC LIMIT ?",
			[]any{tenant, id, library.MaxVersions}, scanVersion)
		return err
	})
	return d, versions, err
}

// LibraryNames returns documents of the library by their ids; those that are gone are left out.
func (store *Store) LibraryNames(ctx context.Context, tenant string,
	ids []string) (out map[string]library.Document, err error) {
	out = map[string]library.Document{}
	if len(ids) == 0 {
		return out, nil
	}
	values := make([]any, len(ids))
	for i, id := range ids {
		values[i] = id
	}
	list, args := sqldb.InList(values)
	err = store.Read(ctx, "LibraryNames", func(t *sqldb.Tx) error {
		found, err := sqldb.Collect(t, "SELECT "+documentColumns+
			" FROM library_documents d WHERE d.tenant_id = ? AND d.id IN "+list, append([]any{tenant}, args...), scanDocument)
		for _, d := range found {
			out[d.ID] = d
		}
		return err
	})
	return out, err
}

func document(t *sqldb.Tx, tenant, id string) (*library.Document, error) {
	d, err := sqldb.First(sqldb.Collect(t, "SELECT "+documentColumns+
		" FROM library_documents d WHERE d.tenant_id = ? AND d.id = ?", []any{tenant, id}, scanDocument))
	return &d, err
}

const versionColumns = "v.n, v.blob, v.sha256, v.size, v.created_at, v.created_by, v.media_type, v.text_by, v.filename"

func scanVersion(r sqldb.Scanner, v *library.Version) error {
	return r.Scan(&v.No, &v.Blob, &v.SHA256, &v.Size, sqldb.TimeInto(&v.CreatedAt), &v.CreatedBy, &v.MediaType,
		&v.TextBy, &v.Filename)
}

// LibraryFile opens the file of a version, the newest for number 0; the caller closes it.
func (store *Store) LibraryFile(ctx context.Context, tenant string,
	ref library.Ref) (io.ReadCloser, library.Version, error) {
	var v library.Version
	err := store.Read(ctx, "LibraryFile", func(t *sqldb.Tx) (err error) {
		v, err = version(t, tenant, ref)
		return err
	})
	if err != nil {
		return nil, v, err
	}
	r, err := store.Needs.Files.NewReader(ctx, v.Blob, nil)
	if err != nil {
		return nil, v, sqldb.Fail("LibraryFile", err)
	}
	return r, v, nil
}

// LibraryVersion returns a version without its text, the newest for number 0.
func (store *Store) LibraryVersion(ctx context.Context, tenant string, ref library.Ref) (v library.Version, err error) {
	err = store.Read(ctx, "LibraryVersion", func(t *sqldb.Tx) error {
		v, err = version(t, tenant, ref)
		return err
	})
	return v, err
}

// VersionIn is LibraryVersion within a transaction.
func (store *Store) VersionIn(t *sqldb.Tx, tenant string, ref library.Ref) (library.Version, error) {
	return version(t, tenant, ref)
}

func version(t *sqldb.Tx, tenant string, ref library.Ref) (library.Version, error) {
	return sqldb.First(sqldb.Collect(t, "SELECT "+versionColumns+` FROM library_versions v
		WHERE v.tenant_id = ?1 AND v.document_id = ?2 AND (v.n = ?3 OR ?3 = 0) ORDER BY v.n DESC LIMIT 1`,
		[]any{tenant, ref.ID, ref.No}, scanVersion))
}

// passages reads the text of a version as it is stored: reading a long one is not for a transaction.
func passages(t *sqldb.Tx, tenant string, ref library.Ref) (out string, err error) {
	err = t.Row("SELECT passages FROM library_versions WHERE tenant_id = ? AND document_id = ? AND n = ?",
		[]any{tenant, ref.ID, ref.No}, &out)
	return out, err
}

// LibraryTexts returns a document with two of its versions and their texts, both of one moment.
func (store *Store) LibraryTexts(ctx context.Context, tenant, id string,
	numbers [2]int) (d *library.Document, versions [2]library.Version, err error) {
	var stored [2]string
	err = store.Read(ctx, "LibraryTexts", func(t *sqldb.Tx) error {
		if d, err = document(t, tenant, id); err != nil {
			return err
		}
		for i, n := range numbers {
			ref := library.Ref{ID: id, No: n}
			if versions[i], err = version(t, tenant, ref); err != nil {
				return err
			}
			if stored[i], err = passages(t, tenant, ref); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range stored {
		if err == nil {
			err = json.Unmarshal([]byte(stored[i]), &versions[i].Passages)
		}
	}
	return d, versions, err
}
