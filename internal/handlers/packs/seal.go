package packs

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/words"
)

// packSeal returns a function that verifies the stored files of a pack as an outsider would, with the tenant's own key
// as the trusted one; its result is nil for a draft. known are the tenant's keys. A good result is cached for the same
// content (seals). packSeal reads in the caller's transaction; the function is to be called after it.
func (s *server) packSeal(ctx context.Context, tenant string, view *db.PackView,
	known []audit.PublicKey) (verify func() *packsviews.Seal, err error) {
	if !view.Life.Frozen() {
		return func() *packsviews.Seal { return nil }, nil
	}
	if view.SignedAt.IsZero() {
		unsigned := &packsviews.Seal{Digest: view.Life.Digest, LogIndex: -1, At: s.Now(), Now: true}
		return func() *packsviews.Seal { return unsigned }, nil
	}
	key := sealKeyOf(tenant, view, known)
	if kept := s.seals.get(key, s.Now()); kept != nil {
		return func() *packsviews.Seal { return kept }, nil
	}
	stored, err := s.Store.PackFiles(ctx, tenant, view.Life.PackID)
	if err != nil {
		return nil, err
	}
	return func() *packsviews.Seal {
		seal := sealOf(view.Life.Digest, stored, known, s.Now())
		s.seals.put(key, seal)
		return seal
	}, nil
}

// sealOf verifies the stored files of a signed pack.
func sealOf(digest string, stored map[string][]byte, known []audit.PublicKey, now time.Time) *packsviews.Seal {
	seal := &packsviews.Seal{Digest: digest, LogIndex: -1, At: now, Now: true}
	files := filesOf(stored)
	seal.Report = pack.Verify(files, pack.Trust{Key: trusted(known, files.Envelope)})
	seal.KeyID = seal.Report.KeyID
	if proof, _, err := pack.ParseLogProof(string(files.LogProof)); err == nil { // if it fails, the report says so
		seal.LogIndex = proof.Index
	}
	if statement, err := pack.ParseStatement(stored[pack.FileStatement]); err == nil {
		seal.TreeSize = statement.Predicate.LogCheckpoint.Size
	}
	return seal
}

// verifiedFiles returns the stored files of a signed pack, verified now. Nothing that does not verify is handed out.
func (s *server) verifiedFiles(ctx context.Context, tenant, id string) (map[string][]byte, error) {
	stored, err := s.Store.PackFiles(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	known, err := s.Store.Keys(ctx, tenant)
	if err != nil {
		return nil, err
	}
	files := filesOf(stored)
	report := pack.Verify(files, pack.Trust{Key: trusted(known, files.Envelope)})
	if report.OK() {
		return stored, nil
	}
	why := fmt.Errorf("%s: %s", report.Verdict, strings.Join(report.Faults, "; "))
	return nil, &domain.Error{Kind: domain.Unavailable, Op: "packs.verifiedFiles", Err: why,
		Message: words.Msg("refused_stored_files_pack")}
}

// filesOf returns the stored files as Verify takes them.
func filesOf(stored map[string][]byte) pack.Files {
	return pack.Files{
		Pack: stored[pack.FileJSON], Markdown: stored[pack.FileMarkdown], PDF: stored[pack.FilePDF],
		Envelope: stored[pack.FileEnvelope],
		Bundle:   stored[pack.FileBundle], LogProof: stored[pack.FileLogProof], Salts: stored[pack.FileSalts],
		PublicKey: stored[pack.FileKey], Whole: true,
	}
}

// trusted returns the tenant's key that the envelope names, retired ones included. If there is none it returns a key
// that nobody holds, so that a foreign signature never counts.
func trusted(known []audit.PublicKey, envelope []byte) ed25519.PublicKey {
	e, err := pack.ParseEnvelope(envelope)
	if err == nil {
		if i := slices.IndexFunc(known,
			func(k audit.PublicKey) bool { return k.Purpose == signing && k.ID == e.KeyID() }); i >= 0 {
			return known[i].Public
		}
	}
	return make(ed25519.PublicKey, ed25519.PublicKeySize)
}

// signing is the purpose of the keys that packs are signed with.
const signing = "sign"
