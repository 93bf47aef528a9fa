package sessions

import (
	"context"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

const (
	maxPlaces = 50    // places of one cited hash that are listed
	maxHashes = 5_000 // distinct hashes that one call looks up
	hashBatch = 256   // hashes that one query looks up, a power of two
)

// CitedChunks finds the tenant's citable chunks whose digest begins with each hash: at most 50 places per hash,
// including more than one text if the hash is ambiguous. A hash without a match has no entry; nor has any hash after
// the first 5,000 distinct ones.
func (store *Store) CitedChunks(ctx context.Context, tenant string,
	hashes []string) (map[string][]ledger.Place, error) {
	out := map[string][]ledger.Place{}
	wanted := wantedHashes(hashes)
	err := store.Read(ctx, "CitedChunks", func(t *sqldb.Tx) error {
		for batch := range slices.Chunk(wanted, hashBatch) {
			if err := places(t, tenant, batch, out); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// CitedText returns the words and the headings of the chunk at a place that CitedChunks found; NotFound if its document
// went out of use since.
func (store *Store) CitedText(ctx context.Context, tenant string, at ledger.Place) (c ledger.Chunk, err error) {
	err = store.Read(ctx, "CitedText", func(t *sqldb.Tx) error {
		return t.Row(`SELECT c.text, c.heading_path FROM sessions s
			JOIN documents d ON d.session_no = s.no AND d.tenant_id = s.tenant_id AND d.id = ? AND d.status = 'ready'
				AND d.withdrawn = ''
			JOIN chunks c ON c.session_no = d.session_no AND c.document = d.position AND c.tenant_id = d.tenant_id
				AND c.position = ?
			WHERE s.tenant_id = ? AND s.id = ?`, []any{at.DocumentID, at.Position, tenant, at.SessionID},
			&c.Text, sqldb.JSONInto(&c.HeadingPath))
	})
	return c, err
}

// wantedHashes returns the distinct valid hashes, up to the limit.
func wantedHashes(hashes []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, hash := range hashes {
		if !ledger.IsHash(hash) || seen[hash] {
			continue
		}
		if seen[hash] = true; len(seen) > maxHashes {
			break
		}
		out = append(out, hash)
	}
	return out
}

// places lists the places of each hash. If a list is full, its last place is the one with the greatest digest, so that
// many copies of one text can't hide a different one.
func places(t *sqldb.Tx, tenant string, hashes []string, out map[string][]ledger.Place) error {
	first, err := placesInOrder(t, tenant, hashes, "", maxPlaces)
	if err != nil {
		return err
	}
	var full []string
	for hash, list := range first {
		if out[hash] = list; len(list) == maxPlaces {
			full = append(full, hash)
		}
	}
	if len(full) == 0 {
		return nil
	}
	slices.Sort(full)
	last, err := placesInOrder(t, tenant, full, "DESC", 1)
	for hash, list := range last {
		out[hash][maxPlaces-1] = list[0]
	}
	return err
}

// placesInOrder looks up to limit places of each hash up, all hashes in one query: the first or, with the direction
// DESC, the last by digest, and places of one digest in the order in which they were stored.
func placesInOrder(t *sqldb.Tx, tenant string, hashes []string,
	direction string, limit int) (map[string][]ledger.Place, error) {
	values := make([]any, len(hashes))
	for i, hash := range hashes {
		values[i] = hash
	}
	args := sqldb.Filled(values, 1)
	// digests are hex, so "g" ends the range of those that begin with hash; CROSS JOIN and + keep SQLite from reversing
	// the join
	ofHash := `chunks x CROSS JOIN documents y ON y.session_no = x.session_no
			AND y.position = x.document AND y.tenant_id = x.tenant_id
			WHERE x.tenant_id = ? AND x.hash >= wanted.hash AND x.hash < wanted.hash || 'g' AND y.status = 'ready'
			AND y.withdrawn = ''
			ORDER BY x.hash ` + direction + `, x.rowid ` + direction + ` LIMIT ?)`
	join := "chunks c ON +c.tenant_id = ? AND c.rowid IN (SELECT x.rowid FROM " + ofHash
	if t.Engine.Lateral() {
		// the document in a subquery of its own, so that chunks are found by digest and not by document
		join = `LATERAL (SELECT x.* FROM chunks x
			WHERE x.tenant_id = ? AND x.hash >= wanted.hash AND x.hash < wanted.hash || 'g'
			AND (SELECT y.status = 'ready' AND y.withdrawn = '' FROM documents y WHERE y.session_no = x.session_no
			AND y.position = x.document AND y.tenant_id = x.tenant_id)
			ORDER BY x.hash ` + direction + `, x.rowid ` + direction + ` LIMIT ?) AS c ON c.tenant_id = ?`
	}
	query := "WITH wanted (hash) AS (VALUES (?)" + strings.Repeat(", (?)", len(args)-1) + `)
		SELECT wanted.hash, s.id, d.id, d.filename, c.id, c.position, c.hash, c.page
		FROM wanted
		CROSS JOIN ` + join + `
		CROSS JOIN documents d ON d.session_no = c.session_no AND d.position = c.document AND d.tenant_id = c.tenant_id
		CROSS JOIN sessions s ON s.no = c.session_no AND s.tenant_id = c.tenant_id ORDER BY c.hash, c.rowid`
	out := map[string][]ledger.Place{}
	args = append(args, tenant, tenant, limit)
	if t.Engine.Lateral() {
		args = append(args[:len(args)-3], tenant, limit, tenant)
	}
	err := t.Each(query, args, func(r sqldb.Scanner) error {
		var hash string
		var p ledger.Place
		err := r.Scan(&hash, &p.SessionID, &p.DocumentID, &p.Filename, &p.ChunkID, &p.Position, &p.Digest, &p.Page)
		out[hash] = append(out[hash], p)
		return err
	})
	return out, err
}
