package sessions

import (
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// A page shows parts of answerWindow code points of an answer with at most maxMarks marks. A claim that begins more
// than markReach code points before the part is not marked in it.
const (
	answerWindow = 2
	maxMarks     = 400
	markReach    = 2000
)

// answer reads a part of the answer and its marks: from the beginning or, if follow is set and the answer is longer
// than a part, from the first of the page's claims that has a place in it.
func (page *pageBuilder) answer(follow bool) error {
	p, h := page.page, page.head
	start := 0
	if follow && h.answerLength > answerWindow*answerPart {
		start = firstSpan(p.Session.Claims) / answerPart * answerPart
	}
	end := min(start+answerWindow*answerPart, h.answerLength)
	p.Answer = ledger.AnswerPart{Start: start, Length: h.answerLength, Whole: start == 0 && end == h.answerLength}
	err := page.t.Each(`SELECT text FROM answer_parts WHERE tenant_id = ? AND session_no = ? AND start >= ?
		ORDER BY start LIMIT ?`, []any{page.tenant, h.no, start, answerWindow}, func(r sqldb.Scanner) error {
		var shown string
		err := r.Scan(&shown)
		p.Answer.Text += shown
		return err
	})
	if err != nil {
		return err
	}
	p.Session.Answer = p.Answer.Text
	counting := ""
	if h.Overview.Summary.Aside() > 0 {
		counting = " AND " + notAside
	}
	p.Marks, err = sqldb.Collect(page.t, `SELECT c.position, c.span_start, c.span_end, c.verdict, c.confidence FROM claims c
		WHERE c.tenant_id = ? AND c.session_no = ? AND c.span_start >= ? AND c.span_start < ? AND c.span_end > ?`+counting+`
		ORDER BY c.span_start, c.position LIMIT ?`, []any{page.tenant, h.no, start - markReach, end, start, maxMarks},
		func(r sqldb.Scanner, m *ledger.AnswerMark) error {
			return r.Scan(&m.Position, &m.Span.Start, &m.Span.End, &m.Verdict, &m.Confidence)
		})
	return err
}

// firstSpan returns the start of the first claim with a span, 0 if none has one.
func firstSpan(claims []ledger.Claim) int {
	for i := range claims {
		if claims[i].Span != nil {
			return claims[i].Span.Start
		}
	}
	return 0
}

// The list of a session's sources is built from the matches of its first claims and the beginnings of its first
// documents: the same on each page of the ledger, and limited whatever the session's size.
const (
	passageClaims = 100 // claims whose matches are read
	maxPassages   = 500
	openings      = 24  // documents whose beginning is read
	openingLength = 400 // of each, in code points
)

// passages reads both parts; each document's beginning is looked up by its key.
func (page *pageBuilder) passages() (err error) {
	p := &page.page.Passages
	p.Matched, err = sqldb.Collect(page.t, `SELECT document, chunk, similarity, snippet FROM matches
		WHERE tenant_id = ? AND session_no = ? AND claim < ? ORDER BY claim, rank LIMIT ?`,
		[]any{page.tenant, page.head.no, passageClaims, maxPassages}, func(r sqldb.Scanner, x *ledger.Passage) error {
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
	p.Openings, err = sqldb.Collect(page.t, `SELECT document, position, substr(text, 1, ?) FROM chunks
		WHERE tenant_id = ? AND session_no = ? AND document IN `+list+" AND position = 0 ORDER BY document, position",
		append([]any{openingLength, page.tenant, page.head.no}, args...),
		func(r sqldb.Scanner, x *ledger.Passage) error {
			return r.Scan(&x.Chunk.Document, &x.Chunk.Chunk, &x.Text)
		})
	return err
}

// upstream reads what the file said about the page's claims into the session's extra fields; more restricts the claims.
func (page *pageBuilder) upstream(more string, args ...any) error {
	s, path := page.page.Session, ledger.UpstreamPath
	if ledger.ProviderName(s.Format) == "" {
		path = ledger.ExplanationPath
	}
	return page.t.Each("SELECT claim, said FROM upstream WHERE tenant_id = ? AND session_no = ? "+more+" ORDER BY claim",
		append([]any{page.tenant, page.head.no}, args...), func(r sqldb.Scanner) error {
			var at int
			var record string
			err := r.Scan(&at, &record)
			if s.Extra == nil {
				s.Extra = map[string]json.RawMessage{}
			}
			s.Extra[path(at)] = json.RawMessage(record)
			return err
		})
}

// mentions reads who is addressed in the reviews of the page's claims.
func (page *pageBuilder) mentions() error {
	var claims []any
	for i := range page.page.Session.Claims {
		if c := &page.page.Session.Claims[i]; addresses(c) {
			claims = append(claims, c.Position)
		}
	}
	if len(claims) == 0 {
		return nil
	}
	page.page.Mentions = map[string][]notify.Mention{}
	list, args := sqldb.InList(claims)
	return page.t.Each("SELECT a.review, a.start, a.length, a.user_id, coalesce("+reads.NameOf("a", "user_id")+`, '')
		FROM mentions a WHERE a.tenant_id = ? AND a.session_no = ? AND a.start >= 0 AND a.claim IN `+list+
		" ORDER BY a.claim, a.review, a.start", append([]any{page.tenant, page.head.no}, args...),
		func(r sqldb.Scanner) error {
			var review string
			var m notify.Mention
			err := r.Scan(&review, &m.Start, &m.Length, &m.ID, &m.Name)
			page.page.Mentions[review] = append(page.page.Mentions[review], m)
			return err
		})
}

// addresses reports whether a review of the claim may address somebody.
func addresses(c *ledger.Claim) bool {
	return slices.ContainsFunc(c.Reviews, func(r ledger.Review) bool { return strings.ContainsRune(r.Reason, '@') })
}
