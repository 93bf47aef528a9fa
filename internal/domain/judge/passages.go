package judge

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// sight is a window of the sources, with what the reader says of it and how its words compare with the claim's.
type sight struct {
	window *Window
	logits Logits
	across bool    // it is in another language than the claim, or in one whose words are not compared
	share  float64 // its score beside the best window's, 0 to 1
	reading
}

// look reads a claim against its windows, in every language if across is set. It returns none if no source has anything to
// read.
func (x *Index) look(ctx context.Context, by Reader, claim string, across bool) ([]sight, error) {
	if err := x.covers(claim); err != nil && !across {
		return nil, err
	}
	q := x.queryOf(claim)
	if len(q.terms) == 0 {
		return nil, unjudged("note_words")
	}
	if len(q.terms) > maxTerms {
		return nil, unjudged("note_long")
	}
	x.lookUp(q)
	find := x.sources().Windows
	if across {
		find = x.sources().WindowsAcross
	}
	windows := find(claim)
	windows, logits, err := scored(ctx, by, q.text, windows)
	if err != nil {
		return nil, err
	}
	var out []sight
	var readings []reading
	for i := range windows {
		if r, ok := x.compareWith(q, &windows[i], readings); ok {
			readings = append(readings, r)
			out = append(out, sight{window: &windows[i], logits: logits[i], share: windows[i].share(&windows[0])})
		}
	}
	x.weigh(q, readings)
	veto(readings)
	for i := range out {
		out[i].reading = readings[i]
	}
	return out, nil
}

// scored asks the reader about windows, and returns those that it can read. A claim that is too long is unjudged.
func scored(ctx context.Context, by Reader, claim string, windows []Window) ([]Window, []Logits, error) {
	for len(windows) > 0 {
		passages := make([]string, len(windows))
		for i := range windows {
			passages[i] = windows[i].Passage()
		}
		logits, err := by.Score(ctx, claim, passages)
		var long *LongError
		switch {
		case errors.As(err, &long) && long.Claim:
			return nil, nil, unjudged("note_claim_tokens")
		case errors.As(err, &long):
			windows = slices.Delete(windows, long.Passage, long.Passage+1)
		default:
			return windows, logits, err
		}
	}
	return nil, nil, nil
}

// compareWith compares a claim with a window; known are the readings of earlier windows, which may be of the same chunk.
func (x *Index) compareWith(q *query, w *Window, known []reading) (reading, bool) {
	at := slices.IndexFunc(x.chunks, func(c chunk) bool { return c.ref == w.Ref })
	if at < 0 {
		return reading{}, false
	}
	r := reading{chunk: at}
	if i := slices.IndexFunc(known, func(k reading) bool { return k.chunk == at && k.best.chunk.row == nil }); i >= 0 {
		r.sentences = known[i].sentences
	} else {
		r.sentences = readSentences(q, &x.chunks[at])
	}
	first := -1
	for i := range r.sentences {
		switch s := x.chunks[at].sentences[i].span; {
		case s.End <= w.Span.Start || s.Start >= w.Span.End:
		case first < 0:
			first, r.best = i, r.sentences[i]
		default:
			r.best = r.best.joined(&r.sentences[i])
		}
	}
	if first < 0 {
		return reading{}, false
	}
	if rows := x.readTable(q, &x.chunks[at], &r.best); rows != nil && rows[0].chunk.row.span == w.Span {
		r.sentences, r.best = rows, bestWindow(rows)
	}
	for i := range r.sentences {
		if s := &r.sentences[i]; s.first >= r.best.first && s.last <= r.best.last && s.verbatim() {
			r.best, r.verbatim = *s, true
			break
		}
	}
	r.all = r.whole()
	r.qualified = r.best.qualification()
	return r, true
}

// Seen is what balances are found on: one window of a row.
type Seen struct {
	Figures []float64 // in the order of SeenNames
	Rules   []string  // rules and frames that speak against full support, the surest first, whether Embedded heeds them or not
	Same    bool      // a whole sentence is the claim, word for word
}

// See reads a row as Embedded does, and reports whether its evidence is a document. It depends on no balances.
func See(ctx context.Context, by Reader, row Row) (out []Seen, document bool, err error) {
	x := NewIndex(RowSession(row))
	sights, err := x.look(ctx, by, strings.TrimSpace(row.Claim), false)
	for i := range sights {
		s := &sights[i]
		seen := Seen{Rules: s.rules(), Same: s.verbatim}
		if frame := s.framed(); frame != "" {
			seen.Rules = append(seen.Rules, frame)
		}
		for place := range seenNames {
			seen.Figures = append(seen.Figures, s.figureSeen(place))
		}
		out = append(out, seen)
	}
	return out, x.document, err
}
