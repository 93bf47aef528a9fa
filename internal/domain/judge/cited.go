package judge

import (
	"cmp"
	"slices"
	"sync"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
)

// CheckAnswer compares what the answer of a session that was just judged cites and quotes with its sources. The judge
// judges the cited passages too, which retrieval may have left out. Precondition: as of Cited.
func CheckAnswer(s *ledger.Session, j Judge) {
	cited, placed := Cited(s, j), Placed(s, j)
	checks.TakeCited(s, cited)
	checks.TakePlaced(s, placed)
	checks.LeaveUnread(s)
	checks.Run(s, together(cited, placed))
}

// CheckAgain is CheckAnswer for a session whose matches stay as they are.
func CheckAgain(s *ledger.Session, j Judge) { checks.Run(s, together(Cited(s, j), Placed(s, j))) }

// together adds the matches of b to those of a, by the claim's index.
func together(a, b map[int][]ledger.Match) map[int][]ledger.Match {
	for i, list := range b {
		a[i] = append(a[i], list...)
	}
	return a
}

// Cited has j judge the passages that the answer cites and that are not among a claim's matches, since retrieval keeps
// only some. It returns these matches by the claim's index, for checks.TakeCited and Run. Precondition: the session
// is judged, and its citations are resolved.
func Cited(s *ledger.Session, j Judge) map[int][]ledger.Match {
	a := apart{session: s, indexes: map[ledger.ChunkRef]func() *Index{}}
	var mu sync.Mutex
	found, workers := map[int][]ledger.Match{}, newBeside()
	for i, refs := range checks.CitedPassages(s) {
		c := &s.Claims[i]
		missing := slices.DeleteFunc(refs, func(ref ledger.ChunkRef) bool {
			return slices.ContainsFunc(c.Matches, func(m ledger.Match) bool {
				return m.Chunk == ref || m.Support == ledger.Full && !m.Contradicts && ref.Names(m.Chunk)
			})
		})
		if len(missing) == 0 || c.Unjudged != "" {
			continue
		}
		workers.do(func() {
			matches := a.judge(*c, j, missing)
			mu.Lock()
			defer mu.Unlock()
			found[i] = matches
		})
	}
	workers.wait()
	return found
}

// apart judges claims against a few passages alone.
type apart struct {
	session *ledger.Session
	mu      sync.Mutex
	indexes map[ledger.ChunkRef]func() *Index
}

// judge returns what a claim finds in passages, without those that are among its matches. A passage that the judge
// cannot judge gives nothing, also if the judge panics.
func (a *apart) judge(c ledger.Claim, j Judge, refs []ledger.ChunkRef) (out []ledger.Match) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	for _, ref := range refs {
		matches, err := j.Judge(&c, a.index(ref))
		if err != nil {
			continue
		}
		for _, m := range matches {
			known := func(o ledger.Match) bool { return o.Chunk == m.Chunk }
			if !slices.ContainsFunc(c.Matches, known) && !slices.ContainsFunc(out, known) {
				out = append(out, m)
			}
		}
	}
	ledger.SortMatches(out)
	return out
}

// index returns the index of one passage, or of a document as a whole; each is made once.
func (a *apart) index(ref ledger.ChunkRef) *Index {
	a.mu.Lock()
	made := a.indexes[ref]
	if made == nil {
		made = sync.OnceValue(func() *Index {
			d := *a.session.Document(ref.Document)
			if ref.Chunk != ledger.WholeDocument {
				d.Chunks = []ledger.Chunk{*a.session.Chunk(ref)}
			}
			return NewIndex(&ledger.Session{Lang: a.session.Lang, Run: a.session.Run, Documents: []ledger.Document{d}})
		})
		a.indexes[ref] = made
	}
	a.mu.Unlock()
	return made()
}

// Placed has j judge the claims that cite a place of a document ("Under section 6.1, …") by what they state of it: against
// each passage of the place alone, and against all other passages. It returns the matches by the claim's index, for
// checks.TakePlaced and Run. Precondition: as of Cited.
func Placed(s *ledger.Session, j Judge) map[int][]ledger.Match {
	found := map[int][]ledger.Match{}
	all := sync.OnceValue(func() *Index { return NewIndex(s) })
	for i, p := range checks.PlacedClaims(s) {
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
func placed(s *ledger.Session, j Judge, c *ledger.Claim, p *checks.PlaceClaim, all func() *Index) (out []ledger.Match) {
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
		if !slices.ContainsFunc(parts, func(x checks.CitedPart) bool { return x.Chunk == m.Chunk }) {
			out = append(out, m)
		}
	}
	ledger.SortMatches(out)
	return out
}

// AttachedNote is the id of the remark on a passage in which the judge sees nothing.
const AttachedNote = "note_unseen"

// Attached judges a claim by one passage that a person chose, and by nothing else. The match has that passage as its
// snippet. If the judge finds neither support nor contradiction in it, or cannot read it, the passage supports in part,
// because a person says so, with the similarity that the judge gives it, and a note says so. Precondition: the chunk is
// in the session and span is in the chunk.
func (e Embedded) Attached(s *ledger.Session, c *ledger.Claim, ref ledger.ChunkRef, span text.Span) (out ledger.Match) {
	passage := text.Slice(s.Chunk(ref).Text, span)
	unseen := ledger.Match{Support: ledger.Partial}
	unseen.Remark(domain.Message{ID: AttachedNote})
	out = unseen
	place := func(m ledger.Match) ledger.Match {
		m.Chunk, m.Snippet, m.Quote = ref, passage, text.Placement{Kind: text.Exact, Span: span}
		return m
	}
	defer func() {
		if recover() != nil {
			out = place(unseen)
		}
	}()
	alone := &ledger.Session{Lang: s.Lang, Documents: []ledger.Document{{
		Lang: s.Document(ref.Document).Lang, Status: ledger.Ready, Chunks: []ledger.Chunk{{Text: passage}},
	}}}
	matches, p, err := e.estimate(c, NewIndex(alone))
	switch {
	case err != nil:
		out.Remark(Cause(err))
	case len(matches) > 0:
		out = matches[0]
		for _, m := range matches {
			if m.Contradicts {
				out = m
				break
			}
		}
	default:
		out.Similarity = p
	}
	return place(out)
}

// Nearest returns up to n passages of the session's citable documents that words may be about, nearest first.
func Nearest(s *ledger.Session, words string, n int) []ledger.Near {
	x := NewIndex(s)
	q := x.newQuery(words)
	var out []ledger.Near
	for _, i := range x.retrieve(q) {
		sentences := readSentences(q, &x.chunks[i])
		if len(sentences) == 0 {
			continue
		}
		best := slices.MaxFunc(sentences, func(a, b window) int { return cmp.Compare(a.coverage, b.coverage) })
		if out = append(out, ledger.Near{Chunk: x.chunks[i].ref, Span: best.span()}); len(out) == n {
			break
		}
	}
	return out
}
