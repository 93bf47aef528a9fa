package sessions

import (
	"database/sql"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// documentColumns are the columns that documents writes and scanDocument reads.
const documentColumns = `id, position, key, filename, title, uri, lang, published_at, valid_until, supersedes,
	source_quality, status, media_type, blob, root, withdrawn, text_by, bundle_id, blob_sha256,
	library_id, library_no`

func documentFields(d *ledger.Document) []any {
	return []any{
		&d.ID, &d.Position, &d.Key, &d.Filename, &d.Title, &d.URI, &d.Lang, &d.PublishedAt, &d.ValidUntil,
		&d.Supersedes, &d.SourceQuality,
		&d.Status, &d.MediaType, &d.Blob, &d.Root, &d.Withdrawn, &d.TextBy, &d.BundleID, &d.BlobSHA256,
		&d.Library.ID, &d.Library.No,
	}
}

const fromDocuments = "SELECT " + documentColumns + " FROM documents WHERE tenant_id = ? AND session_no = ?"

func scanDocument(r sqldb.Scanner, d *ledger.Document) error { return r.Scan(documentFields(d)...) }

// loadDocuments reads a session's documents without their chunks.
func loadDocuments(t *sqldb.Tx, tenant string, no int) ([]ledger.Document, error) {
	return sqldb.Collect(t, "SELECT "+documentColumns+", left_out, origin FROM documents WHERE tenant_id = ? AND session_no = ?"+
		" ORDER BY position", []any{tenant, no}, func(r sqldb.Scanner, d *ledger.Document) error {
		return r.Scan(append(documentFields(d), sqldb.JSONInto(&d.LeftOut), sqldb.JSONInto(&d.Origin))...)
	})
}

// listedDocuments is how many documents a page lists besides those it refers to.
const listedDocuments = 200

// loadListed reads a session's first documents and those at the given positions.
func loadListed(t *sqldb.Tx, tenant string, no int, positions []any) ([]ledger.Document, error) {
	list, args := sqldb.InList(positions)
	return sqldb.Collect(t, fromDocuments+" AND position < ? UNION ALL "+fromDocuments+" AND position >= ? AND position IN "+
		list+" ORDER BY position",
		append([]any{tenant, no, listedDocuments, tenant, no, listedDocuments}, args...), scanDocument)
}

// loadChunks reads chunks into the session's documents; more restricts which ("" for all).
func loadChunks(t *sqldb.Tx, s *ledger.Session, tenant string, no int, more string, args ...any) error {
	return t.Each("SELECT "+chunkColumns+" FROM chunks WHERE tenant_id = ? AND session_no = ? "+more+
		" ORDER BY document, position", append([]any{tenant, no}, args...), scanChunks(s))
}

// chunkColumns are the columns that chunks writes and scanChunks reads.
const chunkColumns = "document, position, id, key, hash, root, page, kind, heading_path, span_start, span_end, text, " +
	"scanned, doubtful"

// scanChunks reads chunks into the documents of a session that are loaded.
func scanChunks(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var c ledger.Chunk
	var start, end sql.NullInt64
	fields := []any{&at, &c.Position, &c.ID, &c.Key, &c.Hash, &c.Root, &c.Page, &c.Kind,
		sqldb.JSONInto(&c.HeadingPath), &start, &end, &c.Text, &c.Scanned, sqldb.JSONInto(&c.Doubtful)}
	return func(r sqldb.Scanner) error {
		c = ledger.Chunk{}
		err := r.Scan(fields...)
		c.Span = sqldb.SpanOf(start, end)
		if d := s.Document(at); d != nil {
			d.Chunks = append(d.Chunks, c)
		}
		return err
	}
}

func (in *inserter) documents(l *ledger.Ledger) error {
	in.documentSalts = map[int][]byte{}
	rows := sqldb.NewBulk(in.t, "documents",
		"tenant_id, session_no, chunk_count, outline, salt, left_out, origin, "+documentColumns)
	for i := range l.Session.Documents {
		d := &l.Session.Documents[i]
		outline, err := sqldb.JSONText(outlineOf(d.Chunks))
		if err != nil {
			return err
		}
		leftOut, err := sqldb.JSONText(d.LeftOut)
		if err != nil {
			return err
		}
		var origin any
		if d.Origin != nil {
			if origin, err = sqldb.JSONText(d.Origin); err != nil {
				return err
			}
		}
		salt, err := auditlog.NewSalt(in.t)
		if err != nil {
			return err
		}
		in.documentSalts[d.Position] = salt
		var quality any
		if d.SourceQuality != nil {
			quality = *d.SourceQuality
		}
		rows.Add(in.tenant, in.no, len(d.Chunks), outline, salt, leftOut, origin,
			d.ID, d.Position, d.Key, d.Filename, d.Title, d.URI, d.Lang, d.PublishedAt, d.ValidUntil, d.Supersedes,
			quality, string(d.Status), d.MediaType, d.Blob, d.Root, d.Withdrawn, d.TextBy, d.BundleID, d.BlobSHA256,
			d.Library.ID, d.Library.No)
	}
	return rows.Flush()
}

func (in *inserter) chunks(l *ledger.Ledger) error {
	rows := in.bulk("chunks", in.documentSalt, "tenant_id, session_no, "+chunkColumns)
	for i := range l.Session.Documents {
		d := &l.Session.Documents[i]
		for j := range d.Chunks {
			c := &d.Chunks[j]
			path, err := sqldb.JSONText(c.HeadingPath)
			if err != nil {
				return err
			}
			doubtful, err := sqldb.JSONText(c.Doubtful)
			if err != nil {
				return err
			}
			start, end := spanArgs(c.Span)
			rows.Add(in.tenant, in.no, d.Position, c.Position, c.ID, c.Key, c.Hash, c.Root, c.Page, string(c.Kind), path,
				start, end, c.Words(), c.Scanned, doubtful)
		}
	}
	return rows.Flush()
}
