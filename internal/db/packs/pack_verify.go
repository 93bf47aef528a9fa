package packs

import (
	"context"
	"encoding/json"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// VerifyPacks compares the files of a tenant's signed packs with their digests, and with what was signed. pack.json is
// a column of the pack, which VerifyRecords compares. Files of one pack at a time are in memory.
func (store *Store) VerifyPacks(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
	var ids []string
	err = store.Read(ctx, "VerifyContents", func(t *sqldb.Tx) (err error) {
		ids, err = sqldb.Collect(t, `SELECT pack_id FROM evidence_packs WHERE tenant_id = ?1 AND signed_at <> ''
			UNION SELECT pack_id FROM pack_files WHERE tenant_id = ?1 ORDER BY pack_id`,
			[]any{tenant}, sqldb.ScanText)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		err := store.Read(ctx, "VerifyContents", func(t *sqldb.Tx) error {
			found, err := packFileFaults(t, tenant, id)
			faults = append(faults, found...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return faults, nil
}

// packFileFaults names the files of a signed pack that are not what they were, and the columns that describe them.
func packFileFaults(t *sqldb.Tx, tenant, id string) (faults []audit.ContentFault, err error) {
	add := func(file, field string) {
		faults = append(faults, audit.ContentFault{Tenant: tenant, Table: "pack_files", Object: id + "/" + file,
			Kind: audit.FaultRecord, Field: field})
	}
	files := pack.Files{Whole: true}
	parts := map[string]*[]byte{pack.FileMarkdown: &files.Markdown, pack.FilePDF: &files.PDF,
		pack.FileEnvelope: &files.Envelope, pack.FileBundle: &files.Bundle, pack.FileLogProof: &files.LogProof,
		pack.FileSalts: &files.Salts,
		pack.FileKey:   &files.PublicKey}
	var statement []byte
	kept := false // the checkpoint, which VerifyLog compares with the log if it is there
	err = t.Each("SELECT "+fileColumns+", data FROM pack_files WHERE tenant_id = ? AND pack_id = ? ORDER BY name",
		[]any{tenant, id}, func(r sqldb.Scanner) error {
			var f pack.FileRow
			var data []byte
			if err := r.Scan(&f.Name, &f.MediaType, &f.Size, &f.SHA256, &data); err != nil {
				return err
			}
			if f.SHA256 != pack.Digest(data) {
				add(f.Name, "data")
			}
			if f.Size != int64(len(data)) {
				add(f.Name, "size")
			}
			if f.MediaType != mediaType(f.Name) {
				add(f.Name, "media_type")
			}
			switch to := parts[f.Name]; {
			case to != nil:
				*to = data
			case f.Name == pack.FileStatement:
				statement = data
			case f.Name == pack.FileCheckpoint:
				kept = true
			default:
				add(f.Name, "name")
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	if !kept {
		add(pack.FileCheckpoint, "name")
	}
	if files.Pack, err = packJSON(t, tenant,
		id); err != nil && !sqldb.NoRow(err) && domain.KindOf(err) != domain.NotFound {
		return nil, err // a row that is gone is named by VerifyRecords, an event by VerifyLog
	}
	key, err := signedWith(t, tenant, id)
	if err != nil && !sqldb.NoRow(err) {
		return nil, err
	}
	report := pack.Verify(files, pack.Trust{Fingerprint: key})
	for _, c := range report.Checks {
		if c.Status != pack.OK {
			add(c.Name, "data")
		}
	}
	if said, err := pack.ParseEnvelope(files.Envelope); err == nil && !said.Carries(statement) {
		add(pack.FileStatement, "data")
	}
	return faults, nil
}

// signedWith returns the fingerprint of the key that signed a pack, as the log says.
func signedWith(t *sqldb.Tx, tenant, id string) (string, error) {
	var data []byte
	err := t.Row(`SELECT bytes FROM events WHERE tenant_id = ? AND object_kind = ? AND object_id = ?
		AND action = 'pack.signed_off' ORDER BY seq LIMIT 1`, []any{tenant, packKind, id}, &data)
	if err != nil {
		return "", err
	}
	e, err := audit.ParseEvent(data)
	if err != nil {
		return "", nil //nolint:nilerr // VerifyLog names this event
	}
	var said struct {
		Key string `json:"keyid"`
	}
	err = json.Unmarshal(e.Details, &said)
	return said.Key, err
}

// checkBatch is how many packs are checked in one transaction.
const checkBatch = 100

// CheckPacks compares every frozen pack and each of its files with its digest, so that a backup doesn't copy data
// changed in spite of the triggers. It names the first one that differs.
func (store *Store) CheckPacks(ctx context.Context) error {
	for after := 0; ; {
		last, err := store.checkSomePacks(ctx, after)
		if err != nil || last == after {
			return err
		}
		after = last
	}
}

// checkSomePacks checks the packs with numbers after after, and returns the last number checked.
func (store *Store) checkSomePacks(ctx context.Context, after int) (last int, err error) {
	last = after
	err = store.Read(ctx, "checkPacks", func(t *sqldb.Tx) error {
		err := t.Each("SELECT no, pack_id, digest, content FROM evidence_packs WHERE no > ? ORDER BY no LIMIT ?",
			[]any{after, checkBatch}, func(r sqldb.Scanner) error {
				var id, digest, text string
				if err := r.Scan(&last, &id, &digest, &text); err != nil || digest == "" {
					return err
				}
				return sameDigest(id, pack.FileJSON, digest, []byte(text))
			})
		if err != nil {
			return err
		}
		return t.Each(`SELECT f.pack_id, f.name, f.sha256, f.data
			FROM evidence_packs p JOIN pack_files f ON f.pack_id = p.pack_id AND f.tenant_id = p.tenant_id
			WHERE p.no > ? AND p.no <= ?`, []any{after, last}, func(r sqldb.Scanner) error {
			var id, name, digest string
			var data []byte
			if err := r.Scan(&id, &name, &digest, &data); err != nil {
				return err
			}
			return sameDigest(id, name, digest, data)
		})
	})
	return last, err
}

func sameDigest(packID, name, digest string, data []byte) error {
	if pack.Digest(data) == digest {
		return nil
	}
	return &domain.Error{Kind: domain.Internal, Op: "db.checkPacks",
		Message: words.Msg("refused_evidence_pack_changed", "Name", name, "Other", packID)}
}
