package ledger

import (
	"slices"
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

// figures are those of a text.
type figures []quantity.Quantity

// within returns those of the figures that stand in a part of their text.
func (f figures) within(part text.Span) (out figures) {
	for i := range f {
		if f[i].Said.Start >= part.Start && f[i].End <= part.End {
			out = append(out, f[i])
		}
	}
	return out
}

// carries reports whether one of the figures says what the claim's says, and whether one of those has no doubtful word.
// The words that belong to a figure count: a bound, a sign, a unit.
func (f figures) carries(claimed *quantity.Quantity) (said, surely bool) {
	for _, q := range f {
		doubtful := q.Doubtful
		q.Doubtful = false
		if !quantity.Compare(*claimed, q).Supports() {
			continue
		}
		said = true
		surely = surely || !doubtful
	}
	return said, surely
}

// CheckDoubtful notes which matches of each claim rest on doubtful words (rule L-39).
func (s *Session) CheckDoubtful() {
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
// passage only where it is doubtful, or may have been read wrong there, so that it is nowhere. read keeps the figures
// of chunks.
func (s *Session) restsOnDoubt(c *Claim, m *Match, read map[ChunkRef]figures) bool {
	ch := s.Chunk(m.Chunk)
	if ch == nil || len(ch.Doubtful) == 0 {
		return false
	}
	has, ok := read[m.Chunk]
	if !ok {
		has = figuresOf(ch.Words())
		quantity.Doubt(has, func(s text.Span) bool { return Doubts(ch.Doubtful, s) })
		read[m.Chunk] = has
	}
	snippet := m.Quote.Span
	if snippet.Len() <= 0 {
		snippet = text.Span{End: text.Len(ch.Words())}
	}
	near := has.within(snippet)
	var unsure figures // of the claim
	for _, q := range figuresOf(c.Text) {
		said, surely := near.carries(&q)
		if !said && !m.Contradicts {
			_, surely = has.carries(&q)
		}
		if !surely {
			unsure = append(unsure, q)
		}
	}
	if m.Contradicts {
		return len(unsure) > 0 && !surelyAgainst(m, ch, unsure, near)
	}
	return len(unsure) > 0
}

// named returns those of the figures of a chunk that words of a conflict name.
func (f figures) named(ch *Chunk, words string) figures {
	words = text.Fold(words)
	return slices.DeleteFunc(slices.Clone(f), func(q quantity.Quantity) bool {
		said := text.Fold(text.Slice(ch.Words(), q.Span))
		return !strings.Contains(words, said) && !strings.Contains(said, words)
	})
}

// surelyAgainst reports whether a match contradicts a claim without a doubtful figure: by the figure that it names, or,
// if it names none, by another one than the claim's where no doubtful one may be the claim's.
func surelyAgainst(m *Match, ch *Chunk, claimed, near figures) bool {
	unsure := func(q quantity.Quantity) bool { return q.Doubtful }
	for _, x := range m.Conflicts {
		if x.Kind == "number" && x.Evidence != "" {
			named := near.named(ch, x.Evidence)
			return len(named) > 0 && !slices.ContainsFunc(named, unsure)
		}
	}
	if !slices.ContainsFunc(near, unsure) {
		return true
	}
	return slices.ContainsFunc(claimed, func(c quantity.Quantity) bool {
		surely, open := false, false
		for _, q := range near {
			relation := quantity.Compare(c, q)
			surely = surely || relation == quantity.Other
			open = open || q.Doubtful && relation != quantity.Unlike
		}
		return surely && !open
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
func (e *Entry) Doubtful() bool { return e.Best != nil && e.Claim.Doubts(e.Best) }

// Doubts reports whether what one of the claim's matches says of its figures rests on such words.
func (c *Claim) Doubts(m *Match) bool {
	return slices.ContainsFunc(c.Checks.Doubtful, func(rank int) bool {
		return rank < len(c.Matches) && m == &c.Matches[rank]
	})
}

// Undecided reports whether a match would make the claim supported or contradicted if OCR had been sure of its figures.
func (c *Claim) Undecided(m *Match) bool { return (m.Contradicts || m.Support == Full) && c.Doubts(m) }
