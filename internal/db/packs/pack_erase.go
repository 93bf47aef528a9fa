package packs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// FileErased is the copy of an erased pack in which each leaf is its hash (rule ER-5).
const FileErased = "pack.erased.json"

// Erase deletes a pack with its files, and with the last version its decision. Of a signed pack the envelope stays, and
// a copy in which each leaf of its content root is replaced by its hash.
func (store *Store) Erase(t *sqldb.Tx, by access.Actor, e *erasure.Request, _ []string) (auditlog.Event, error) {
	tenant := by.Tenant
	p, err := store.loadPack(t, tenant, e.ObjectID)
	if err != nil {
		return auditlog.Event{}, err
	}
	kept, leaves, err := store.keptOf(t, by, e, p)
	if err != nil {
		return auditlog.Event{}, err
	}
	asked, err := reads.Asker(t, tenant, e.AskedBy)
	if err != nil {
		return auditlog.Event{}, err
	}
	stone := pack.NewTombstone(&p.view.Content, p.view.Life, e.ConfirmedAt, asked, by)
	if err := store.bury(t, p, &stone); err != nil {
		return auditlog.Event{}, err
	}
	for name, data := range kept {
		if _, err := t.Exec("INSERT INTO erased_packs (tenant_id, pack_id, name, data) VALUES (?, ?, ?, ?)", tenant,
			e.ObjectID,
			name, data); err != nil {
			return auditlog.Event{}, err
		}
		auditlog.Record(t, tenant, auditlog.Wrote("erased_packs", []any{e.ObjectID, name}))
	}
	return packEvent("pack.erased", e.ObjectID, map[string]any{"digest": stone.Digest, "leaves": leaves}), nil
}

// keptOf returns the files that are kept of a pack, none if it was never signed.
func (store *Store) keptOf(t *sqldb.Tx, by access.Actor, e *erasure.Request,
	p *storedPack) (map[string][]byte, int, error) {
	files := map[string][]byte{}
	err := t.Each("SELECT name, data FROM pack_files WHERE tenant_id = ? AND pack_id = ? AND name IN (?, ?, ?, ?)",
		[]any{p.tenant, p.view.Life.PackID, pack.FileEnvelope, pack.FileBundle, pack.FileLogProof, pack.FileKey},
		func(r sqldb.Scanner) error {
			var name string
			var data []byte
			err := r.Scan(&name, &data)
			files[name] = data
			return err
		})
	if err != nil || len(files) == 0 {
		return nil, 0, err
	}
	signed, err := pack.ParseEnvelope(files[pack.FileEnvelope])
	if err != nil {
		return nil, 0, err
	}
	frozen, err := store.unfreeze(p)
	if err != nil {
		return nil, 0, err
	}
	key, err := store.SigningKey(t, by)
	if err != nil {
		return nil, 0, err
	}
	copied, err := pack.Erase(frozen, signed, e.ConfirmedAt, key.Private)
	if err != nil {
		return nil, 0, err
	}
	files[FileErased], err = copied.Bytes()
	return files, len(copied.Leaves), err
}

// ErasureOf returns what stands in the way of a pack's erasure, and how many files it has.
func (store *Store) ErasureOf(t *sqldb.Tx, tenant, packID string) (obstacles []erasure.Obstacle, files int, err error) {
	stored, err := store.loadPack(t, tenant, packID)
	if err != nil {
		return nil, 0, err
	}
	v := stored.view
	add := func(code erasure.ObstacleCode, id string) {
		obstacles = append(obstacles, erasure.Obstacle{Code: code, Object: id})
	}
	if v.Life.Hold != nil {
		add(erasure.OnHold, "pack "+packID)
	}
	if v.Life.State == pack.InReview {
		add(erasure.InReview, packID)
	}
	for _, r := range v.Versions {
		if r.Supersedes == packID {
			add(erasure.Successor, r.PackID)
		}
	}
	return obstacles, len(v.Files), nil
}
