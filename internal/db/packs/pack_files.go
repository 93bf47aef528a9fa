package packs

import (
	"context"
	"maps"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

const fileColumns = "name, media_type, size, sha256"

func scanFile(r sqldb.Scanner, f *pack.FileRow) error {
	return r.Scan(&f.Name, &f.MediaType, &f.Size, &f.SHA256)
}

// jsonFile returns the row of pack.json, which is stored with its pack.
func jsonFile(data []byte) pack.FileRow {
	return pack.FileRow{
		Name: pack.FileJSON, MediaType: mediaType(pack.FileJSON), Size: int64(len(data)),
		SHA256: pack.Digest(data),
	}
}

// packFileTypes are the types of a pack's files; any other is stored as plain text.
var packFileTypes = []filetype.Type{filetype.JSON, filetype.Markdown, filetype.PDF, filetype.PEM}

// mediaType returns the media type of a pack's file by its name.
func mediaType(name string) string {
	kind, ok := filetype.Of(name, packFileTypes)
	if !ok {
		kind = filetype.PlainText
	}
	return kind.ContentType()
}

// saveFiles stores the files of a pack that is being signed off.
func saveFiles(t *sqldb.Tx, tenant, packID string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name]
		_, err := t.Exec(`INSERT INTO pack_files (tenant_id, pack_id, name, media_type, size, sha256, data)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			tenant, packID, name, mediaType(name), len(data), pack.Digest(data), data)
		if err != nil {
			return err
		}
	}
	return nil
}

// PackFile returns a stored file of a pack; NotFound if it does not exist yet.
func (store *Store) PackFile(ctx context.Context, tenant, packID,
	name string) (data []byte, row pack.FileRow, err error) {
	err = store.Read(ctx, "PackFile", func(t *sqldb.Tx) error {
		if name != pack.FileJSON {
			return t.Row("SELECT "+fileColumns+
				", data FROM pack_files WHERE tenant_id = ? AND pack_id = ? AND name = ?", []any{tenant, packID, name},
				&row.Name, &row.MediaType, &row.Size, &row.SHA256, &data)
		}
		data, err = packJSON(t, tenant, packID)
		row = jsonFile(data)
		return err
	})
	if err != nil {
		return nil, pack.FileRow{}, err
	}
	return data, row, nil
}

// packJSON returns the bytes of pack.json; NotFound for a draft.
func packJSON(t *sqldb.Tx, tenant, packID string) ([]byte, error) {
	var text string
	err := t.Row("SELECT content FROM evidence_packs WHERE tenant_id = ? AND pack_id = ? AND state <> ?",
		[]any{tenant, packID, string(pack.Draft)}, &text)
	return []byte(text), err
}

// fileInto scans a row of name and data into files.
func fileInto(files map[string][]byte) func(sqldb.Scanner) error {
	return func(r sqldb.Scanner) error {
		var name string
		var data []byte
		err := r.Scan(&name, &data)
		files[name] = data
		return err
	}
}

// PackFiles returns all stored files of a pack by name.
func (store *Store) PackFiles(ctx context.Context, tenant, packID string) (map[string][]byte, error) {
	var out map[string][]byte
	err := store.Read(ctx, "PackFiles", func(t *sqldb.Tx) error {
		out = map[string][]byte{}
		var err error
		if out[pack.FileJSON], err = packJSON(t, tenant, packID); err != nil {
			return err
		}
		return t.Each("SELECT name, data FROM pack_files WHERE tenant_id = ? AND pack_id = ?", []any{tenant, packID},
			fileInto(out))
	})
	return sqldb.OrZero(out, err)
}

// FrozenPack returns a submitted pack with its salts, for proofs and redacted copies; NotFound for a draft.
func (store *Store) FrozenPack(ctx context.Context, tenant, packID string) (*pack.Frozen, error) {
	var sealed []byte
	var text string
	err := store.Read(ctx, "FrozenPack", func(t *sqldb.Tx) error {
		return t.Row("SELECT secret, content FROM evidence_packs WHERE tenant_id = ? AND pack_id = ? AND state <> ?",
			[]any{tenant, packID, string(pack.Draft)}, &sealed, &text)
	})
	if err != nil {
		return nil, err
	}
	f, err := store.unfreeze(&storedPack{
		view: &PackView{JSON: []byte(text), Life: &pack.Life{PackID: packID}}, tenant: tenant, secret: sealed,
	})
	if err != nil { // the stored pack is not the one that was frozen
		return nil, &domain.Error{
			Kind: domain.Internal, Op: "db.FrozenPack", Message: words.Msg("refused_stored_pack_cannot"), Err: err,
		}
	}
	return f, nil
}

// SignRedactions signs the reasons and rules of a redacted copy with the tenant's key.
func (store *Store) SignRedactions(ctx context.Context, a access.Actor, copied *pack.Redacted) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "SignRedactions", func(t *sqldb.Tx) error {
		key, err := store.SigningKey(t, a)
		if err != nil {
			return err
		}
		return copied.Sign(key.Private)
	})
}

// ErasedPack returns the files that are kept of an erased pack by name; NotFound if none are.
func (store *Store) ErasedPack(ctx context.Context, tenant, packID string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := store.Read(ctx, "ErasedPack", func(t *sqldb.Tx) error {
		return t.Each("SELECT name, data FROM erased_packs WHERE tenant_id = ? AND pack_id = ?", []any{tenant, packID},
			fileInto(out))
	})
	if err == nil && len(out) == 0 {
		err = sqldb.NotFound()
	}
	return out, err
}
