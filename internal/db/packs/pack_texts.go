package packs

import (
	"database/sql"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
)

// storedTexts returns the full text of the documents that sources come from, by position of the source. The document is
// one of the decision's session that the source names by id, key, URI or the root of one of its chunks; else one of the
// tenant's whose id is the source's internal_ref. A source without a stored document has no entry.
func storedTexts(t *sqldb.Tx, tenant string, sources []pack.EvidenceSource, l *ledger.Ledger) (map[int]string, error) {
	library, err := namedDocuments(t, tenant, sources)
	if err != nil {
		return nil, err
	}
	if l != nil {
		for i := range l.Session.Documents {
			library.add(&l.Session.Documents[i])
		}
	}
	out := map[int]string{}
	for i := range sources {
		if text, ok := library.find(&sources[i]); ok && !sources[i].S3() {
			out[i] = text
		}
	}
	return out, nil
}

// namedDocuments reads the documents that sources name by id, anywhere in the tenant.
func namedDocuments(t *sqldb.Tx, tenant string, sources []pack.EvidenceSource) (*namedTexts, error) {
	var ids []any
	for i := range sources {
		if ref := sources[i].InternalRef; ref != "" {
			ids = append(ids, ref)
		}
	}
	list, args := sqldb.InList(ids)
	of := map[string]*ledger.Document{}
	err := t.Each(`SELECT d.id, c.root, c.span_start, c.span_end, c.text FROM documents d
		JOIN chunks c ON c.session_no = d.session_no AND c.document = d.position AND c.tenant_id = d.tenant_id
		WHERE d.tenant_id = ? AND d.id IN `+list+" ORDER BY d.id, c.position", append([]any{tenant}, args...),
		func(r sqldb.Scanner) error {
			var id string
			var c ledger.Chunk
			var start, end sql.NullInt64
			err := r.Scan(&id, &c.Root, &start, &end, &c.Text)
			c.Span = sqldb.SpanOf(start, end)
			if of[id] == nil {
				of[id] = &ledger.Document{ID: id}
			}
			of[id].Chunks = append(of[id].Chunks, c)
			return err
		})
	if err != nil {
		return nil, err
	}
	lib := &namedTexts{byName: map[string][]*ledger.Document{}, byRoot: map[string]*ledger.Document{}}
	for _, id := range ids { // in the order of the sources: ids are random
		if d := of[id.(string)]; d != nil {
			delete(of, id.(string))
			lib.add(d)
		}
	}
	return lib, nil
}

// namedTexts finds documents by the references of sources.
type namedTexts struct {
	byName map[string][]*ledger.Document // by id, key, URI
	byRoot map[string]*ledger.Document   // by the roots of the chunks
}

func (l *namedTexts) add(d *ledger.Document) {
	for _, name := range []string{d.ID, d.Key, d.URI} {
		if name != "" {
			l.byName[name] = append(l.byName[name], d)
		}
	}
	for i := range d.Chunks {
		if root := d.Chunks[i].Root; root != "" && l.byRoot[root] == nil {
			l.byRoot[root] = d
		}
	}
}

// find returns the text of a source's document, or of several if they share a name.
func (l *namedTexts) find(s *pack.EvidenceSource) (string, bool) {
	if d := l.byRoot[s.ChunkRoot]; d != nil {
		return wholeText(d), true
	}
	for _, name := range []string{s.InternalRef, s.URI} {
		var texts []string
		for _, d := range l.byName[name] {
			texts = append(texts, wholeText(d))
		}
		if len(texts) > 0 {
			return strings.Join(texts, "\n"), true
		}
	}
	return "", false
}

// wholeText joins the chunks of a document; text in which they overlap is included once.
func wholeText(d *ledger.Document) string {
	var b strings.Builder
	end := 0
	for i := range d.Chunks {
		c := &d.Chunks[i]
		part := c.Text
		if c.Span != nil {
			if n := text.Len(part); c.Span.Start <= end && c.Span.End-c.Span.Start == n && i > 0 {
				part = text.Slice(part, text.Span{Start: min(n, end-c.Span.Start), End: n})
			} else {
				b.WriteByte('\n')
			}
			end = max(end, c.Span.End)
		} else {
			b.WriteByte('\n')
		}
		b.WriteString(part)
	}
	return b.String()
}
