package db

import (
	"database/sql"

	"sanad/internal/domain/ledger"
)

const documentColumns = `id, position, key, filename, title, uri, lang, published_at, valid_until, supersedes, source_quality, status, media_type, blob, root`

func documentFields(d *ledger.Document) []any {
	return []any{
		&d.ID, &d.Position, &d.Key, &d.Filename, &d.Title, &d.URI, &d.Lang, &d.PublishedAt, &d.ValidUntil, &d.Supersedes, &d.SourceQuality,
		&d.Status, &d.MediaType, &d.Blob, &d.Root,
	}
}

// loadDocuments reads a session's documents without their chunks; more narrows which ("" for all).
func loadDocuments(t *tx, tenant string, no int, more string, args ...any) ([]ledger.Document, error) {
	return collect(t, "SELECT "+documentColumns+" FROM documents WHERE tenant_id = ? AND session_no = ? "+more+" ORDER BY position",
		append([]any{tenant, no}, args...), func(r scanner, d *ledger.Document) error { return r.Scan(documentFields(d)...) })
}

// loadChunks reads chunks into the session's documents; more narrows which ("" for all).
func loadChunks(t *tx, s *ledger.Session, tenant string, no int, more string, args ...any) error {
	return t.each(`SELECT document, position, id, key, hash, root, page, heading_path, span_start, span_end, text
		FROM chunks WHERE tenant_id = ? AND session_no = ? `+more+" ORDER BY document, position", append([]any{tenant, no}, args...), func(r scanner) error {
		var c ledger.Chunk
		var document int
		var start, end sql.NullInt64
		err := r.Scan(&document, &c.Position, &c.ID, &c.Key, &c.Hash, &c.Root, &c.Page, jsonColumn{&c.HeadingPath}, &start, &end, &c.Text)
		c.Span = spanColumns(start, end)
		if d := s.Document(document); d != nil {
			d.Chunks = append(d.Chunks, c)
		}
		return err
	})
}
