package sessions

import (
	"context"
	"errors"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

const (
	maxHeadings = 500  // of a document's outline
	maxCited    = 1000 // matches shown beside one page of a document
	maxCitedAt  = 2000 // cited chunks of a whole document
)

// outlineOf lists where the heading path changes. It is stored with the document, so that a page reads one row for it.
func outlineOf(chunks []ledger.Chunk) []ledger.Heading {
	var out []ledger.Heading
	var last []string
	for i := range chunks {
		c := &chunks[i]
		if len(c.HeadingPath) > 0 && !slices.Equal(c.HeadingPath, last) && len(out) < maxHeadings {
			out = append(out, ledger.Heading{Path: c.HeadingPath, Position: c.Position, Page: c.Page})
		}
		last = c.HeadingPath
	}
	return out
}

// DocumentPage returns up to limit chunks of a document around the position chunk (-1 for the beginning), and the text
// of the session's claim with the number claim (0 for none), for a reader. The number of queries is the same for any
// document.
func (store *Store) DocumentPage(ctx context.Context, who access.Actor, documentID string,
	chunk, claim, limit int) (*ledger.DocumentPage, error) {
	p, tenant := &ledger.DocumentPage{}, who.Tenant
	limit = max(1, limit)
	err := store.Read(ctx, "DocumentPage", func(t *sqldb.Tx) error {
		*p = ledger.DocumentPage{}
		var no int
		var sealed ledger.SealedBy
		d := &p.Document
		err := t.Row(`SELECT `+sqldb.Qualified("d", documentColumns)+
			`, d.left_out, d.chunk_count, (SELECT COUNT(*) FROM chunks c WHERE c.tenant_id = d.tenant_id
				AND c.session_no = d.session_no AND c.document = d.position AND c.kind = ?), d.outline, s.no, s.id, s.title, s.revision, s.overview -> '$.sealed'
			FROM documents d JOIN sessions s ON s.no = d.session_no AND s.tenant_id = d.tenant_id
			WHERE d.tenant_id = ? AND d.id = ?`,
			[]any{ledger.FileComment, tenant, documentID},
			append(documentFields(d), sqldb.JSONInto(&d.LeftOut), &p.TotalChunks, &p.Comments, sqldb.JSONInto(&p.Outline), &no,
				&p.SessionID, &p.SessionTitle, &p.Revision, sqldb.JSONInto(&sealed))...)
		if err != nil {
			return err
		}
		p.Revision -= sealed.From(who.ID)
		from := around(p, chunk, limit)
		shell := ledger.Session{Documents: []ledger.Document{*d}}
		err = loadChunks(t, &shell, tenant, no, "AND document = ? AND position >= ? AND position < ?", d.Position,
			from, from+limit)
		if err != nil {
			return err
		}
		d.Chunks = shell.Documents[0].Chunks
		err = errors.Join(readAbove(p, t, tenant, no, from), readCited(p, t, tenant, no, d.Position, claim),
			readVersions(p, t, tenant, no))
		if err != nil {
			return err
		}
		p.Cited = map[int][]ledger.Cited{}
		return t.Each(`SELECT m.chunk, c.position + 1, c.verdict, m.support, m.contradicts, m.rank, m.quote_start,
			m.quote_end, m.conflicts FROM matches m JOIN claims c ON c.tenant_id = m.tenant_id
			AND c.session_no = m.session_no AND c.position = m.claim
			WHERE m.tenant_id = ? AND m.session_no = ? AND m.document = ? AND m.chunk >= ? AND m.chunk < ?
			ORDER BY m.chunk, m.claim LIMIT ?`,
			[]any{tenant, no, d.Position, from, from + limit, maxCited}, func(r sqldb.Scanner) error {
				var c ledger.Cited
				var at int
				err := r.Scan(&at, &c.Number, &c.Verdict, &c.Support, &c.Contradicts, &c.Rank, &c.Quote.Start,
					&c.Quote.End,
					sqldb.JSONInto(&c.Conflicts))
				p.Cited[at] = append(p.Cited[at], c)
				return err
			})
	})
	return sqldb.OrZero(p, err)
}

// readAbove sets the table that the chunks before position from leave open: the last of them that has more than rows
// says which.
func readAbove(p *ledger.DocumentPage, t *sqldb.Tx, tenant string, no, from int) error {
	return t.Each(`SELECT text FROM chunks WHERE tenant_id = ? AND session_no = ? AND document = ? AND position < ?
		AND (text NOT LIKE '|%' OR text LIKE '%|-%' OR text LIKE '%|:%') ORDER BY position DESC LIMIT 1`,
		[]any{tenant, no, p.Document.Position, from}, func(r sqldb.Scanner) error {
			var text string
			err := r.Scan(&text)
			p.Above = p.Above.After(text)
			return err
		})
}

// readVersions sets the document that this one supersedes, and the first that supersedes this one.
func readVersions(p *ledger.DocumentPage, t *sqldb.Tx, tenant string, no int) error {
	d := &p.Document
	return t.Each(`SELECT id, filename, key FROM documents WHERE tenant_id = ? AND session_no = ? AND (key = ?
		OR supersedes = ?) AND position <> ? ORDER BY position`,
		[]any{tenant, no, d.Supersedes, d.Key, d.Position}, func(r sqldb.Scanner) error {
			var other ledger.DocumentName
			var key string
			err := r.Scan(&other.ID, &other.Filename, &key)
			switch {
			case key == d.Supersedes:
				p.Older = &other
			case p.Newer == nil:
				p.Newer = &other
			}
			return err
		})
}

// readCited sets which chunks of the whole document are matched by a claim, and the text of the claim with the number
// claim.
func readCited(p *ledger.DocumentPage, t *sqldb.Tx, tenant string, no, document, claim int) error {
	err := t.Each(`SELECT DISTINCT chunk FROM matches WHERE tenant_id = ? AND session_no = ? AND document = ?
		ORDER BY chunk LIMIT ?`,
		[]any{tenant, no, document, maxCitedAt}, func(r sqldb.Scanner) error {
			var at int
			err := r.Scan(&at)
			p.CitedAt = append(p.CitedAt, at)
			return err
		})
	if err != nil {
		return err
	}
	return t.Each("SELECT text FROM claims WHERE tenant_id = ? AND session_no = ? AND position = ?",
		[]any{tenant, no, claim - 1},
		func(r sqldb.Scanner) error { return r.Scan(&p.Words) })
}

// around sets the adjacent pages and returns the first chunk of this page, which has chunk in its middle unless it is
// at either end.
func around(p *ledger.DocumentPage, chunk, limit int) (from int) {
	from = max(0, min(chunk-limit/2, p.TotalChunks-limit))
	p.Prev, p.Next = -1, -1
	if from > 0 {
		p.Prev = max(0, from-limit+limit/2)
	}
	if from+limit < p.TotalChunks {
		p.Next = min(p.TotalChunks-1, from+limit+limit/2)
	}
	return from
}
