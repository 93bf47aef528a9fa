package packs

import (
	"crypto/ed25519"
	"slices"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
)

// signedFiles are the stored files of a signed pack, and the tenant's keys.
type signedFiles struct {
	files map[string][]byte
	keys  []domain.PublicKey
}

// packSeal verifies the stored files of a pack as an outsider would, with the tenant's own key as the trusted one. The
// page's "verified" is the result of this check.
func (s *server) packSeal(view *db.PackView, stored *signedFiles) *packsviews.Seal {
	if !view.Life.Frozen() {
		return nil
	}
	seal := &packsviews.Seal{Digest: view.Life.Digest, LogIndex: -1, At: s.Now()}
	if view.SignedAt.IsZero() {
		return seal
	}
	files := filesOf(stored.files)
	seal.Report = pack.Verify(files, pack.Trust{Key: trusted(stored.keys, files.Envelope)})
	seal.KeyID = seal.Report.KeyID
	if proof, _, err := pack.ParseLogProof(string(files.LogProof)); err == nil { // if it fails, the report says so
		seal.LogIndex = proof.Index
	}
	if statement, err := pack.ParseStatement(stored.files[db.FileStatement]); err == nil {
		seal.TreeSize = statement.Predicate.LogCheckpoint.Size
	}
	return seal
}

// filesOf returns the stored files as Verify takes them.
func filesOf(stored map[string][]byte) pack.Files {
	return pack.Files{
		Pack: stored[pack.FileJSON], Markdown: stored[pack.FileMarkdown], PDF: stored[pack.FilePDF],
		Envelope: stored[db.FileEnvelope],
		Bundle:   stored[db.FileBundle], LogProof: stored[db.FileLogProof], Salts: stored[db.FileSalts],
		PublicKey: stored[db.FileKey], Whole: true,
	}
}

// trusted returns the tenant's key that the envelope names, retired ones included. If there is none it returns a key
// that nobody holds, so that a foreign signature never counts.
func trusted(known []domain.PublicKey, envelope []byte) ed25519.PublicKey {
	e, err := pack.ParseEnvelope(envelope)
	if err == nil {
		if i := slices.IndexFunc(known,
			func(k domain.PublicKey) bool { return k.Purpose == signing && k.ID == e.KeyID() }); i >= 0 {
			return known[i].Public
		}
	}
	return make(ed25519.PublicKey, ed25519.PublicKeySize)
}

// signing is the purpose of the keys that packs are signed with.
const signing = "sign"
