package judge

import (
	"slices"
	"sync"

	"sanad/internal/domain/ledger"
)

// manyPassages is from how many passages of a document on a citation of it is judged by what is retrieved from it.
const manyPassages = 8

// wholeDocument is the Chunk of a reference that means a document as a whole.
const wholeDocument = -1

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
			return slices.ContainsFunc(c.Matches, func(m ledger.Match) bool { return m.Chunk == ref })
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

// judge returns what a claim finds in passages. A passage that the judge cannot judge gives nothing.
func (a *apart) judge(c ledger.Claim, j Judge, refs []ledger.ChunkRef) (out []ledger.Match) {
	for len(refs) > 0 {
		document := refs[0].Document
		of := slices.DeleteFunc(slices.Clone(refs), func(r ledger.ChunkRef) bool { return r.Document != document })
		refs = slices.DeleteFunc(refs, func(r ledger.ChunkRef) bool { return r.Document == document })
		if len(of) > manyPassages {
			whole := ledger.ChunkRef{Document: document, Chunk: wholeDocument}
			out = append(out, within(j, &c, a.index(whole), of)...)
			continue
		}
		for _, ref := range of {
			out = append(out, within(j, &c, a.index(ref), []ledger.ChunkRef{ref})...)
		}
	}
	ledger.SortMatches(out)
	return out
}

// within returns the matches of a claim that are in the given passages.
func within(j Judge, c *ledger.Claim, x *Index, refs []ledger.ChunkRef) []ledger.Match {
	matches, err := j.Judge(c, x)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(matches, func(m ledger.Match) bool { return !slices.Contains(refs, m.Chunk) })
}

// index returns the index of one passage, or of a document as a whole; each is made once.
func (a *apart) index(ref ledger.ChunkRef) *Index {
	a.mu.Lock()
	made := a.indexes[ref]
	if made == nil {
		made = sync.OnceValue(func() *Index {
			d := *a.session.Document(ref.Document)
			if ref.Chunk != wholeDocument {
				d.Chunks = []ledger.Chunk{*a.session.Chunk(ref)}
			}
			return NewIndex(&ledger.Session{Lang: a.session.Lang, Documents: []ledger.Document{d}})
		})
		a.indexes[ref] = made
	}
	a.mu.Unlock()
	return made()
}
