package packs

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// checkBatch is how many packs are checked in one transaction.
const checkBatch = 100

// CheckPacks compares every frozen pack and each of its files with its digest, so that a backup doesn't copy data
// changed in spite of the triggers. It names the first one that differs.
func (s *Store) CheckPacks(ctx context.Context) error {
	for after := 0; ; {
		last, err := s.checkSomePacks(ctx, after)
		if err != nil || last == after {
			return err
		}
		after = last
	}
}

// checkSomePacks checks the packs with numbers after after, and returns the last number checked.
func (s *Store) checkSomePacks(ctx context.Context, after int) (last int, err error) {
	last = after
	err = s.Read(ctx, "checkPacks", func(t *sqldb.Tx) error {
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
