package db

import "sanad/internal/domain/ledger"

// The list of a session's sources is built from the matches of its first claims and the beginnings of its first
// documents: the same on each page of the ledger, and limited whatever the session's size.
const (
	passageClaims = 100 // claims whose matches are read
	maxPassages   = 500
	openings      = 24  // documents whose beginning is read
	openingLength = 400 // of each, in code points
)

// passages reads both parts in one query; each document's beginning is looked up by its key.
func (b *pageBuilder) passages() error {
	positions := make([]any, openings)
	for i := range positions {
		positions[i] = i
	}
	list, args := inList(positions)
	args = append([]any{b.tenant, b.head.no, passageClaims, maxPassages, openingLength, b.tenant, b.head.no}, args...)
	return b.t.each(`SELECT * FROM (SELECT 1, document, chunk, similarity, snippet FROM matches
			WHERE tenant_id = ? AND session_no = ? AND claim < ? ORDER BY claim, rank LIMIT ?) AS matched
		UNION ALL SELECT 0, document, position, 0.0, substr(text, 1, ?) FROM chunks
			WHERE tenant_id = ? AND session_no = ? AND document IN `+list+` AND position = 0`, args,
		func(r scanner) error {
			var p ledger.Passage
			var matched bool
			if err := r.Scan(&matched, &p.Chunk.Document, &p.Chunk.Chunk, &p.Similarity, &p.Text); err != nil {
				return err
			}
			into := &b.page.Passages.Openings
			if matched {
				into = &b.page.Passages.Matched
			}
			*into = append(*into, p)
			return nil
		})
}
