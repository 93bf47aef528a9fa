package judge

import (
	"slices"
	"sync"

	"sanad/internal/domain/ledger"
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
			return NewIndex(&ledger.Session{Lang: a.session.Lang, Documents: []ledger.Document{d}})
		})
		a.indexes[ref] = made
	}
	a.mu.Unlock()
	return made()
}
