package db

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
)

// FileErased is the copy of an erased pack in which each leaf is its hash (rule ER-5).
const FileErased = "pack.erased.json"

// pack deletes a pack with its files, and with the last version its decision. Of a signed pack the envelope stays, and
// a copy in which each leaf of its content root is replaced by its hash.
func (x *eraser) pack() (Event, error) {
	tenant, e := x.actor.Tenant, x.request
	p, err := loadPack(x.t, tenant, e.ObjectID)
	if err != nil {
		return Event{}, err
	}
	kept, leaves, err := x.keptOf(p)
	if err != nil {
		return Event{}, err
	}
	asked, err := asker(x.t, tenant, e.AskedBy)
	if err != nil {
		return Event{}, err
	}
	stone := pack.NewTombstone(&p.view.Content, p.view.Life, e.ConfirmedAt, asked, x.actor)
	if err := bury(x.t, p, &stone); err != nil {
		return Event{}, err
	}
	for name, data := range kept {
		if err := x.run("INSERT INTO erased_packs (tenant_id, pack_id, name, data) VALUES (?, ?, ?, ?)", tenant, e.ObjectID,
			name, data); err != nil {
			return Event{}, err
		}
		record(x.t, tenant, wrote("erased_packs", []any{e.ObjectID, name}))
	}
	return packEvent("pack.erased", e.ObjectID, map[string]any{"digest": stone.Digest, "leaves": leaves}), nil
}

// keptOf returns the files that are kept of a pack, none if it was never signed.
func (x *eraser) keptOf(p *storedPack) (map[string][]byte, int, error) {
	files := map[string][]byte{}
	err := x.t.Each("SELECT name, data FROM pack_files WHERE tenant_id = ? AND pack_id = ? AND name IN (?, ?, ?, ?)",
		[]any{p.tenant, p.view.Life.PackID, pack.FileEnvelope, pack.FileBundle, pack.FileLogProof, pack.FileKey}, func(r sqldb.Scanner) error {
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
	frozen, err := x.s.unfreeze(p)
	if err != nil {
		return nil, 0, err
	}
	key, err := x.s.signingKey(x.t, x.actor)
	if err != nil {
		return nil, 0, err
	}
	copied, err := pack.Erase(frozen, signed, x.request.ConfirmedAt, key.private)
	if err != nil {
		return nil, 0, err
	}
	files[FileErased], err = copied.Bytes()
	return files, len(copied.Leaves), err
}
