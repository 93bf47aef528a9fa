package ledger

import (
	"slices"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// DoubtfulWord is a word of a chunk that was read from a picture and may have been read wrong. Stored and exported.
type DoubtfulWord struct {
	Start      int `json:"start"` // in the chunk's text, in code points
	End        int `json:"end"`
	Confidence int `json:"confidence"` // of OCR, from 0 to 100
}

// shifted returns doubtful words of a text that now begins at another place.
func shifted(list []DoubtfulWord, by int) []DoubtfulWord {
	out := slices.Clone(list)
	for i := range out {
		out[i].Start, out[i].End = out[i].Start+by, out[i].End+by
	}
	return out
}

// within returns the doubtful words of a part of a text. A word that is cut is doubtful in both parts.
func within(list []DoubtfulWord, start, end int) (out []DoubtfulWord) {
	for _, w := range list {
		if w.Start < end && w.End > start {
			out = append(out, DoubtfulWord{Start: max(w.Start, start) - start, End: min(w.End, end) - start,
				Confidence: w.Confidence})
		}
	}
	return out
}

// doubts reports whether a span of the chunk has a doubtful word.
func (c *Chunk) doubts(span text.Span) bool {
	return slices.ContainsFunc(c.Doubtful, func(w DoubtfulWord) bool { return w.Start < span.End && span.Start < w.End })
}

// figures are those of a text.
type figures []quantity.Quantity

// carries reports whether one of the figures says what the claim's says, whether one of those has no doubtful word, and
// looks only at those within a span. The words that belong to a figure count: a bound, a sign, a unit.
func (f figures) carries(claimed *quantity.Quantity, c *Chunk, within text.Span) (said, surely bool) {
	for i := range f {
		q := &f[i]
		if q.Said.Start < within.Start || q.End > within.End || !quantity.Compare(*claimed, *q).Supports() {
			continue
		}
		said = true
		surely = surely || !c.doubts(q.Said) && !c.doubts(q.Behind)
	}
	return said, surely
}

// checkDoubtful notes which matches of each claim rest on doubtful words (rule L-39).
func (s *Session) checkDoubtful() {
	read := map[ChunkRef]figures{}
	for i := range s.Claims {
		c := &s.Claims[i]
		for rank := range c.Matches {
			if s.restsOnDoubt(c, &c.Matches[rank], read) {
				c.Checks.Doubtful = append(c.Checks.Doubtful, rank)
			}
		}
	}
}

// restsOnDoubt reports whether what a match says of a claim's figures rests on doubtful words: one of them is in the
// passage only where it is doubtful, or may have been read wrong there, so that it is nowhere. Of a passage that
// contradicts the claim, one of its own figures is doubtful. read keeps the figures of chunks.
func (s *Session) restsOnDoubt(c *Claim, m *Match, read map[ChunkRef]figures) bool {
	ch := s.Chunk(m.Chunk)
	if ch == nil || len(ch.Doubtful) == 0 {
		return false
	}
	claimed := figuresOf(c.Text)
	has, ok := read[m.Chunk]
	if !ok {
		has = figuresOf(ch.Words())
		read[m.Chunk] = has
	}
	whole := text.Span{End: text.Len(ch.Words())}
	snippet := m.Quote.Span
	if snippet.Len() <= 0 {
		snippet = whole
	}
	if m.Contradicts {
		return len(claimed) > 0 && slices.ContainsFunc(has, func(q quantity.Quantity) bool {
			return q.Start >= snippet.Start && q.End <= snippet.End && ch.doubts(q.Span)
		})
	}
	return slices.ContainsFunc(claimed, func(q quantity.Quantity) bool {
		said, surely := has.carries(&q, ch, snippet)
		if !said {
			_, surely = has.carries(&q, ch, whole)
		}
		return !surely
	})
}

// figuresOf reads the figures of a text that say something.
func figuresOf(s string) (out figures) {
	for _, q := range quantity.Read(s) {
		if q.IsFigure() {
			out = append(out, q)
		}
	}
	return out
}

// Doubtful reports whether the entry's best match rests on words that were read from a picture and are doubtful.
func (e *Entry) Doubtful() bool {
	return e.Best != nil && slices.ContainsFunc(e.Claim.Checks.Doubtful, func(rank int) bool {
		return rank < len(e.Claim.Matches) && e.Best == &e.Claim.Matches[rank]
	})
}
