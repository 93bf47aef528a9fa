package sessions

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// A page shows parts of answerWindow code points of an answer with at most maxMarks marks. A claim that begins more
// than markReach code points before the part is not marked in it.
const (
	answerWindow = 2
	maxMarks     = 400
	markReach    = 2000
)

// answer reads a part of the answer and its marks: from the beginning or, if follow is set and the answer is longer than
// a part, from the first of the page's claims that has a place in it.
func (b *pageBuilder) answer(follow bool) error {
	p, h := b.page, b.head
	start := 0
	if follow && h.answerLength > answerWindow*answerPart {
		start = firstSpan(p.Session.Claims) / answerPart * answerPart
	}
	end := min(start+answerWindow*answerPart, h.answerLength)
	p.Answer = ledger.AnswerPart{Start: start, Length: h.answerLength, Whole: start == 0 && end == h.answerLength}
	err := b.t.Each(`SELECT text FROM answer_parts WHERE tenant_id = ? AND session_no = ? AND start >= ?
		ORDER BY start LIMIT ?`, []any{b.tenant, h.no, start, answerWindow}, func(r sqldb.Scanner) error {
		var shown string
		err := r.Scan(&shown)
		p.Answer.Text += shown
		return err
	})
	if err != nil {
		return err
	}
	p.Session.Answer = p.Answer.Text
	p.Marks, err = sqldb.Collect(b.t, `SELECT position, span_start, span_end, verdict, confidence FROM claims
		WHERE tenant_id = ? AND session_no = ? AND span_start >= ? AND span_start < ? AND span_end > ?
		ORDER BY span_start, position LIMIT ?`, []any{b.tenant, h.no, start - markReach, end, start, maxMarks},
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
