package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// GivenVersion is the version of the rules by which given matches are taken over.
const GivenVersion = "2"

// Given takes over the matches that the caller supplied with a claim, best similarity first. What neither supports nor
// contradicts, names no chunk of the session or has no similarity from 0 to 1 is dropped with a warning. Each snippet
// is placed in its chunk, else in its document: then the match stays with the chunk it names, the quote has no span,
// and a warning says so. A match without a snippet takes the sentence of its chunk that is nearest to the claim. For
// more than one claim use a Taker.
func Given(s *ledger.Session, c *ledger.Claim) ([]ledger.Match, []domain.Warning) {
	return NewTaker(s).Given(c)
}

// Taker is Given for many claims of one session, whose documents must not change meanwhile: each chunk is prepared
// once, and what all claims together search is bounded. It is not safe for concurrent use.
type Taker struct{ quotes *quotes }

// NewTaker makes a Taker for a session.
func NewTaker(s *ledger.Session) Taker { return Taker{newQuotes(s)} }

// Given takes over the matches that came with a claim, see the function Given.
func (t Taker) Given(c *ledger.Claim) ([]ledger.Match, []domain.Warning) { return t.quotes.given(c) }

// given is Given with what the session's documents need to be searched for quotes kept from claim to claim.
func (q *quotes) given(c *ledger.Claim) ([]ledger.Match, []domain.Warning) {
	s := q.session
	var out []ledger.Match
	var warnings []domain.Warning
	for i, m := range c.Matches {
		path := fmt.Sprintf("claims[%d].matches[%d]", c.Position, i)
		if fault := givenFault(s, &m); fault != "" {
			warnings = append(warnings, domain.Warn(path, words.Msg(fault)))
			continue
		}
		if warning := q.place(c, &m); warning != "" {
			warnings = append(warnings, domain.Warn(path+".snippet", words.Msg(warning)))
		}
		out = append(out, m)
	}
	ledger.SortMatches(out)
	return out, warnings
}

// givenFault returns the id of why a given match is dropped; "" when it is kept.
func givenFault(s *ledger.Session, m *ledger.Match) string {
	switch {
	case !(m.Similarity >= 0 && m.Similarity <= 1):
		return "warning_given_similarity"
	case s.Chunk(m.Chunk) == nil:
		return "warning_given_chunk"
	case !m.Contradicts && m.Support != ledger.Full && m.Support != ledger.Partial:
		return "warning_given_neither"
	}
	return ""
}

// quotes looks for given snippets in the session's documents and reads what is there. It prepares each chunk and
// each document once, however many claims name them.
type quotes struct {
	session  *ledger.Session
	sources  map[ledger.ChunkRef]*source
	prepared int                  // bytes of the sources kept
	uses     int                  // of sources
	again    int                  // bytes of sources that were let go and made ready again
	whole    map[int]*text.Placer // by document position
	searched int                  // bytes searched in whole documents
	read     int                  // bytes searched and read in chunks
	told     map[string]bool      // warnings that are given once
}

// source is a chunk made ready for quotes and claims. Its index holds this chunk alone: what is read of a given match
// does not depend on the rest of the session, so that a match means the same wherever it is taken over.
type source struct {
	chunk    *ledger.Chunk
	placer   *text.Placer // nil while it is let go
	index    *Index       // nil until a claim is read against it, and while it is let go
	analysed bool         // its analysis was counted
	used     int          // the number of its last use
}

// What one run spends on given matches, in bytes: a file may hold 100,000 invented ones. Behind it they are taken over
// as they are, and a warning says so.
const (
	documentBudget = 256 << 20 // of whole documents searched for snippets that are not in their chunk
	chunkBudget    = 512 << 20 // of chunks searched and read
	analysisCost   = 16        // what a byte costs to analyse, beside one searched
	maxPrepared    = 2 << 20   // of sources kept ready at a time; ready they take about 35 times as much
	maxAgain       = 8 << 20   // of sources made ready again; then none is let go
)

// leaveAfter is after how many uses of other sources one is let go: claims mostly come in the order of their chunks.
const leaveAfter = 16_000

func newQuotes(s *ledger.Session) *quotes {
	return &quotes{session: s, sources: map[ledger.ChunkRef]*source{}, whole: map[int]*text.Placer{},
		told: map[string]bool{}}
}

// source returns a chunk of the session made ready.
func (q *quotes) source(ref ledger.ChunkRef) *source {
	if q.uses++; q.uses%(leaveAfter/8) == 0 {
		q.letGo()
	}
	s := q.sources[ref]
	if s == nil {
		c := q.session.Chunk(ref)
		if q.prepared += c.Size(); q.prepared > maxPrepared {
			clear(q.sources)
			q.prepared = c.Size()
		}
		s = &source{chunk: c}
		q.sources[ref] = s
	} else if s.placer == nil {
		q.again += s.chunk.Size()
	}
	if s.used = q.uses; s.placer == nil {
		s.placer = text.NewPlacer(s.chunk.Words())
	}
	return s
}

// letGo frees the memory of sources that were not used for long. They stay counted as kept, so that what a run finds
// within its budgets does not depend on it.
func (q *quotes) letGo() {
	if q.again > maxAgain {
		return
	}
	for _, s := range q.sources {
		if q.uses-s.used > leaveAfter {
			s.placer, s.index = nil, nil
		}
	}
}

// analysed returns a source's index, which has no chunk for one without a sentence.
func (q *quotes) analysed(s *source) *Index {
	if !s.analysed {
		s.analysed = true
		q.read += analysisCost * s.chunk.Size()
	}
	if s.index == nil {
		s.index = NewIndex(&ledger.Session{Documents: []ledger.Document{{Chunks: []ledger.Chunk{*s.chunk}}}})
	}
	return s.index
}

// place finds a match's snippet in its chunk, or else in its document, and reports which. A match without a
// snippet takes the nearest sentence. warning is the id of a message, "" if none.
func (q *quotes) place(c *ledger.Claim, m *ledger.Match) (warning string) {
	if q.read > chunkBudget {
		m.Quote = text.Placement{Kind: text.NotPlaced}
		return q.once("warning_given_unsought")
	}
	s := q.source(m.Chunk)
	q.read += s.chunk.Size()
	if strings.TrimSpace(m.Snippet) == "" {
		m.Snippet, m.Quote = q.nearest(c.Text, s)
		return ""
	}
	if m.Quote = s.placer.Place(m.Snippet); m.Quote.Kind != text.NotPlaced {
		return ""
	}
	kind, warning := q.inDocument(m)
	if kind == text.Exact || kind == text.Normalised {
		m.Quote = text.Placement{Kind: kind}
		return "warning_given_elsewhere"
	}
	return warning
}

// once returns a warning the first time only.
func (q *quotes) once(warning string) string {
	if q.told[warning] {
		return ""
	}
	q.told[warning] = true
	return warning
}

// inDocument looks for a snippet in the whole text of its document.
func (q *quotes) inDocument(m *ledger.Match) (kind text.PlacementKind, warning string) {
	d := q.session.Document(m.Chunk.Document)
	if len(d.Chunks) < 2 {
		return text.NotPlaced, ""
	}
	if q.searched > documentBudget {
		return text.NotPlaced, q.once("warning_given_chunk_only")
	}
	p := q.whole[d.Position]
	if p == nil {
		var b strings.Builder
		for i := range d.Chunks {
			b.WriteString(d.Chunks[i].Words())
			b.WriteByte('\n')
		}
		p = text.NewPlacer(b.String())
		q.whole[d.Position] = p
	}
	for i := range d.Chunks {
		q.searched += d.Chunks[i].Size()
	}
	return p.Place(m.Snippet).Kind, ""
}

// nearest returns the sentence of a chunk that covers a claim best, the first one where none does.
func (q *quotes) nearest(claim string, s *source) (string, text.Placement) {
	x := q.analysed(s)
	sentences := readSentences(x.newQuery(claim), &x.chunks[0])
	if len(sentences) == 0 {
		return "", text.Placement{Kind: text.NotPlaced}
	}
	best := slices.MaxFunc(sentences, func(a, b window) int { return cmp.Compare(a.coverage, b.coverage) })
	span := best.span()
	return best.chunk.ruler.Slice(span), text.Placement{Kind: text.Exact, Span: span}
}

// explain says what the words of the passage say about a match that was given: what of the claim it lacks and, where
// the match contradicts, what conflicts. It adds only what the caller left open and changes nothing else. What it gives
// back does so, in any order beside others; nil if there is nothing to do.
func (q *quotes) explain(c *ledger.Claim, m *ledger.Match) func() {
	if q.read > chunkBudget || len(m.Missing) > 0 && (!m.Contradicts || len(m.Conflicts) > 0) {
		return nil
	}
	s := q.source(m.Chunk)
	x := q.analysed(s)
	if m.Quote.Span.Len() == 0 {
		q.read += s.chunk.Size() // all of it is read
	}
	return func() { explain(x, c, m) }
}

func explain(x *Index, c *ledger.Claim, m *ledger.Match) {
	claim := x.queryOf(c.Text)
	if len(claim.terms) == 0 || len(claim.terms) > maxTerms {
		return
	}
	x.lookUp(claim)
	sentences, passage := passageOf(claim, &x.chunks[0], m)
	if len(sentences) == 0 {
		return
	}
	if len(m.Missing) == 0 {
		m.Missing = passage.missing()
	}
	if m.Contradicts && len(m.Conflicts) == 0 {
		m.Conflicts = conflicts(sentences)
	}
}

// passageOf reads the sentences that a match rests on: those of its snippet, or where it was not placed the window of
// the chunk that covers the claim best; one by one, and together.
func passageOf(claim *query, c *chunk, m *ledger.Match) ([]window, window) {
	if m.Quote.Span.Len() == 0 {
		all := readSentences(claim, c)
		if len(all) == 0 {
			return nil, window{}
		}
		best := bestWindow(all)
		return all[best.first : best.last+1], best
	}
	first, _ := slices.BinarySearchFunc(c.sentences, m.Quote.Span.Start,
		func(s sentence, at int) int { return cmp.Compare(s.span.End, at+1) })
	last := first
	for last < len(c.sentences) && c.sentences[last].span.Start < m.Quote.Span.End {
		last++
	}
	out := readRange(claim, c, first, last)
	if len(out) == 0 {
		return nil, window{}
	}
	together := out[0]
	for i := range out[1:] {
		together = together.joined(&out[i+1])
	}
	return out, together
}

// conflicts names the words by which one of the sentences may contradict the claim, taking the caller's word that it
// does: in the sentence that covers most of the claim a number, a negation, an opposite or a name.
func conflicts(sentences []window) []ledger.Conflict {
	sorted := slices.Clone(sentences)
	slices.SortStableFunc(sorted, func(a, b window) int { return cmp.Compare(b.coverage, a.coverage) })
	for i := range sorted {
		if c, ok := sorted[i].differs(); ok {
			return []ledger.Conflict{c}
		}
	}
	return nil
}

// differs finds what conflict finds without asking how closely the sentence follows the claim.
func (w *window) differs() (ledger.Conflict, bool) {
	if claim, evidence, ok := w.otherNumber(); ok {
		return ledger.Conflict{Kind: "number", Claim: claim.Raw, Evidence: evidence.Raw}, true
	}
	switch at := w.negates(); {
	case w.coverage == 0:
	case at >= 0 && !w.query.negated:
		return ledger.Conflict{Kind: "negation", Evidence: w.chunk.tokens[at].Text}, true
	case at < 0 && w.query.negated:
		return ledger.Conflict{Kind: "negation", Claim: w.query.negation()}, true
	}
	if claim, evidence, ok := w.opposite(); ok {
		return ledger.Conflict{Kind: "negation", Claim: claim.Text, Evidence: evidence.Text}, true
	}
	if t, k, ok := w.otherName(); ok {
		c, _ := w.otherwiseNamed(t, k)
		return c, true
	}
	return ledger.Conflict{}, false
}
