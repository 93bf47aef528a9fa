package ledger

import (
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// The most passages that people may attach to one claim, and to all claims of a session.
const (
	MaxAttached          = 50
	MaxAttachedInSession = 10_000
)

// chunkGap is what stands between two chunks of a document whose chunks have no place in its text.
const chunkGap = 1

// Near is a passage that words may be about.
type Near struct {
	Chunk ChunkRef
	Span  text.Span // of the sentence in it that is nearest to the words
}

// starts returns where each chunk begins in the document's text, in code points: at its span, or, unless all chunks
// have one, as if the chunks were joined by line feeds.
func (d *Document) starts() []int {
	out, at := make([]int, len(d.Chunks)), 0
	spans := !slices.ContainsFunc(d.Chunks, func(c Chunk) bool { return c.Span == nil })
	for i := range d.Chunks {
		c := &d.Chunks[i]
		if out[i] = at; spans {
			out[i] = c.Span.Start
		}
		at += text.Len(c.Text) + chunkGap
	}
	return out
}

// Start returns where a chunk begins in the document's text, see Passage.
func (d *Document) Start(chunk int) int {
	for i, at := range d.starts() {
		if d.Chunks[i].Position == chunk {
			return at
		}
	}
	return 0
}

// Passage returns the chunk and the span in it of a stretch of the document's text, from start up to end in code
// points. It refuses one that is empty or not within one chunk (domain.Invalid, Path "start" or "end"). Precondition:
// the document is whole.
func (d *Document) Passage(start, end int) (ChunkRef, text.Span, error) {
	if start >= end {
		return ChunkRef{}, text.Span{}, domain.Refuse(domain.Invalid, "end", "refused_passage_ends_where", "N", start)
	}
	for i, at := range d.starts() {
		c := &d.Chunks[i]
		n := text.Len(c.Text)
		if start < at || start >= at+n {
			continue
		}
		if end > at+n {
			return ChunkRef{}, text.Span{}, domain.Refuse(domain.Invalid, "end", "refused_passage_goes_beyond", "N",
				c.Position+1, "Most", at+n)
		}
		return ChunkRef{d.Position, c.Position}, text.Span{Start: start - at, End: end - at}, nil
	}
	return ChunkRef{}, text.Span{}, domain.Refuse(domain.Invalid, "start", "refused_text_document_place", "N", start)
}

// Attach adds a match that a person attached to a claim, and returns what it changed. The reviews of the claim become
// stale. Errors, after which nothing is changed: NotFound without such a claim, Conflict if the document is out of use
// or the passage is attached already, Invalid for a claim that no judge could judge, TooLarge beyond MaxAttached or
// MaxAttachedInSession. Precondition: m is judged, and has Attached.
func (s *Session) Attach(position int, m Match, at time.Time) (Change, error) {
	c := s.Claim(position)
	if c == nil {
		return Change{}, domain.Refuse(domain.NotFound, "", "refused_session_claim", "N", position+1)
	}
	if d := s.Document(m.Chunk.Document); d == nil || !d.Citable() {
		return Change{}, domain.Refuse(domain.Conflict, "", "refused_document_out_use")
	}
	if c.Unjudged != "" {
		return Change{}, domain.Refuse(domain.Invalid, "", "refused_judge_could_judge")
	}
	attached := 0
	for i := range c.Matches {
		if x := &c.Matches[i]; x.Attached != nil {
			attached++
			if x.Chunk == m.Chunk && x.Quote.Span == m.Quote.Span {
				return Change{}, domain.Refuse(domain.Conflict, "", "refused_attached_passage", "Name",
					x.Attached.Actor)
			}
		}
	}
	if attached >= MaxAttached {
		return Change{}, domain.Refuse(domain.TooLarge, "", "refused_passages_attached_claim", "N", attached)
	}
	if s.attached() >= MaxAttachedInSession {
		return Change{}, domain.Refuse(domain.TooLarge, "", "refused_passages_attached_session", "N",
			MaxAttachedInSession)
	}
	was := s.entry(c)
	lost, sealed := stances(c), s.sealed()
	rank := c.addMatch(m)
	if s.restsOnDoubt(c, &m, map[ChunkRef]figures{}) {
		c.Checks.Doubtful = append(c.Checks.Doubtful, rank)
		slices.Sort(c.Checks.Doubtful)
	}
	is := s.entry(c)
	x := Change{
		Position: position, From: was.Machine, To: is.Machine, FromConfidence: was.Confidence, ToConfidence: is.Confidence,
		Gained: without(stances(c), lost), Stale: s.markStale(c),
	}
	s.step(sealed, at)
	return x, nil
}

// Detach takes back a match that a person attached to a claim, and returns what that changed and the match. The reviews
// of the claim become stale. Errors, after which nothing is changed: NotFound without such a claim, Conflict if by has
// not attached that passage, or it is gone.
func (s *Session) Detach(position int, ref ChunkRef, span text.Span, by string, at time.Time) (Change, Match, error) {
	c := s.Claim(position)
	if c == nil {
		return Change{}, Match{}, domain.Refuse(domain.NotFound, "", "refused_session_claim", "N", position+1)
	}
	rank := slices.IndexFunc(c.Matches, func(m Match) bool {
		return m.Attached != nil && m.Attached.By == by && by != "" && m.Chunk == ref && m.Quote.Span == span
	})
	if rank < 0 {
		return Change{}, Match{}, domain.Refuse(domain.Conflict, "", "refused_attached_passage_attached")
	}
	m, was := c.Matches[rank], s.entry(c)
	had, sealed := stances(c), s.sealed()
	c.dropMatch(rank)
	is := s.entry(c)
	x := Change{
		Position: position, From: was.Machine, To: is.Machine, FromConfidence: was.Confidence, ToConfidence: is.Confidence,
		Lost: without(had, stances(c)), Stale: s.markStale(c),
	}
	s.step(sealed, at)
	return x, m, nil
}

// dropMatch removes a match.
func (c *Claim) dropMatch(rank int) {
	c.Matches = slices.Delete(slices.Clone(c.Matches), rank, rank+1)
	c.Checks.Absent = ranksWithout(c.Checks.Absent, rank)
	c.Checks.Doubtful = ranksWithout(c.Checks.Doubtful, rank)
}

// ranksWithout returns ranks after the match of one of them is gone.
func ranksWithout(ranks []int, gone int) (out []int) {
	for _, i := range ranks {
		switch {
		case i < gone:
			out = append(out, i)
		case i > gone:
			out = append(out, i-1)
		}
	}
	return out
}

// LastAttached returns the passage that somebody attached last to the claim, nil if none.
func (c *Claim) LastAttached(by string) (last *Match) {
	for i := range c.Matches {
		m := &c.Matches[i]
		if m.Attached != nil && m.Attached.By == by && by != "" && (last == nil || m.Attached.At.After(last.Attached.At)) {
			last = m
		}
	}
	return last
}

// attached counts the passages that people attached in the session.
func (s *Session) attached() (n int) {
	for i := range s.Claims {
		for j := range s.Claims[i].Matches {
			if s.Claims[i].Matches[j].Attached != nil {
				n++
			}
		}
	}
	return n
}

// addMatch inserts a match at its place, behind those of equal similarity, and returns its rank.
func (c *Claim) addMatch(m Match) (rank int) {
	rank = len(c.Matches)
	for i := range c.Matches {
		if c.Matches[i].Similarity < m.Similarity {
			rank = i
			break
		}
	}
	c.Matches = slices.Insert(slices.Clone(c.Matches), rank, m)
	c.Checks.Absent = ranksBehind(c.Checks.Absent, rank)
	c.Checks.Doubtful = ranksBehind(c.Checks.Doubtful, rank)
	return rank
}

// ranksBehind returns ranks after a match was inserted.
func ranksBehind(ranks []int, inserted int) []int {
	out := slices.Clone(ranks)
	for i := range out {
		if out[i] >= inserted {
			out[i]++
		}
	}
	return out
}

// KeepAttached adds to each claim the passages that people attached to it in old, a copy of this session from before it
// was judged, unless it has them or their document is out of use. again judges such a passage.
func (s *Session) KeepAttached(old *Session, again func(c *Claim, m Match) Match) {
	for i := range s.Claims {
		c := &s.Claims[i]
		for _, m := range old.Claims[i].Matches {
			same := func(x Match) bool {
				return x.Attached != nil && x.Chunk == m.Chunk && x.Quote.Span == m.Quote.Span
			}
			d := old.Document(m.Chunk.Document)
			if m.Attached != nil && d.Citable() && !slices.ContainsFunc(c.Matches, same) {
				c.addMatch(again(c, m))
			}
		}
	}
}
