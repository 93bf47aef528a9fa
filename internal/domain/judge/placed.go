package judge

import (
	"slices"
	"sync"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// CheckAnswer compares what the answer of a session that was just judged cites and quotes with its sources. The judge
// judges the cited passages too, which retrieval may have left out. Precondition: as of Cited.
func CheckAnswer(s *ledger.Session, j Judge) {
	cited, placed := Cited(s, j), Placed(s, j)
	s.TakeCited(cited)
	s.TakePlaced(placed)
	s.LeaveUnread()
	s.Check(together(cited, placed))
}

// CheckAgain is CheckAnswer for a session whose matches stay as they are.
func CheckAgain(s *ledger.Session, j Judge) { s.Check(together(Cited(s, j), Placed(s, j))) }

// together adds the matches of b to those of a, by the claim's index.
func together(a, b map[int][]ledger.Match) map[int][]ledger.Match {
	for i, list := range b {
		a[i] = append(a[i], list...)
	}
	return a
}

// Placed has j judge the claims that cite a place of a document ("Under section 6.1, …") by what they state of it: against
// each passage of the place alone, and against all other passages. It returns the matches by the claim's index, for
// ledger.Session.TakePlaced and Check. Precondition: as of Cited.
func Placed(s *ledger.Session, j Judge) map[int][]ledger.Match {
	found := map[int][]ledger.Match{}
	all := sync.OnceValue(func() *Index { return NewIndex(s) })
	for i, p := range s.PlacedClaims() {
		c := s.Claims[i]
		if c.Unjudged != "" {
			continue
		}
		c.Text = p.Stated
		found[i] = placed(s, j, &c, p, all)
	}
	return found
}

// placed is Placed for one claim. A passage that the judge cannot judge gives nothing, also if the judge panics.
func placed(s *ledger.Session, j Judge, c *ledger.Claim, p *ledger.PlaceClaim, all func() *Index) (out []ledger.Match) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	parts := p.Parts(s)
	for _, x := range parts {
		d, chunk := *s.Document(x.Chunk.Document), *s.Chunk(x.Chunk)
		chunk.Text, chunk.Doubtful, chunk.Span = text.Slice(chunk.Text, x.Span), nil, nil
		d.Chunks = []ledger.Chunk{chunk}
		matches, err := j.Judge(c, NewIndex(&ledger.Session{Lang: s.Lang, Run: s.Run, Documents: []ledger.Document{d}}))
		if err != nil {
			continue
		}
		for _, m := range matches {
			if m.Quote.Span.Len() > 0 {
				m.Quote.Span.Start, m.Quote.Span.End = m.Quote.Span.Start+x.Span.Start, m.Quote.Span.End+x.Span.Start
			}
			same := func(o ledger.Match) bool { return o.Chunk == m.Chunk && o.Quote.Span == m.Quote.Span }
			if !slices.ContainsFunc(out, same) {
				out = append(out, m)
			}
		}
	}
	others, err := j.Judge(c, all())
	if err != nil {
		others = nil
	}
	for _, m := range others {
		if !slices.ContainsFunc(parts, func(x ledger.CitedPart) bool { return x.Chunk == m.Chunk }) {
			out = append(out, m)
		}
	}
	ledger.SortMatches(out)
	return out
}
