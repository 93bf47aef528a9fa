package judge

import (
	"fmt"
	"slices"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// GivenVersion is the version of the rules by which given matches are taken over.
const GivenVersion = "1"

// Given takes over the matches that the caller supplied with a claim, best similarity first. What neither supports nor
// contradicts, names no chunk of the session or has no similarity from 0 to 1 is dropped with a warning. Each snippet
// is placed in its chunk, else in its document: then the match stays with the chunk it names, the quote has no span, and
// a warning says so. A match without a snippet takes the sentence of its chunk that is nearest to the claim.
func Given(s *ledger.Session, c *ledger.Claim) ([]ledger.Match, []Warning) {
	return newQuotes(s).given(c)
}

// given is Given with what the session's documents need to be searched for quotes kept from claim to claim.
func (q *quotes) given(c *ledger.Claim) ([]ledger.Match, []Warning) {
	s := q.session
	var out []ledger.Match
	var warnings []Warning
	for i, m := range c.Matches {
		path := fmt.Sprintf("claims[%d].matches[%d]", c.Position, i)
		if fault := givenFault(s, &m); fault != "" {
			warnings = append(warnings, Warning{path, fault})
			continue
		}
		if elsewhere := q.place(c, &m); elsewhere != "" {
			warnings = append(warnings, Warning{path + ".snippet", elsewhere})
		}
		out = append(out, m)
	}
	ledger.SortMatches(out)
	return out, warnings
}

// givenFault says why a given match is dropped; "" when it is kept.
func givenFault(s *ledger.Session, m *ledger.Match) string {
	switch {
	case !(m.Similarity >= 0 && m.Similarity <= 1):
		return "Dropped: the similarity is not from 0 to 1."
	case s.Chunk(m.Chunk) == nil:
		return "Dropped: the session has no such chunk."
	case !m.Contradicts && m.Support != ledger.Full && m.Support != ledger.Partial:
		return "Dropped: the match neither supports nor contradicts the claim."
	}
	return ""
}

// nearest gives the sentence of a chunk that covers a claim best, the first one where none does.
func nearest(claim string, c *ledger.Chunk) (string, text.Placement) {
	x := NewIndex(&ledger.Session{Documents: []ledger.Document{{Chunks: []ledger.Chunk{*c}}}})
	sentences := readSentences(x.newQuery(claim), &x.chunks[0])
	if len(sentences) == 0 {
		return "", text.Placement{Kind: text.NotPlaced}
	}
	best := slices.MaxFunc(sentences, func(a, b window) int {
		if a.coverage > b.coverage {
			return 1
		}
		if a.coverage < b.coverage {
			return -1
		}
		return 0
	})
	span := best.span()
	return best.chunk.ruler.Slice(span), text.Placement{Kind: text.Exact, Span: span}
}
