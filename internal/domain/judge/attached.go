package judge

import (
	"cmp"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

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
