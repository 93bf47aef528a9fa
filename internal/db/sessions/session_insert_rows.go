package sessions

import (
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// firstRun is the number of a session's first judge run.
const firstRun = 0

// answerPart is the length of a stored part of an answer, in code points; the last part has the rest.
const answerPart = 4000

// inserter writes the rows below a new session.
type inserter struct {
	t          *sqldb.Tx
	tenant     string
	no         int // row number of the session
	firstClaim int
	words      func() claimWords // for both indexes
	makeRoom   func()            // Options.MakeRoom; may be nil

	compared      tally // of the claims with people's verdicts
	claimSalts    [][]byte
	documentSalts map[int][]byte // by position
}

// claimWords are the words of a session's claims. They stand in one text, since a session can have 100,000 claims.
type claimWords struct {
	text string // each word with a space after it
	ends []int  // in text, of the claims
}

// Of returns the words of the i-th claim.
func (w *claimWords) Of(i int) string {
	start := 0
	if i > 0 {
		start = w.ends[i-1]
	}
	return strings.TrimSuffix(w.text[start:w.ends[i]], " ")
}

// WordsBeside computes the words of each claim concurrently; the function it returns waits for them.
func WordsBeside(claims []ledger.Claim) func() claimWords {
	out, panicked := claimWords{ends: make([]int, len(claims))}, make(chan any, 1)
	go func() {
		defer func() { panicked <- recover() }()
		var b strings.Builder
		var reader sqldb.WordReader
		for i := range claims {
			for _, word := range reader.Read(claims[i].Text) {
				b.WriteString(word)
				b.WriteByte(' ')
			}
			out.ends[i] = b.Len()
		}
		out.text = b.String()
	}()
	return sync.OnceValue(func() claimWords {
		if p := <-panicked; p != nil {
			panic(p) // as if the caller had panicked
		}
		return out
	})
}

func (in *inserter) run(l *ledger.Ledger) error { return in.runAs(l, firstRun) }

// runAs inserts the session's newest run under a number.
func (in *inserter) runAs(l *ledger.Ledger, n int) error {
	r := &l.Session.Run
	parameters, err := sqldb.JSONText(r.Parameters)
	if err != nil {
		return err
	}
	salt, err := auditlog.NewSalt(in.t)
	if err != nil {
		return err
	}
	_, err = in.t.Exec(`INSERT INTO ledger_runs (tenant_id, session_no, n, id, judge, version, parameters,
		input_digest, bundle_id, at,
		duration_ns, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		in.tenant, in.no, n, r.ID, r.Judge, r.Version, parameters, r.InputDigest, r.BundleID, sqldb.Stamp(r.At),
		int64(r.Duration), salt)
	return err
}

func (in *inserter) answer(l *ledger.Ledger) error {
	rows := sqldb.NewBulk(in.t, "answer_parts", "tenant_id, session_no, start, text")
	start, rest := 0, l.Session.Answer
	for rest != "" {
		end := cut(rest, answerPart)
		rows.Add(in.tenant, in.no, start, rest[:end])
		start, rest = start+answerPart, rest[end:]
	}
	return rows.Flush()
}

// bulk inserts into a table and computes the digests of its rows; salt is nil for those that have their own.
func (in *inserter) bulk(table string, salt func(int, []any) []byte, columns string) *sqldb.Bulk {
	b := sqldb.NewBulk(in.t, table, columns)
	auditlog.FillWith(b, auditlog.Filling(in.t, in.no, table, columns, salt))
	return b
}

func (in *inserter) claimSalt(claim int, _ []any) []byte { return in.claimSalts[claim] }

func (in *inserter) documentSalt(document int, _ []any) []byte { return in.documentSalts[document] }

// knowSalts reads the salts of the claims unless this inserter has made them.
func (in *inserter) knowSalts() (err error) {
	if in.claimSalts != nil {
		return nil
	}
	in.claimSalts, err = sqldb.Collect(in.t, "SELECT salt FROM claims WHERE tenant_id = ? AND session_no = ? ORDER BY position",
		[]any{in.tenant, in.no},
		func(r sqldb.Scanner, salt *[]byte) error { return r.Scan(salt) })
	return err
}

// cut returns the byte index after the first n code points of s.
func cut(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	return i
}

// length returns the number of code points.
func length(s string) int { return utf8.RuneCountInString(s) }

func (in *inserter) documents(l *ledger.Ledger) error {
	in.documentSalts = map[int][]byte{}
	rows := sqldb.NewBulk(in.t, "documents",
		`id, tenant_id, session_no, position, key, filename, title, uri, lang, published_at, valid_until, supersedes,
		source_quality, status, media_type, blob, root, chunk_count, outline, withdrawn, text_by,
		bundle_id, blob_sha256, salt`)
	for i := range l.Session.Documents {
		d := &l.Session.Documents[i]
		outline, err := sqldb.JSONText(outlineOf(d.Chunks))
		if err != nil {
			return err
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
		rows.Add(d.ID, in.tenant, in.no, d.Position, d.Key, d.Filename, d.Title, d.URI, d.Lang, d.PublishedAt,
			d.ValidUntil, d.Supersedes,
			quality, string(d.Status), d.MediaType, d.Blob, d.Root, len(d.Chunks), outline, d.Withdrawn, d.TextBy,
			d.BundleID, d.BlobSHA256, salt)
	}
	return rows.Flush()
}

func (in *inserter) chunks(l *ledger.Ledger) error {
	rows := in.bulk("chunks", in.documentSalt,
		"tenant_id, session_no, document, position, id, key, hash, root, page, heading_path, span_start, span_end, text")
	for i := range l.Session.Documents {
		d := &l.Session.Documents[i]
		for j := range d.Chunks {
			c := &d.Chunks[j]
			path, err := sqldb.JSONText(c.HeadingPath)
			if err != nil {
				return err
			}
			start, end := spanArgs(c.Span)
			rows.Add(in.tenant, in.no, d.Position, c.Position, c.ID, c.Key, c.Hash, c.Root, c.Page, path, start, end,
				c.Words())
		}
	}
	return rows.Flush()
}

const claimColumns = "id, key, type, importance, requires_citation, span_start, span_end, judge, given, unjudged, " +
	"unjudged_said, text, stale_reviews, withheld_reviews, since"

func (in *inserter) claims(l *ledger.Ledger) error {
	s := l.Session
	rows := in.bulk("claims", nil, "no, tenant_id, session_no, position, "+derivedColumns+", "+claimColumns+", salt")
	var row []any
	in.compared, in.claimSalts = tally{}, make([][]byte, 0, len(s.Claims))
	err := l.Each(func(i int, e *ledger.Entry) error {
		c, d := e.Claim, DerivedOf(e)
		if c.Position != i {
			return errors.New("the claims' positions are not 0, 1, 2 …")
		}
		in.compared.add(&d, judgeOf(&s.Run, c), 1)
		salt, err := auditlog.NewSalt(in.t)
		if err != nil {
			return err
		}
		in.claimSalts = append(in.claimSalts, salt)
		said, err := sqldb.SaidText(c.UnjudgedSaid)
		if err != nil {
			return err
		}
		no := in.firstClaim + i
		start, end := spanArgs(c.Span)
		row = append(append(row[:0], no, in.tenant, in.no, c.Position), d.values()...)
		row = append(row, c.ID, c.Key, string(c.Type), string(c.Importance), c.RequiresCitation, start, end,
			c.Judge, c.Given, c.Unjudged, said, c.Text, c.Stale, c.Withheld, c.Since, salt)
		rows.Add(row...)
		return nil
	})
	return errors.Join(err, rows.Flush())
}

// search indexes the session and its claims.
func (in *inserter) search(l *ledger.Ledger) error {
	s, words := l.Session, in.words()
	index := newSessionIndex(in.t, in.tenant)
	for i := range s.Claims {
		index.addClaim(in.firstClaim+i, words.Of(i))
	}
	if in.makeRoom != nil && len(index.seen) > manyWords {
		in.makeRoom()
	}
	return index.save(in.t, in.no, s.Title, s.Query, s.ExternalID)
}

// manyWords is the number of different words from which on a session's row of the index takes tens of megabytes: SQLite
// holds a quarter of a kilobyte for each of them until the row is written.
const manyWords = 50_000

// evidence inserts matches and citations.
func (in *inserter) evidence(l *ledger.Ledger) error {
	if err := in.knowSalts(); err != nil {
		return err
	}
	matches := in.bulk("matches", in.claimSalt,
		`tenant_id, session_no, claim, rank, document, chunk, similarity, support, contradicts,
		quote_kind, quote_start, quote_end, snippet, note, note_said, conflicts, missing, features,
		attached`)
	citations := in.bulk("citations", in.claimSalt,
		"tenant_id, session_no, claim, n, hash, span_start, span_end, status, places")
	for i := range l.Session.Claims {
		c := &l.Session.Claims[i]
		for j := range c.Matches {
			m := &c.Matches[j]
			details, err := matchDetails(m)
			if err != nil {
				return err
			}
			matches.Add(append([]any{in.tenant, in.no, c.Position, j, m.Chunk.Document, m.Chunk.Chunk, m.Similarity,
				string(m.Support), m.Contradicts,
				string(m.Quote.Kind), m.Quote.Span.Start, m.Quote.Span.End, m.Snippet, m.Note}, details[:]...)...)
		}
		for j := range c.Citations {
			x := &c.Citations[j]
			places, err := sqldb.JSONText(x.Places)
			if err != nil {
				return err
			}
			citations.Add(in.tenant, in.no, c.Position, j, x.Hash, x.Span.Start, x.Span.End, string(x.Status), places)
		}
	}
	return errors.Join(matches.Flush(), citations.Flush())
}

// matchDetails returns the JSON columns of a match: the message of its note, conflicts, missing words, features, who
// attached it.
func matchDetails(m *ledger.Match) (out [5]any, err error) {
	var errs [5]error
	out[0], errs[0] = sqldb.SaidText(m.NoteSaid)
	out[1], errs[1] = sqldb.JSONText(m.Conflicts)
	out[2], errs[2] = sqldb.JSONText(m.Missing)
	out[3], errs[3] = sqldb.JSONText(m.Features)
	if m.Attached != nil {
		out[4], errs[4] = sqldb.JSONText(m.Attached)
	}
	return out, errors.Join(errs[:]...)
}

func (in *inserter) reviews(l *ledger.Ledger) error {
	rows := newReviews(in.t)
	auditlog.FillWith(rows, auditlog.Filling(in.t, in.no, "reviews", rows.Columns, nil))
	for i := range l.Session.Claims {
		c := &l.Session.Claims[i]
		if err := addReviews(rows, in.tenant, in.no, c, 0); err != nil {
			return err
		}
	}
	return rows.Flush()
}

// comparisons stores how many claims were imported with people's verdicts.
func (in *inserter) comparisons(l *ledger.Ledger) error {
	return in.compared.save(in.t, in.tenant, l.Session.CreatedAt)
}

func newReviews(t *sqldb.Tx) *sqldb.Bulk {
	return sqldb.NewBulk(t, "reviews", "tenant_id, session_no, claim, n, id, actor, role, at, action, verdict, type, importance, reason, by_id, undoes, adjudicates, batch, salt")
}

// addReviews inserts the claim's reviews, starting with review from.
func addReviews(rows *sqldb.Bulk, tenant string, no int, c *ledger.Claim, from int) error {
	for n := from; n < len(c.Reviews); n++ {
		r := &c.Reviews[n]
		salt, err := auditlog.NewSalt(rows.T)
		if err != nil {
			return err
		}
		rows.Add(tenant, no, c.Position, n, r.ID, r.Actor, r.Role, sqldb.Stamp(r.At), string(r.Action), string(r.Verdict),
			string(r.Type), string(r.Importance), r.Reason, r.By, r.Undoes, r.Adjudicates, r.Batch, salt)
	}
	return nil
}
