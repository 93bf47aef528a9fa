package db

import (
	"context"

	"sanad/internal/domain/ledger"
)

// maxPlaces is how many places of one cited hash are listed.
const maxPlaces = 50

// CitedChunks finds the tenant's citable chunks whose digest begins with each hash: at most 50 places a hash, and where
// the hash means different texts, more than one of them. A hash that nothing matches has no entry.
func (s *Store) CitedChunks(ctx context.Context, tenant string, hashes []string) (map[string][]ledger.Place, error) {
	out := map[string][]ledger.Place{}
	err := s.read(ctx, "CitedChunks", func(t *tx) error {
		for _, hash := range hashes {
			if !ledger.IsHash(hash) {
				continue
			}
			places, err := places(t, tenant, hash)
			if err != nil {
				return err
			}
			if len(places) > 0 {
				out[hash] = places
			}
		}
		return nil
	})
	return out, err
}

// places lists what one hash means. Where the list is full, its last place is the one with the greatest digest, so that
// many copies of one text hide no other text behind them.
func places(t *tx, tenant, hash string) ([]ledger.Place, error) {
	list, err := placesInOrder(t, tenant, hash, "c.hash", maxPlaces)
	if err != nil || len(list) < maxPlaces {
		return list, err
	}
	last, err := placesInOrder(t, tenant, hash, "c.hash DESC", 1)
	if err == nil && len(last) == 1 {
		list[maxPlaces-1] = last[0]
	}
	return list, err
}

func placesInOrder(t *tx, tenant, hash, order string, limit int) ([]ledger.Place, error) {
	// digests are hex, so "g" ends the range of all that begin with hash
	return collect(t, `SELECT s.id, d.id, d.filename, c.id, c.position, c.hash, c.page
		FROM chunks c
		JOIN documents d ON d.session_no = c.session_no AND d.position = c.document AND d.tenant_id = c.tenant_id
		JOIN sessions s ON s.no = c.session_no AND s.tenant_id = c.tenant_id
		WHERE c.tenant_id = ? AND c.hash >= ? AND c.hash < ? AND d.status = 'ready'
		ORDER BY `+order+" LIMIT ?", []any{tenant, hash, hash + "g", limit}, func(r scanner, p *ledger.Place) error {
		return r.Scan(&p.SessionID, &p.DocumentID, &p.Filename, &p.ChunkID, &p.Position, &p.Digest, &p.Page)
	})
}
