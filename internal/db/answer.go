package db

import "sanad/internal/domain/ledger"

// A page shows parts of answerWindow code points of an answer with at most maxMarks marks. A claim that begins more
// than markReach code points before the part is not marked in it.
const (
	answerWindow = 2
	maxMarks     = 400
	markReach    = 2000
)

// packedMarks are the columns of the marks in an answer.
var packedMarks = packed("position, span_start, span_end, verdict, confidence")

// answer returns the parts that read a part of the answer and its marks: from the beginning or, if follow is set and
// the answer is longer than a part, from the first of the page's claims that has a place in it.
func (b *pageBuilder) answer(follow bool) []part {
	p, h := b.page, b.head
	start := 0
	if follow && h.answerLength > answerWindow*answerPart {
		start = firstSpan(p.Session.Claims) / answerPart * answerPart
	}
	end := min(start+answerWindow*answerPart, h.answerLength)
	p.Answer = ledger.AnswerPart{Start: start, Length: h.answerLength, Whole: start == 0 && end == h.answerLength}
	text := newPart(columns{}.and("text"), `FROM answer_parts WHERE tenant_id = ? AND session_no = ? AND start >= ?
		ORDER BY start LIMIT ?`, []any{b.tenant, h.no, start, answerWindow}, func(r scanner) error {
		var shown string
		err := r.Scan(&shown)
		p.Answer.Text += shown
		p.Session.Answer = p.Answer.Text
		return err
	})
	var m ledger.AnswerMark
	fields := []any{&m.Position, &m.Span.Start, &m.Span.End, &m.Verdict, &m.Confidence}
	marks := newPart(packedMarks, `FROM claims WHERE tenant_id = ? AND session_no = ? AND span_start >= ? AND span_start < ?
		AND span_end > ? ORDER BY span_start, position LIMIT ?`,
		[]any{b.tenant, h.no, start - markReach, end, start, maxMarks}, func(r scanner) error {
			err := r.Scan(fields...)
			p.Marks = append(p.Marks, m)
			return err
		})
	return []part{text, marks}
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
