package sessions

import (
	"database/sql"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// loadClaims reads claims without their evidence, and the derived values of each. from is the query after the columns,
// in which the table of claims is c.
func loadClaims(t *sqldb.Tx, from string, args ...any) (claims []ledger.Claim, values []derived, err error) {
	var d derived
	var c ledger.Claim
	var start, end sql.NullInt64
	fields := append(d.fields(), &c.Position, &c.ID, &c.Key, &c.Type, &c.Importance, &c.RequiresCitation, &start, &end,
		&c.Judge, &c.Given, &c.Unjudged, sqldb.JSONInto(&c.UnjudgedSaid), &c.Text, &c.Stale, &c.Withheld, &c.Since)
	err = t.Each("SELECT "+derivedColumns+", position, "+claimColumns+" "+from, args, func(r sqldb.Scanner) error {
		c = ledger.Claim{}
		if err := r.Scan(fields...); err != nil {
			return err
		}
		c.Span = sqldb.SpanOf(start, end)
		err := d.loadChecks(&c)
		claims, values = append(claims, c), append(values, d)
		return err
	})
	return claims, values, err
}

const (
	matchColumns = `claim, document, chunk, similarity, support, contradicts, quote_kind, quote_start, quote_end,
		snippet, note, note_said, conflicts, missing, features, attached`
	citationColumns = "claim, hash, span_start, span_end, status, places"
	reviewColumns   = `claim, id, actor, role, at, action, verdict, type, importance, reason, by_id, undoes,
		adjudicates, batch`
)

// loadEvidence reads matches, citations, reviews and what exported ledgers said into the session's claims, with one
// query each; more restricts the claims ("" for all).
func loadEvidence(t *sqldb.Tx, s *ledger.Session, tenant string, no int, more string, args ...any) error {
	from := " WHERE tenant_id = ? AND session_no = ? " + more + " ORDER BY claim, "
	args = append([]any{tenant, no}, args...)
	if err := t.Each("SELECT "+matchColumns+" FROM matches"+from+"rank", args, scanMatches(s)); err != nil {
		return err
	}
	if err := t.Each("SELECT "+citationColumns+" FROM citations"+from+"n", args, scanCitations(s)); err != nil {
		return err
	}
	err := t.Each("SELECT "+reviewColumns+" FROM reviews"+from+"n", args, scanReviews(s))
	if err != nil || len(s.Imports) == 0 {
		return err
	}
	return t.Each("SELECT claim, said FROM imported_reviews WHERE tenant_id = ? AND session_no = ? "+more+
		" ORDER BY claim", args, scanImported(s))
}

// claimOf returns a claim of the session, or one that receives the rows of a claim that is not loaded.
func claimOf(s *ledger.Session, position int) *ledger.Claim {
	if c := s.Claim(position); c != nil {
		return c
	}
	return &ledger.Claim{}
}

func scanMatches(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var m ledger.Match
	fields := []any{&at, &m.Chunk.Document, &m.Chunk.Chunk, &m.Similarity, &m.Support, &m.Contradicts, &m.Quote.Kind,
		&m.Quote.Span.Start, &m.Quote.Span.End, &m.Snippet, &m.Note, sqldb.JSONInto(&m.NoteSaid), sqldb.JSONInto(&m.Conflicts),
		sqldb.JSONInto(&m.Missing), sqldb.JSONInto(&m.Features), sqldb.JSONInto(&m.Attached)}
	return func(r sqldb.Scanner) error {
		m = ledger.Match{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Matches = append(c.Matches, m)
		return err
	}
}

func scanCitations(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var x ledger.Citation
	fields := []any{&at, &x.Hash, &x.Span.Start, &x.Span.End, &x.Status, sqldb.JSONInto(&x.Places)}
	return func(r sqldb.Scanner) error {
		x = ledger.Citation{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Citations = append(c.Citations, x)
		return err
	}
}

func scanReviews(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var x ledger.Review
	fields := []any{&at, &x.ID, &x.Actor, &x.Role, sqldb.TimeInto(&x.At), &x.Action, &x.Verdict, &x.Type, &x.Importance,
		&x.Reason, &x.By, &x.Undoes, &x.Adjudicates, &x.Batch}
	return func(r sqldb.Scanner) error {
		x = ledger.Review{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Reviews = append(c.Reviews, x)
		return err
	}
}

func scanImported(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var said []ledger.Imported
	fields := []any{&at, sqldb.JSONInto(&said)}
	return func(r sqldb.Scanner) error {
		said = nil
		err := r.Scan(fields...)
		claimOf(s, at).Imported = said
		return err
	}
}

const documentColumns = `id, position, key, filename, title, uri, lang, published_at, valid_until, supersedes,
	source_quality, status, media_type, blob, root, withdrawn, text_by, bundle_id, blob_sha256`

func documentFields(d *ledger.Document) []any {
	return []any{
		&d.ID, &d.Position, &d.Key, &d.Filename, &d.Title, &d.URI, &d.Lang, &d.PublishedAt, &d.ValidUntil,
		&d.Supersedes, &d.SourceQuality,
		&d.Status, &d.MediaType, &d.Blob, &d.Root, &d.Withdrawn, &d.TextBy, &d.BundleID, &d.BlobSHA256,
	}
}

const fromDocuments = "SELECT " + documentColumns + " FROM documents WHERE tenant_id = ? AND session_no = ?"

func scanDocument(r sqldb.Scanner, d *ledger.Document) error { return r.Scan(documentFields(d)...) }

// loadDocuments reads a session's documents without their chunks.
func loadDocuments(t *sqldb.Tx, tenant string, no int) ([]ledger.Document, error) {
	return sqldb.Collect(t, fromDocuments+" ORDER BY position", []any{tenant, no}, scanDocument)
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

const chunkColumns = "document, position, id, key, hash, root, page, heading_path, span_start, span_end, text"

// scanChunks reads chunks into the documents of a session that are loaded.
func scanChunks(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var c ledger.Chunk
	var start, end sql.NullInt64
	fields := []any{&at, &c.Position, &c.ID, &c.Key, &c.Hash, &c.Root, &c.Page, sqldb.JSONInto(&c.HeadingPath), &start, &end,
		&c.Text}
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
