package sessions

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// The list of a session's sources is built from the matches of its first claims and the beginnings of its first
// documents: the same on each page of the ledger, and limited whatever the session's size.
const (
	passageClaims = 100 // claims whose matches are read
	maxPassages   = 500
	openings      = 24  // documents whose beginning is read
	openingLength = 400 // of each, in code points
)

// passages reads both parts; each document's beginning is looked up by its key.
func (b *pageBuilder) passages() (err error) {
	p := &b.page.Passages
	p.Matched, err = sqldb.Collect(b.t, `SELECT document, chunk, similarity, snippet FROM matches
		WHERE tenant_id = ? AND session_no = ? AND claim < ? ORDER BY claim, rank LIMIT ?`,
		[]any{b.tenant, b.head.no, passageClaims, maxPassages}, func(r sqldb.Scanner, x *ledger.Passage) error {
			return r.Scan(&x.Chunk.Document, &x.Chunk.Chunk, &x.Similarity, &x.Text)
		})
	if err != nil {
		return err
	}
	positions := make([]any, openings)
	for i := range positions {
		positions[i] = i
	}
	list, args := sqldb.InList(positions)
	p.Openings, err = sqldb.Collect(b.t, `SELECT document, position, substr(text, 1, ?) FROM chunks
		WHERE tenant_id = ? AND session_no = ? AND document IN `+list+" AND position = 0 ORDER BY document, position",
		append([]any{openingLength, b.tenant, b.head.no}, args...), func(r sqldb.Scanner, x *ledger.Passage) error {
			return r.Scan(&x.Chunk.Document, &x.Chunk.Chunk, &x.Text)
		})
	return err
}
