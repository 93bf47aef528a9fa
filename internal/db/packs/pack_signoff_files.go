package packs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

// signedFiles returns the files of a pack whose approvals are in the log.
func (store *Store) signedFiles(t *sqldb.Tx, p *storedPack, key auditlog.TenantKey,
	done *finished) (map[string][]byte, error) {
	g := auditlog.LogOf.Of(t).Logs[p.tenant]
	at := g.Checkpoint(p.tenant)
	note, err := store.SignTree(t, p.tenant, g)
	if err != nil {
		return nil, err
	}
	l := p.view.Life
	statement, err := pack.NewStatement(done.frozen, pack.Digest(done.markdown), pack.Digest(done.pdf), l.Approvals,
		at, key.ID)
	if err != nil {
		return nil, err
	}
	payload, err := statement.Bytes()
	if err != nil {
		return nil, err
	}
	envelope, err := pack.Sign(payload, key.Private)
	if err != nil {
		return nil, err
	}
	proof, err := approvalProof(t, p.tenant, note, at, l.Approvals[len(l.Approvals)-1].LogIndex)
	if err != nil {
		return nil, err
	}
	public, err := keys.PEM(key.Public)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		pack.FileMarkdown: done.markdown, pack.FilePDF: done.pdf, pack.FileStatement: payload,
		pack.FileLogProof: []byte(proof),
		pack.FileKey:      []byte(public), pack.FileCheckpoint: []byte(note),
	}
	for name, make := range map[string]func() ([]byte, error){
		pack.FileEnvelope: envelope.Bytes, pack.FileBundle: pack.NewBundle(envelope).Bytes,
		pack.FileSalts: done.frozen.Salts.Bytes,
	} {
		if files[name], err = make(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// approvalProof returns the checked proof that an approval's event is in the tree of a checkpoint.
func approvalProof(t *sqldb.Tx, tenant, note string, at audit.Checkpoint, index int64) (string, error) {
	var event []byte
	if err := t.Row("SELECT bytes FROM events WHERE tenant_id = ? AND seq = ?", []any{tenant, index + 1},
		&event); err != nil {
		return "", err
	}
	proof, err := audit.Prove(index, note, auditlog.StoredHashes(t, tenant))
	if err != nil {
		return "", err
	}
	if err := proof.Check(audit.LeafHash(event),
		audit.TreeHead{Epoch: at.Epoch, Size: at.Size, Root: at.Root}); err != nil {
		return "", err
	}
	return pack.LogProof(&proof, event), nil
}
