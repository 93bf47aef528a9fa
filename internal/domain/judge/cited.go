package judge

import (
	"cmp"
	"slices"
	"sync"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Cited has j judge the passages that the answer cites and that are not among a claim's matches, since retrieval keeps
// only some. It returns these matches by the claim's index, for ledger.Session.TakeCited and Check. Precondition: the
// session is judged, and its citations are resolved.
func Cited(s *ledger.Session, j Judge) map[int][]ledger.Match {
	a := apart{session: s, indexes: map[ledger.ChunkRef]func() *Index{}}
	var mu sync.Mutex
	found, workers := map[int][]ledger.Match{}, newBeside()
	for i, refs := range s.CitedPassages() {
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
